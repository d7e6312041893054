/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.noorphans.fakecli.Bench.SOON;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.internal.install.HostTools;
import org.noorphans.fakecli.internal.install.Installer;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.FakeCliInstallException;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

class InstallTests {
    @TempDir
    private Path directory;

    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    /** A file that counts as a program; never started. */
    private static Path program(Path file) throws IOException {
        return Files.createFile(
                file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private static Set<Path> list(Path where) {
        try (Stream<Path> files = Files.list(where)) {
            return files.collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Nested
    class Refused {
        private void assertRefused(Path where, Installer installer, FakeCliBuilder builder, String message) {
            assertThatThrownBy(() -> FakeCli.install(builder.scenario(), where, installer))
                    .isInstanceOf(FakeCliInstallException.class)
                    .hasMessage(message);
        }

        private final Installer here = Installer.on(HostTools.ofThisMachine());

        @Test
        void is_a_directory_that_does_not_exist() {
            Path missing = directory.resolve("bin");

            assertRefused(
                    missing,
                    here,
                    plain().attempt(Steps::stall),
                    "cannot install fake in " + missing + ": it is not a directory; create it first");
            assertThat(missing).doesNotExist();
        }

        @Test
        void is_a_directory_that_is_not_writable() {
            // In /proc no file can be created, not even by root; whether access(2) says so depends on the user.
            Path where = Path.of("/proc/self");

            assertThatThrownBy(() -> plain().attempt(a -> a.exit(0)).install(where))
                    .isInstanceOf(FakeCliInstallException.class)
                    .hasMessageContaining("/proc/self")
                    .hasMessageEndingWith("choose another directory");
        }

        @Test
        void is_a_name_that_is_taken_and_the_other_file_stays() throws Exception {
            Path other = Files.writeString(directory.resolve("fake"), "mine");

            assertRefused(
                    directory,
                    here,
                    plain().attempt(a -> a.exit(0)),
                    "cannot install " + other
                            + ": the name is taken; close the other fake, or choose another name or directory");
            assertThat(other).hasContent("mine");
        }

        @Test
        void is_a_step_whose_program_is_missing() throws Exception {
            Path tools = Files.createDirectory(directory.resolve("tools"));
            program(tools.resolve("mkdir"));
            program(tools.resolve("sleep"));
            Installer poor = Installer.on(new HostTools(Path.of("/bin/sh"), List.of(tools)));

            assertRefused(
                    directory,
                    poor,
                    plain().attempt(a ->
                            a.out("x").spawn("mcp", SpawnMode.NEW_SESSION).exit(0)),
                    "setsid or perl or python3 is needed for class run, attempt 0, step 2 (spawn mcp NEW_SESSION), but was"
                            + " not found in " + tools + "; install one of them or leave the step out");
            assertRefused(
                    directory,
                    poor,
                    plain().attempt(a -> a.spawn("mcp", SpawnMode.NEW_GROUP).exit(0)),
                    "perl or python3 is needed for class run, attempt 0, step 1 (spawn mcp NEW_GROUP), but was not found"
                            + " in " + tools + "; install one of them or leave the step out");
            assertRefused(
                    directory,
                    poor,
                    plain().attempt(Steps::stall),
                    "mkfifo is needed for class run, attempt 0, step 1 (stall), but was not found in " + tools
                            + "; install it or leave the step out");
            assertThat(list(directory)).containsExactly(tools);
        }

        @Test
        void is_a_shell_that_is_missing_or_has_an_unusable_path() throws Exception {
            Path blank = program(directory.resolve("my sh"));

            assertRefused(
                    directory,
                    Installer.on(HostTools.ofThisMachine().withShell(directory.resolve("none"))),
                    plain().attempt(a -> a.exit(0)),
                    "the shell " + directory.resolve("none")
                            + " cannot be used: give the absolute path of an executable, such as /bin/sh");
            assertRefused(
                    directory,
                    Installer.on(HostTools.ofThisMachine().withShell(blank)),
                    plain().attempt(a -> a.exit(0)),
                    "the shell " + blank
                            + " cannot be used: a first line #!… takes at most 124 characters without blanks;"
                            + " link to it from a shorter path");
        }
    }

    @Nested
    class An_installed_fake {
        @Test
        void leaves_nothing_in_the_temporary_directory_when_closed() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.spawn("kid", SpawnMode.DAEMON).stall()));
                Path data = fake.journal().recordsDirectory().getParent();
                assertThat(data).exists();
                assertThat(bench.files()).containsExactly(fake.path());

                fake.close();
                fake.close();

                assertThat(data).doesNotExist();
                assertThat(bench.files()).isEmpty();
            }
        }

        @Test
        void runs_from_places_with_odd_names_and_without_an_environment() throws Exception {
            Path odd = Files.createDirectory(directory.resolve("it's a $(dir)\n"));
            try (Bench bench = Bench.in(odd)) {
                FakeCli fake = bench.install(FakeCli.persona(Persona.CLAUDE)
                        .attempt(a -> a.spawn("kid", SpawnMode.NEW_GROUP)
                                .delay(Duration.ofMillis(1))
                                .say(Claude.init())
                                .exit(0)));

                Process process =
                        bench.start(List.of("/usr/bin/env", "-i", fake.path().toString()));

                assertThat(Bench.output(process).out()).contains("it's a $(dir)\\n\"");
                Invocation call = fake.journal().awaitEnd(0, SOON);
                assertThat(call.cwd()).hasValue(odd.toRealPath().toString());
                assertThat(call.argv()).containsExactly(fake.path().toString());
            }
        }

        @Test
        void can_always_be_started_at_once_while_other_threads_start_processes() throws Exception {
            // ETXTBSY: of executables that the JVM writes itself, 2 in 100 fail to start here.
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                List<Callable<Integer>> work = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    String name = "fake-" + i;
                    work.add(() -> {
                        int good = 0;
                        for (int n = 0; n < 10; n++) {
                            try (FakeCli fake =
                                    plain().name(name).attempt(a -> a.exit(0)).install(directory)) {
                                Process process = new ProcessBuilder(fake.path().toString()).start();
                                good += Bench.code(process) == 0 ? 1 : 0;
                            }
                        }
                        return good;
                    });
                }
                for (var done : threads.invokeAll(work)) {
                    assertThat(done.get()).isEqualTo(10);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(list(directory)).isEmpty();
        }
    }

