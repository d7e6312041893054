/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import java.io.BufferedReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

class WaitTests {
    private static final String SHELLS = "org.noorphans.fakecli.WaitTests#shells";

    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    @Nested
    class A_stall {
        @ParameterizedTest
        @MethodSource(SHELLS)
        void is_ended_by_term(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(Steps::stall));
                Process process = bench.start(fake);
                fake.stall(0).awaitArrival(SOON);

                process.destroy();

                assertThat(Bench.code(process)).isEqualTo(128 + 15);
                assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
                fake.verify();
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void goes_on_with_the_next_step_when_released(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake =
                        bench.install(plain().attempt(a -> a.stall().out("on").exit(3)));
                Process process = bench.start(fake);
                fake.stall(0).awaitArrival(SOON);

                fake.stall(0).release();
                fake.stall(0).release();

                assertThat(Bench.output(process)).isEqualTo(new Bench.Output("on\n", "", 3));
                fake.verify();
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void outlives_the_end_of_a_child(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(
                                a -> a.spawn("kid", SpawnMode.CHILD).stall().exit(7)));
                Process process = bench.start(fake);
                Invocation call = fake.stall(0).awaitArrival(SOON);

                Bench.signal(Signal.TERM, call.kid("kid").ids());
                await().atMost(SOON).until(() -> !call.kid("kid").isAlive());

                assertThat(fake.journal().awaitAttempt(0, SOON).end()).isEqualTo(new End.Running());
                fake.stall(0).release();
                assertThat(Bench.code(process)).isEqualTo(7);
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void withstands_the_signals_that_the_fake_ignores(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(
                                a -> a.ignore(Signal.TERM, Signal.HUP).stall().exit(5)));
                Process process = bench.start(fake);
                Invocation call = fake.stall(0).awaitArrival(SOON);

                Bench.signal(Signal.TERM, call.ids());
                Bench.signal(Signal.HUP, call.ids());
                fake.stall(0).release();

                assertThat(Bench.code(process)).isEqualTo(5);
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void is_shared_by_the_repetitions_of_the_last_attempt(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(Steps::stall).onExhausted(OnExhausted.REPEAT_LAST));
                List<Process> three = List.of(bench.start(fake), bench.start(fake), bench.start(fake));
                for (int i = 0; i < 3; i++) {
                    fake.journal().awaitEvent(i, "stall", SOON);
                }

                fake.stall(0).release();

                assertThat(three)
                        .allSatisfy(each -> assertThat(Bench.code(each)).isZero());
                assertThat(bench.run(fake).code()).isZero();
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void ends_with_the_jvm_that_installed_it(Path shell) throws Exception {
            try (Bench bench = Bench.under(shell, directory)) {
                Process owner = bench.start(owner(shell));
                BufferedReader said = owner.inputReader();
                Path executable = Path.of(said.readLine());
                Journal journal = new Journal("orphaned", Path.of(said.readLine()));
                Process process = bench.start(List.of(executable.toString()));
                journal.awaitEvent(0, "stall", SOON);

                owner.destroyForcibly();

                assertThat(Bench.code(process)).isEqualTo(98);
                Invocation call = journal.awaitEnd(0, SOON);
                assertThat(call.flags()).containsExactly("ownerGone");
                assertThat(call.events()).containsExactly("stall");
            }
        }

        /** A program that installs a fake, says where, and waits for its end. */
        private List<String> owner(Path shell) throws Exception {
            Path source = directory.resolve("Owner.java");
            Files.writeString(source, """
                    import java.nio.file.Path;
                    import org.noorphans.fakecli.FakeCli;
                    import org.noorphans.fakecli.model.Persona;
                    import org.noorphans.fakecli.internal.install.HostTools;
                    import org.noorphans.fakecli.internal.install.Installation;
                    import org.noorphans.fakecli.internal.install.Installer;

                    class Owner {
                        public static void main(String[] args) throws Exception {
                            Installer installer = Installer.on(HostTools.ofThisMachine().withShell(Path.of(args[1])));
                            Installation fake = installer.install(
                                    FakeCli.persona(Persona.PLAIN).attempt(a -> a.stall().out("never").exit(0)).attempt(a -> a.exit(0)).scenario(),
                                    Path.of(args[0]));
                            System.out.println(fake.executable());
                            System.out.println(fake.records());
                            System.in.read();
                            System.out.println(fake);
                        }
                    }
                    """);
            URI classes = FakeCli.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Djava.io.tmpdir=" + directory,
                    "-cp",
                    Path.of(classes).toString(),
                    source.toString(),
                    directory.toString(),
                    shell.toString());
        }
    }

