/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Bench.SOON;
import static org.noorphans.fakecli.model.When.when;

import java.io.BufferedReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.internal.install.HostTools;
import org.noorphans.fakecli.internal.install.Installed;
import org.noorphans.fakecli.internal.install.Installer;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

/** A fake that plays a dialogue, as a process. */
class DialogueTests {
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"go\"}";

    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder acp() {
        return FakeCli.persona(Persona.ACP).name("agent");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void is_recorded_like_any_other_call(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(acp().aux(
                            "helper", when().argvAny("helper"), s -> s.out("{}").exit(0))
                    .attempt(a -> a.dialogue(d -> d.expect("go"))
                            .err("working")
                            .out("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}")
                            .json(Map.of("a", 1))
                            .partial("it's ")
                            .partial("done\n")
                            .exit(7)));
            assertThat(bench.run(fake, "--version").out()).isEqualTo("1.0.0\n");
            assertThat(bench.run(fake, "helper").out()).isEqualTo("{}\n");
            Process process = bench.start(fake, "--acp", "it's", "");

            process.getOutputStream().write((CALL + "\n").getBytes(UTF_8));
            Bench.Output output = Bench.output(process);

            assertThat(output.out()).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n{\"a\":1}\nit's done\n");
            assertThat(output.err()).isEqualTo("working\n");
            assertThat(output.code()).isEqualTo(7);
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.ids().pid()).isEqualTo(process.pid());
            assertThat(call.arguments()).containsExactly("--acp", "it's", "");
            assertThat(call.attempt()).hasValue(0);
            assertThat(call.end()).isEqualTo(new End.Exited(7));
            assertThat(call.events()).contains("expect go");
            Path records = fake.journal().recordsDirectory();
            assertThat(records.resolve(Integer.toString(call.sequence())).resolve("stdin"))
                    .hasContent(CALL + "\n");
        }
    }

    @Test
    void needs_no_end_and_leaves_when_the_client_closes_standard_input() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(
                            a -> a.dialogue(d -> d.expect("go").reply(Map.of("ok", true)))));
            Process process = bench.start(fake);
            Wire wire = new Wire(process);

            assertThat(wire.send(CALL).receive().toString())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}");
            assertThat(process.isAlive()).isTrue();
            wire.closeInput();

            assertThat(Bench.code(process)).isZero();
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Exited(0));
            fake.verify();
        }
    }

    @Test
    void says_so_when_the_client_leaves_too_early() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.expect("go"))));

            Bench.Output output = bench.run(fake);

            assertThat(output)
                    .isEqualTo(new Bench.Output(
                            "", "fake: standard input ended, but the scenario waits at: expect go\n", 98));
            assertThat(fake.journal().awaitEnd(0, SOON).flags()).containsExactly("inputEnded");
        }
    }

    @Test
    void takes_no_options_from_the_environment() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    acp().attempt(a -> a.dialogue(d -> d.expect("go").reply(Map.of()))));
            Process process = bench.start(List.of(
                    "env",
                    "-i",
                    "JAVA_TOOL_OPTIONS=-Dno.such=1",
                    "_JAVA_OPTIONS=-Dno.such=2",
                    "JDK_JAVA_OPTIONS=-Dno.such=3",
                    fake.path().toString()));
            process.getOutputStream().write((CALL + "\n").getBytes(UTF_8));

            assertThat(Bench.output(process))
                    .isEqualTo(new Bench.Output("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", "", 0));
        }
    }

    /** Without QUIT: a JVM, such as that of the tests, blocks it in all that it starts, and that is inherited. */
    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SEGV", "ILL", "FPE", "QUIT"})
    void crashes_by_a_real_signal(Signal signal) {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    acp().attempt(a -> a.dialogue(d -> d.expect("go")).crash(signal))
                            .onExhausted(OnExhausted.REPEAT_LAST));
            // Python tells a signal from a number that only looks like one.
            Process process = bench.start(List.of(
                    "python3",
                    "-c",
                    "import subprocess, sys; print(subprocess.run(sys.argv[1:], stdin=sys.stdin).returncode)",
                    fake.path().toString()));
            Wire wire = new Wire(process);
            wire.raw(CALL + "\n");

            assertThat(wire.line()).startsWith("-");
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.end()).isEqualTo(new End.Crashed(signal));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            names = {"HUP", "INT", "TERM"})
    void is_ended_by_a_signal_that_it_says_nothing_about(Signal signal) {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    acp().attempt(a -> a.dialogue(d -> d.expect("go")).stall()));
            Process process = bench.start(fake);
            new Wire(process).raw(CALL + "\n");
            Invocation call = fake.stall(0).awaitArrival(SOON);

            Bench.signal(signal, call.ids());

            assertThat(Bench.code(process)).isGreaterThan(128);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
        }
    }

    @Test
    void ignores_a_signal_and_notes_it_and_its_descendants_do_not_inherit_that() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.ignore(Signal.TERM, Signal.INT)
                    .dialogue(d -> d.expect("go"))
                    .spawn("kid", SpawnMode.CHILD)
                    .gate("signalled")
                    .exit(3)));
            Process process = bench.start(fake);
            new Wire(process).raw(CALL + "\n");
            Invocation call = fake.gate("signalled").awaitArrival(SOON);

            Bench.signal(Signal.TERM, call.ids());
            Bench.signal(Signal.INT, call.ids());
            fake.journal().awaitEvent(0, "signal TERM ignored", SOON);
            fake.journal().awaitEvent(0, "signal INT ignored", SOON);
            assertThat(Proc.ignores(call.kid("kid"), 15)).isFalse();
            Bench.signal(Signal.HUP, call.kid("kid").ids());
            fake.gate("signalled").release();

            assertThat(Bench.code(process)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(SpawnMode.class)
    void has_descendants_like_any_other_fake(SpawnMode mode) {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.expect("go"))
                    .spawn("kid", mode, o -> o.ignore(Signal.TERM))
                    .stall()));
            Process process = bench.startInOwnGroup(fake);
            new Wire(process).raw(CALL + "\n");

            Invocation call = fake.stall(0).awaitArrival(SOON);

            Descendant kid = call.kid("kid");
            assertThat(kid.mode()).isEqualTo(mode);
            assertThat(kid.isAlive()).isTrue();
            boolean child = mode == SpawnMode.CHILD || mode == SpawnMode.NEW_GROUP || mode == SpawnMode.NEW_SESSION;
            assertThat(Proc.parent(kid) == process.pid()).isEqualTo(child);
            assertThat(Proc.group(kid) == process.pid()).isEqualTo(mode == SpawnMode.CHILD || mode == SpawnMode.ORPHAN);
            assertThat(Proc.session(kid) == process.pid())
                    .isEqualTo(mode == SpawnMode.CHILD || mode == SpawnMode.ORPHAN || mode == SpawnMode.NEW_GROUP);
            assertThat(Proc.ignores(kid, 15)).isTrue();
            assertThat(List.of(Proc.target(kid, 0), Proc.target(kid, 1), Proc.target(kid, 2)))
                    .containsOnly("/dev/null");
            assertThat(Proc.command(kid)).contains("sleep");
        }
    }

    @Test
    void dies_of_a_closed_standard_output_like_any_other_program() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(
                            a -> a.dialogue(d -> d.expect("go").heartbeat(Duration.ofMillis(5), Acp.text(".")))));
            Process process = bench.start(fake);
            process.getInputStream().close();
            process.getOutputStream().write((CALL + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();

            assertThat(Bench.code(process)).isEqualTo(128 + 13);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
        }
    }

    @Test
    void ends_with_the_jvm_that_installed_it_whatever_it_does() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            Process owner = bench.start(owner());
            BufferedReader said = owner.inputReader();
            Path executable = Path.of(said.readLine());
            Journal journal = new Journal("orphaned", Path.of(said.readLine()));
            Process waits = bench.start(List.of(executable.toString()));
            Process beats = bench.start(List.of(executable.toString()));
            Process stalls = bench.start(List.of(executable.toString()));
            List<Process> all = List.of(waits, beats, stalls);
            for (Process each : all) {
                new Wire(each).raw(CALL + "\n");
            }
            for (int i = 0; i < all.size(); i++) {
                journal.awaitEvent(i, "expect go", SOON);
            }

            owner.destroyForcibly();

            for (int i = 0; i < all.size(); i++) {
                assertThat(Bench.code(all.get(i))).isEqualTo(98);
                assertThat(journal.awaitEnd(i, SOON).flags()).containsExactly("ownerGone");
            }
        }
    }

    @Test
    void without_an_owner_its_gates_open_and_its_time_is_limited() throws Exception {
        Installer installer = Installer.on(HostTools.ofThisMachine());
        Path executable = installer.installForGood(
                acp().attempt(a -> a.dialogue(d -> d.expect("go")).gate("g").exit(4))
                        .attempt(a -> a.dialogue(d -> d.expect("never")))
                        .scenario(),
                directory,
                Duration.ofSeconds(6));
        Installed installed = Installed.at(executable);
        Journal journal = new Journal("agent", installed.records());
        try (Bench bench = Bench.in(directory)) {
            Process first = bench.start(List.of(executable.toString()));
            new Wire(first).raw(CALL + "\n");
            journal.awaitEvent(0, "gate g", SOON);
            installed.release("g");
            assertThat(Bench.code(first)).isEqualTo(4);

            Process second = bench.start(List.of(executable.toString()));
            assertThat(Bench.code(second)).isEqualTo(98);
            assertThat(journal.awaitEnd(1, SOON).flags()).containsExactly("lifeOver");
        }
    }

    private List<String> owner() throws Exception {
        Path source = directory.resolve("Owner.java");
        Files.writeString(source, """
                import java.nio.file.Path;
                import java.time.Duration;
                import org.noorphans.fakecli.Acp;
                import org.noorphans.fakecli.FakeCli;
                import org.noorphans.fakecli.model.Persona;
                import org.noorphans.fakecli.internal.install.HostTools;
                import org.noorphans.fakecli.internal.install.Installation;
                import org.noorphans.fakecli.internal.install.Installer;

                class Owner {
                    public static void main(String[] args) throws Exception {
                        Installation fake = Installer.on(HostTools.ofThisMachine()).install(
                                FakeCli.persona(Persona.ACP)
                                        .attempt(a -> a.dialogue(d -> d.expect("go").expect("never")))
                                        .attempt(a -> a.dialogue(d -> d.expect("go")
                                                .heartbeat(Duration.ofMillis(5), Acp.text("."))))
                                        .attempt(a -> a.dialogue(d -> d.expect("go")).stall())
                                        .scenario(),
                                Path.of(args[0]));
                        System.out.println(fake.executable());
                        System.out.println(fake.records());
                        System.in.read();
                        System.out.println(fake);
                    }
                }
                """);
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                place(FakeCli.class) + ":" + place(com.google.gson.Gson.class),
                source.toString(),
                directory.toString());
    }

    private static Path place(Class<?> type) throws Exception {
        URI location = type.getProtectionDomain().getCodeSource().getLocation().toURI();
        return Path.of(location);
    }
}
