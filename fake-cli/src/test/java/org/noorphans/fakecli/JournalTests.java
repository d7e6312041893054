/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;

class JournalTests {
    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    @ParameterizedTest
    @MethodSource("shells")
    void tells_everything_about_a_call(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.gate("g").exit(2)));
            String[] odd = {"", " ", "a\nb\n", "it's", "\"$HOME\"", "*", "-n", "日本", "\\0"};
            Process process = bench.start(fake, odd);
            fake.gate("g").awaitArrival(SOON);
            long parent = ProcessHandle.current().pid();

            assertThat(fake.journal().awaitAttempt(0, SOON).end()).isEqualTo(new End.Running());
            fake.gate("g").release();
            Invocation call = fake.journal().awaitEnd(0, SOON);

            assertThat(call.sequence()).isZero();
            assertThat(call.className()).hasValue("run");
            assertThat(call.attempt()).isEqualTo(OptionalInt.of(0));
            assertThat(call.argv().get(0)).isEqualTo(fake.path().toString());
            assertThat(call.arguments()).containsExactly(odd);
            assertThat(call.cwd()).hasValue(directory.toRealPath().toString());
            assertThat(call.ids().pid()).isEqualTo(process.pid());
            assertThat(call.ids().ppid()).isEqualTo(parent);
            assertThat(call.stdin().policy()).isEqualTo(StdinPolicy.NONE);
            assertThat(call.kids()).isEmpty();
            assertThat(call.helpers()).isEmpty();
            assertThat(call.events()).containsExactly("gate g");
            assertThat(call.flags()).isEmpty();
            assertThat(call.end()).isEqualTo(new End.Exited(2));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void takes_more_calls_than_were_prepared_for(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)).onExhausted(OnExhausted.REPEAT_LAST));

            for (int i = 0; i < 40; i++) {
                assertThat(bench.run(fake, Integer.toString(i)).code()).isZero();
            }

            List<Invocation> all = fake.journal().all();
            assertThat(all).hasSize(40);
            assertThat(all).allSatisfy(call -> {
                assertThat(call.arguments()).containsExactly(Integer.toString(call.sequence()));
                assertThat(call.attempt()).hasValue(call.sequence());
            });
        }
    }

    @Test
    void names_what_it_has_when_asked_for_a_descendant_that_is_not_there() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    plain().attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()));
            bench.start(fake);
            Invocation call = fake.stall(0).awaitArrival(SOON);

            assertThatThrownBy(() -> call.kid("mpc"))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessage("no descendant \"mpc\" recorded; recorded are [mcp]");
        }
    }

    @Test
    void takes_a_zombie_for_dead() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    plain().attempt(a -> a.spawn("kid", SpawnMode.CHILD).stall()));
            bench.start(fake);
            Descendant kid = fake.stall(0).awaitArrival(SOON).kid("kid");

            // The stalled shell does not wait for its child, so it stays as a zombie, which signal 0 still finds.
            Bench.signal(Signal.KILL, kid.ids());

            await().atMost(SOON).until(() -> !kid.isAlive());
            assertThat(ProcessHandle.of(kid.pid())).isPresent();
            assertThat(fake.journal().survivors()).extracting(LiveProcess::what).containsExactly("fake attempt 0");
        }
    }

    @Test
    void gives_up_waiting_for_an_attempt_that_does_not_come() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)));

            assertThatThrownBy(() -> fake.journal().awaitAttempt(0, Duration.ofMillis(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("waited 1 ms for attempt 0 of fake fake, but there were only: []");
        }
    }
}
