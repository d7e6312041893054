/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.noorphans.fakecli.model.When.when;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.When;

class BuilderTests {
    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    private static void assertRefused(ThrowingCallable deed, String message) {
        assertThatThrownBy(deed).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    private static void assertStepRefused(Consumer<Steps> script, String message) {
        assertRefused(() -> plain().attempt(a -> a.exit(0)).attempt(script), "attempt 1" + message);
    }

    @Nested
    class A_scenario {
        @Test
        void is_a_value() {
            Scenario scenario = plain().name("x")
                    .aux("probe", when().argvAny("-p"), s -> s.exit(0))
                    .attempt(a -> a.spawn("kid", SpawnMode.CHILD, o -> o.ignore(Signal.TERM))
                            .stall())
                    .scenario();

            assertThat(scenario)
                    .isEqualTo(new Scenario(
                            Persona.PLAIN,
                            "x",
                            AttemptKey.NONE,
                            List.of(
                                    new CallClass(
                                            "probe",
                                            new When(List.of(new When.ArgvAny(List.of("-p")))),
                                            false,
                                            List.of(List.of(new Step.Exit(0)))),
                                    new CallClass(
                                            "run",
                                            when(),
                                            true,
                                            List.of(List.of(
                                                    new Step.Spawn(
                                                            "kid",
                                                            SpawnMode.CHILD,
                                                            Set.of(Signal.TERM),
                                                            false,
                                                            Duration.ofMinutes(2)),
                                                    new Step.Stall())))),
                            OnExhausted.FAIL));
            assertThat(scenario.run().attempts()).hasSize(1);
        }

        @Test
        void has_the_persona_s_name_and_probes_before_the_auxiliary_rules() {
            Scenario scenario = FakeCli.persona(Persona.CLAUDE)
                    .aux("helper", when(), s -> s.exit(0))
                    .attempt(a -> a.exit(0))
                    .scenario();

            assertThat(scenario.name()).isEqualTo("claude");
            assertThat(scenario.classes())
                    .extracting(CallClass::name)
                    .containsExactly("version", "help", "auth", "helper", "run");
        }

        @Test
        void without_attempts_is_refused() {
            assertRefused(
                    () -> plain().scenario(),
                    "scenario \"fake\" has no attempts; describe at least one with attempt(…)");
        }

        @Test
        void with_two_classes_of_one_name_is_refused() {
            assertRefused(
                    () -> plain().aux("a", when(), s -> s.exit(0))
                            .aux("a", when(), s -> s.exit(0))
                            .attempt(a -> a.exit(0))
                            .scenario(),
                    "scenario \"fake\" has two classes named \"a\"; rename one");
        }

        @Test
        void with_a_name_that_is_no_plain_file_name_is_refused() {
            for (String name : List.of("a/b", "..", "", "-x", "a b", "é")) {
                assertRefused(
                        () -> plain().name(name),
                        "fake name \"" + name + "\" cannot be used: take 1 to 64 letters, digits, dots, underscores and"
                                + " hyphens, beginning with a letter or a digit");
            }
        }

        @Test
        void that_says_what_its_persona_cannot_is_refused() {
            assertRefused(
                    () -> plain().attempt(a -> a.out("x").say(Claude.init()).exit(0))
                            .scenario(),
                    "attempt 0, step 2: persona PLAIN has no phrase \"init\"; it has none, use out");
            assertRefused(
                    () -> FakeCli.persona(Persona.CLAUDE)
                            .attempt(a -> a.say(Phrase.of("sing")).exit(0))
                            .scenario(),
                    "attempt 0, step 1: persona CLAUDE has no phrase \"sing\"; it has agentText,"
                            + " apiErrorAsSuccess, delta, error, init, openText, rateLimit, status, success, synthetic, text,"
                            + " thinking, tool, toolResult");
        }

        @Test
        void with_a_rule_without_flags_is_refused() {
            assertRefused(() -> when().argvNone(), "argvNone needs at least one flag, but was given none");
            assertRefused(
                    () -> when().argvAny(""),
                    "argvAny needs flags that an argument can equal: at least one character and no NUL, but was given \"\"");
        }
    }

    @Nested
    class A_step {
        @Test
        void with_a_value_out_of_range_is_refused_with_its_place() {
            assertStepRefused(a -> a.out("x").exit(256), ", step 2: exit code must be 0 to 255, but was 256");
            assertStepRefused(a -> a.exit(-1), ", step 1: exit code must be 0 to 255, but was -1");
            assertStepRefused(
                    a -> a.delay(Duration.ofMillis(-5)), ", step 1: delay must be 0 ms to 600000 ms, but was -5 ms");
            assertStepRefused(
                    a -> a.spawn("m", SpawnMode.CHILD, o -> o.life(Duration.ofHours(1))),
                    ", step 1: spawn m, life must be 1 ms to 600000 ms, but was 3600000 ms");
        }

        @Test
        void that_asks_for_the_impossible_is_refused() {
            assertStepRefused(a -> a.ignore(Signal.KILL), ", step 1: ignore cannot ignore KILL: no process can");
            assertStepRefused(
                    a -> a.spawn("m", SpawnMode.CHILD, o -> o.ignore(Signal.KILL)),
                    ", step 1: spawn m cannot ignore KILL: no process can");
            assertStepRefused(a -> a.ignore(), ", step 1: ignore needs at least one signal, but was given none");
            assertStepRefused(
                    a -> a.out("a\nb"),
                    ", step 1: out prints one line, but the text contains a line end; use one step for each line");
            assertStepRefused(
                    a -> a.partial("a\0b"),
                    ", step 1: partial cannot print the character NUL; leave it out of the text");
            assertStepRefused(
                    a -> a.json(Map.of("x", new Object())),
                    ", step 1: json cannot express a java.lang.Object; give maps, collections, strings, numbers, booleans"
                            + " or null");
            assertStepRefused(
                    a -> a.gate("a/b"),
                    ", step 1: gate name \"a/b\" cannot be used: take 1 to 64 letters, digits, dots, underscores and"
                            + " hyphens, beginning with a letter or a digit");
        }
    }

    @Nested
    class An_attempt {
        @Test
        void without_an_end_is_refused() {
            assertStepRefused(a -> {}, " has no steps; end it with exit, crash or stall");
            assertStepRefused(
                    a -> a.spawn("m", SpawnMode.CHILD),
                    " has no end: its last step is spawn m CHILD; finish it with exit, crash or stall");
        }

        @Test
        void that_goes_on_after_its_end_is_refused() {
            assertStepRefused(
                    a -> a.exit(0).out("x"),
                    ", step 1 (exit 0) ends the fake, so the 1 after it would never run; remove them");
        }

        @Test
        void with_an_id_twice_or_two_stalls_is_refused() {
            assertStepRefused(
                    a -> a.spawn("m", SpawnMode.CHILD)
                            .spawn("m", SpawnMode.CHILD)
                            .exit(0),
                    ", step 2: the id \"m\" is already taken in this attempt; choose another");
            assertStepRefused(
                    a -> a.stall().stall(), ", step 2: an attempt can stall once; use a gate for the other waits");
        }
    }
}