    @Nested
    class Closing {
        @Test
        void ends_what_ignores_signals_and_what_left_its_group() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> {
                    a.ignore(Signal.TERM, Signal.HUP, Signal.INT, Signal.QUIT);
                    for (SpawnMode mode : SpawnMode.values()) {
                        a.spawn(mode.name(), mode, o -> o.ignore(Signal.TERM, Signal.HUP));
                    }
                    a.delay(Duration.ofMinutes(1)).exit(0);
                }));
                Process process = bench.start(fake);
                Invocation call = fake.journal().awaitEvent(0, "spawn DAEMON", SOON);
                assertThat(call.kids()).hasSize(SpawnMode.values().length);

                fake.close();

                assertThat(Bench.code(process)).isEqualTo(128 + 9);
                assertThat(call.kids()).noneMatch(Descendant::isAlive);
            }
        }

        @Test
        void lets_a_stalled_fake_end_without_taking_further_steps() {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.stall().out("never").exit(0)));
                Process process = bench.start(fake);
                fake.stall(0).awaitArrival(SOON);

                fake.close();

                assertThat(Bench.output(process)).isEqualTo(new Bench.Output("", "", 98));
            }
        }

        @Test
        void spares_a_process_that_has_a_recorded_number_but_another_start() throws Exception {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)));
                Process bystander = bench.start(List.of("sleep", "60"));
                bench.run(fake);
                Files.writeString(
                        fake.journal().recordsDirectory().resolve("0/kid.0"),
                        "kid CHILD " + bystander.pid() + " 1 1 1 1\n");
                assertThat(fake.journal().awaitAttempt(0, SOON).kids()).hasSize(1);

                fake.close();

                assertThat(bystander.isAlive()).isTrue();
            }
        }
    }
}