    @Nested
    class A_gate {
        @ParameterizedTest
        @MethodSource(SHELLS)
        void holds_all_who_come_before_it_is_opened_and_nobody_after(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(
                                a -> a.gate("both-started").out("first").exit(0))
                        .attempt(a -> a.gate("both-started").out("second").exit(0))
                        .attempt(a -> a.gate("both-started").out("late").exit(0)));
                Process first = bench.start(fake);
                fake.journal().awaitEvent(0, "gate both-started", SOON);
                Process second = bench.start(fake);
                fake.journal().awaitEvent(1, "gate both-started", SOON);
                assertThat(fake.gate("both-started").awaitArrival(SOON).end()).isEqualTo(new End.Running());

                fake.gate("both-started").release();

                assertThat(Bench.output(first).out()).isEqualTo("first\n");
                assertThat(Bench.output(second).out()).isEqualTo("second\n");
                assertThat(bench.run(fake).out()).isEqualTo("late\n");
                fake.verify();
            }
        }

        @Test
        void is_refused_if_the_scenario_has_none_of_the_name() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)));

                assertThatThrownBy(() -> fake.gate("x")).hasMessage("no step of the scenario is a gate named \"x\"");
                assertThatThrownBy(() -> fake.stall(0)).hasMessage("attempt 0 has no stall step");
            }
        }

        @Test
        void that_nobody_reaches_fails_the_wait_and_says_what_there_was() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.exit(4)).attempt(a -> a.gate("g").exit(0)));
                bench.run(fake, "-x");

                assertThatThrownBy(() -> fake.gate("g").awaitArrival(Duration.ofMillis(10)))
                        .isInstanceOf(AssertionError.class)
                        .hasMessage("waited 10 ms for the arrival at \"gate g\" of fake fake, but there were only: "
                                + "[fake attempt 0 [-x] [] Exited[code=4]]");
            }
        }
    }

    @Nested
    class A_delay {
        @ParameterizedTest
        @MethodSource(SHELLS)
        void takes_at_least_its_time(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.delay(Duration.ofMillis(600)).exit(0)));

                long before = System.nanoTime();
                assertThat(bench.run(fake)).isEqualTo(new Bench.Output("", "", 0));

                assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(600));
                assertThat(fake.journal().awaitAttempt(0, SOON).helpers()).hasSize(3);
                fake.verify();
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void gives_way_to_term_at_once_and_leaves_no_helper(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.delay(Duration.ofMinutes(1)).exit(0)));
                Process process = bench.start(fake);
                await().atMost(SOON)
                        .until(() ->
                                !fake.journal().awaitAttempt(0, SOON).helpers().isEmpty());

                Bench.signal(Signal.TERM, fake.journal().awaitAttempt(0, SOON).ids());

                // Both ends are seen: nothing holds the streams.
                assertThat(Bench.output(process)).isEqualTo(new Bench.Output("", "", 128 + 15));
                assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
                fake.verify();
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void leaves_a_helper_for_a_moment_only_when_killed_and_it_holds_no_stream(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.delay(Duration.ofMinutes(1)).exit(0)));
                Process process = bench.start(fake);
                await().atMost(SOON)
                        .until(() ->
                                !fake.journal().awaitAttempt(0, SOON).helpers().isEmpty());

                Bench.signal(Signal.KILL, fake.journal().awaitAttempt(0, SOON).ids());

                assertThat(Bench.output(process)).isEqualTo(new Bench.Output("", "", 128 + 9));
                fake.verify(SOON);
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void is_not_cut_short_by_an_ignored_signal(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> a.ignore(Signal.TERM)
                        .gate("g")
                        .delay(Duration.ofMillis(300))
                        .exit(6)));
                Process process = bench.start(fake);
                Invocation call = fake.gate("g").awaitArrival(SOON);
                fake.gate("g").release();
                await().atMost(SOON)
                        .until(() ->
                                !fake.journal().awaitAttempt(0, SOON).helpers().isEmpty());

                if (call.isAlive()) {
                    process.destroy();
                }

                assertThat(Bench.code(process)).isEqualTo(6);
            }
        }

        @Test
        void of_nothing_starts_no_helper() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.delay(Duration.ZERO).exit(0)));

                bench.run(fake);

                assertThat(fake.journal().awaitAttempt(0, SOON).helpers()).isEmpty();
            }
        }
    }
}
