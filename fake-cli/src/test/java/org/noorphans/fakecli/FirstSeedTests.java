/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.When.when;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

/** The fake agent of the first seed, rows S1-11 to S1-16. */
class FirstSeedTests {
    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder seed() {
        return FakeCli.persona(Persona.CLAUDE)
                .name("claude-orphan")
                .version("claude-code 1.0.0-orphan")
                .aux(
                        "helper",
                        when().argvNone("--session-id", "--resume"),
                        s -> s.out("{\"entries\":[]}").exit(0))
                .attempt(a -> a.spawn("grandchild", SpawnMode.CHILD).stall())
                .attempt(a -> a.say(init())
                        .say(text("Recovered after retry."))
                        .say(success("Recovered after retry."))
                        .delay(Duration.ofMillis(20))
                        .exit(0))
                .onExhausted(OnExhausted.REPEAT_LAST);
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_11_the_version_flag_gets_the_version_line_and_changes_nothing(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());

            assertThat(bench.run(fake, "--session-id", "1", "--version"))
                    .isEqualTo(new Bench.Output("claude-code 1.0.0-orphan\n", "", 0));

            assertThat(fake.journal().attempts()).isEmpty();
            assertThat(fake.journal().aux())
                    .extracting(call -> call.className().orElseThrow())
                    .containsExactly("version");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_12_the_help_flag_gets_the_usage_line_and_changes_nothing(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());

            assertThat(bench.run(fake, "--session-id", "1", "--help"))
                    .isEqualTo(new Bench.Output("Usage: claude [options] [command] [prompt]\n", "", 0));

            assertThat(fake.journal().attempts()).isEmpty();
            assertThat(fake.journal().aux())
                    .extracting(call -> call.className().orElseThrow())
                    .containsExactly("help");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_13_a_call_without_session_gets_empty_entries_and_counts_as_no_attempt(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());

            Bench.Output output = bench.run(fake, "-p", "name this chat", "--session-identity", "x");

            assertThat(output).isEqualTo(new Bench.Output("{\"entries\":[]}\n", "", 0));
            assertThat(fake.journal().attempts()).isEmpty();
            Invocation call = fake.journal().aux().get(0);
            assertThat(call.className()).hasValue("helper");
            assertThat(call.attempt()).isEmpty();
            assertThat(call.arguments()).containsExactly("-p", "name this chat", "--session-identity", "x");
            assertThat(call.end()).isEqualTo(new End.Exited(0));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_14_checks_come_in_the_order_version_help_auxiliary_attempt_and_only_the_last_counts(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());

            bench.run(fake, "--help", "--version");
            bench.run(fake, "--help");
            bench.run(fake);
            Process first = bench.start(fake, "--session-id=1");
            fake.stall(0).awaitArrival(SOON);
            bench.run(fake, "--resume", "1");
            bench.run(fake, "--session-id", "--version");
            bench.run(fake, "--resume=1");

            assertThat(fake.journal().all())
                    .extracting(call -> call.className().orElseThrow())
                    .containsExactly("version", "help", "helper", "run", "run", "version", "run");
            assertThat(fake.journal().attempts())
                    .extracting(Invocation::attempt)
                    .containsExactly(OptionalInt.of(0), OptionalInt.of(1), OptionalInt.of(2));
            assertThat(first.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_15_attempt_0_stalls_silently_with_one_descendant_in_its_own_group(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());
            Process process = bench.startInOwnGroup(fake, "-p", "--session-id", "1");

            Invocation call = fake.stall(0).awaitArrival(SOON);

            Descendant grandchild = call.kid("grandchild");
            assertThat(call.ids().pid()).isEqualTo(process.pid());
            assertThat(call.ids().pgid()).isEqualTo(process.pid());
            assertThat(grandchild.mode()).isEqualTo(SpawnMode.CHILD);
            assertThat(grandchild.ids().pgid()).isEqualTo(process.pid());
            assertThat(grandchild.ids().ppid()).isEqualTo(process.pid());
            assertThat(grandchild.isAlive()).isTrue();
            assertThat(List.of(Proc.target(grandchild, 0), Proc.target(grandchild, 1), Proc.target(grandchild, 2)))
                    .containsOnly("/dev/null");
            assertThat(process.getInputStream().available()).isZero();
            assertThat(process.getErrorStream().available()).isZero();

            // What the daemon of the seed does: TERM to the direct child alone. It has no handler and dies of it ...
            process.destroy();
            assertThat(Bench.code(process)).isEqualTo(128 + 15);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
            // ... and leaves the descendant, in the dead leader's group.
            assertThat(grandchild.isAlive()).isTrue();
            assertThat(Proc.group(grandchild)).isEqualTo(process.pid());
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_15_a_term_to_the_group_ends_attempt_0_and_its_descendant(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());
            Process process = bench.startInOwnGroup(fake, "--session-id", "1");
            Invocation call = fake.stall(0).awaitArrival(SOON);

            Bench.signalGroup(Signal.TERM, process, call);

            await().atMost(SOON)
                    .until(() -> !call.isAlive() && !call.kid("grandchild").isAlive());
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_15_left_alone_attempt_0_ends_with_0(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());
            Process process = bench.start(fake, "--session-id", "1");
            fake.stall(0).awaitArrival(SOON);

            fake.stall(0).release();

            assertThat(Bench.code(process)).isZero();
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Exited(0));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_16_later_attempts_print_init_and_one_message_that_ends_its_turn_and_exit_0(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(seed());
            bench.start(fake, "--session-id", "1");
            fake.stall(0).awaitArrival(SOON);

            long before = System.nanoTime();
            Bench.Output output = bench.run(fake, "--session-id", "2");
            Duration took = Duration.ofNanos(System.nanoTime() - before);

            assertThat(output.code()).isZero();
            assertThat(output.err()).isEmpty();
            assertThat(took).isGreaterThan(Duration.ofMillis(20));
            List<JsonObject> lines = output.out()
                    .lines()
                    .map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .toList();
            assertThat(lines)
                    .extracting(line -> line.get("type").getAsString())
                    .containsExactly("system", "assistant", "result");
            assertThat(lines.get(0).get("subtype").getAsString()).isEqualTo("init");
            JsonObject message = lines.get(1).getAsJsonObject("message");
            assertThat(message.get("stop_reason").getAsString()).isEqualTo("end_turn");
            assertThat(message.getAsJsonArray("content")
                            .get(0)
                            .getAsJsonObject()
                            .get("text")
                            .getAsString())
                    .isEqualTo("Recovered after retry.");
            assertThat(fake.journal().awaitEnd(1, SOON).end()).isEqualTo(new End.Exited(0));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void S1_16_output_is_there_before_the_fake_ends(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(
                    FakeCli.persona(Persona.CLAUDE).attempt(a -> a.say(init()).stall()));
            Process process = bench.start(fake);

            String line = process.inputReader().readLine();

            assertThat(line).startsWith("{\"type\":\"system\",\"subtype\":\"init\"");
            assertThat(process.isAlive()).isTrue();
        }
    }
}
