/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;

class StepTests {
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
    void bytes_replay_and_flood_are_exact(Path shell) throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        Path recording = Files.write(directory.resolve("recording"), all);
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.bytes(all)
                            .replay(recording)
                            .flood(OutputStep.Stream.ERR, 3000)
                            .exit(0))
                    .attempt(a -> a.flood(OutputStep.Stream.OUT, 1).exit(0)));

            Process process = bench.start(fake);
            byte[] out = process.getInputStream().readAllBytes();
            byte[] err = process.getErrorStream().readAllBytes();

            assertThat(out).hasSize(512).startsWith(all).endsWith(all);
            assertThat(new String(err, StandardCharsets.UTF_8)).hasSize(3000).matches("(x{1023}\n){2}x{951}\n");
            assertThat(bench.run(fake).out()).isEqualTo("\n");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void variables_are_filled_in_and_escaped_in_json(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.out(
                            "${sessionId} ${model} ${attempt} ${pid} ${arg:--m} ${env:FAKE_TEST} $${x} $HOME")
                    .json(Map.of("a", "${arg:--m}"))
                    .partial("${cwd}")
                    .out("${uuid}")
                    .exit(0)));
            ProcessBuilder builder = new ProcessBuilder(
                            fake.path().toString(), "--session-id=s", "--model", "big", "--m", "a\"b\\", "x")
                    .directory(directory.toFile());
            builder.environment().put("FAKE_TEST", "of env");
            Process process = builder.start();
            Bench.Output output = Bench.output(process);

            List<String> lines = output.out().lines().toList();
            assertThat(lines.get(0)).isEqualTo("s big 0 " + process.pid() + " a\"b\\ of env ${x} $HOME");
            assertThat(lines.get(1)).isEqualTo("{\"a\":\"a\\\"b\\\\\"}");
            assertThat(lines.get(2)).startsWith(directory.toRealPath().toString());
            assertThat(lines.get(2)).matches(".*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_burst_arrives_at_the_end_and_not_before(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.burst()
                    .out("one")
                    .spawn("holder", SpawnMode.ORPHAN, o -> o.holdStdout().life(Duration.ofSeconds(60)))
                    .gate("g")
                    .partial("two")
                    .exit(3)));
            Process process = bench.start(fake);
            Invocation call = fake.gate("g").awaitArrival(SOON);
            assertThat(process.getInputStream().available()).isZero();

            fake.gate("g").release();

            assertThat(Bench.code(process)).isEqualTo(3);
            assertThat(new String(process.getInputStream().readNBytes(7), StandardCharsets.UTF_8))
                    .isEqualTo("one\ntwo");
            Bench.signal(Signal.KILL, call.kid("holder").ids());
            assertThat(process.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void heartbeats_busy_time_and_speed(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.speed(10)
                            .heartbeat(Duration.ofMillis(100), ".", 3)
                            .busy(Duration.ofSeconds(2))
                            .exit(0))
                    .attempt(a -> a.heartbeat(Duration.ofMillis(5), "beat")));
            long start = System.nanoTime();
            assertThat(bench.run(fake).out()).isEqualTo(".\n.\n.\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(220));

            Process endless = bench.start(fake);
            Invocation call = fake.journal().awaitAttempt(1, SOON);
            await().atMost(SOON).until(() -> endless.getInputStream().available() > 10);
            Bench.signal(Signal.TERM, call.ids());
            Bench.code(endless);
            assertThat(fake.journal().awaitEnd(1, SOON).end()).isEqualTo(new End.Missing());
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void standard_input_is_read_as_far_as_told_and_kept_if_told(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.saveStdin(StdinPolicy.LINE)
                            .out("line")
                            .stdin(StdinPolicy.EOF)
                            .exit(0))
                    .attempt(a -> a.saveStdin(StdinPolicy.EOF).exit(0))
                    .attempt(a -> a.stdin(StdinPolicy.CLOSE).gate("closed").exit(0)));
            Process process = bench.start(fake);
            process.getOutputStream().write("it's \\n \"one\"  \ntwo\n".getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            assertThat(process.inputReader().readLine()).isEqualTo("line");
            process.getOutputStream().close();
            assertThat(Bench.code(process)).isZero();
            Process second = bench.start(fake);
            second.getOutputStream().write("a\n\nb".getBytes(StandardCharsets.UTF_8));
            second.getOutputStream().close();
            assertThat(Bench.code(second)).isZero();
            bench.start(fake);
            Invocation closed = fake.gate("closed").awaitArrival(SOON);
            fake.gate("closed").release();

            Invocation.Input first = fake.journal().awaitEnd(0, SOON).stdin();
            assertThat(first.text()).hasValue("it's \\n \"one\"  \n");
            assertThat(first.eof()).isTrue();
            Invocation.Input all = fake.journal().awaitEnd(1, SOON).stdin();
            assertThat(all.text()).hasValue("a\n\nb");
            assertThat(all.bytes()).isEqualTo(4);
            assertThat(all.sha256().orElseThrow()).hasSize(64);
            assertThat(closed.stdin().policy()).isEqualTo(StdinPolicy.CLOSE);
            fake.verify(SOON);
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_handled_signal_is_noted_and_the_fake_goes_on_until_a_handler_ends_it(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.log(Signal.USR1)
                            .on(Signal.HUP, h -> h.out("hup").delay(Duration.ofMillis(10)))
                            .on(
                                    Signal.TERM,
                                    h -> h.err("bye")
                                            .delay(Duration.ofMillis(20))
                                            .exit(143))
                            .stall())
                    .attempt(a -> a.log(Signal.TERM)
                            .delay(Duration.ofMillis(700))
                            .out("on")
                            .exit(0))
                    .attempt(a -> a.log(Signal.TERM).saveStdin(StdinPolicy.LINE).exit(0)));
            Process process = bench.start(fake);
            Invocation call = fake.stall(0).awaitArrival(SOON);
            for (Signal signal : List.of(Signal.USR1, Signal.HUP, Signal.USR1)) {
                int before = fake.journal().attempts().get(0).signals().size();
                Bench.signal(signal, call.ids());
                await().atMost(SOON)
                        .until(() -> fake.journal().attempts().get(0).signals().size() > before);
            }
            assertThat(process.inputReader().readLine()).isEqualTo("hup");
            Bench.signal(Signal.TERM, call.ids());
            assertThat(Bench.code(process)).isEqualTo(143);
            assertThat(process.errorReader().readLine()).isEqualTo("bye");
            Invocation ended = fake.journal().awaitEnd(0, SOON);
            assertThat(ended.signals()).containsExactly(Signal.USR1, Signal.HUP, Signal.USR1, Signal.TERM);
            assertThat(ended.end()).isEqualTo(new End.Exited(143));

            Process delayed = bench.start(fake);
            Invocation second = fake.journal().awaitAttempt(1, SOON);
            await().atMost(SOON)
                    .until(() -> !fake.journal().attempts().get(1).helpers().isEmpty());
            Bench.signal(Signal.TERM, second.ids());
            assertThat(Bench.output(delayed)).isEqualTo(new Bench.Output("on\n", "", 0));
            assertThat(fake.journal().awaitEnd(1, SOON).signals()).containsExactly(Signal.TERM);

            Process reading = bench.start(fake);
            fake.journal().awaitEvent(2, "stdin line", SOON);
            Bench.signal(Signal.TERM, fake.journal().awaitAttempt(2, SOON).ids());
            fake.journal().awaitEvent(2, "signal TERM", SOON);
            reading.getOutputStream().write("x\n".getBytes(StandardCharsets.UTF_8));
            reading.getOutputStream().flush();
            assertThat(Bench.code(reading)).isZero();
            assertThat(fake.journal().awaitEnd(2, SOON).stdin().text()).hasValue("x\n");
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void descendants_have_descendants_and_do_things(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.spawn(
                            "launcher",
                            SpawnMode.NEW_SESSION,
                            o -> o.doing(k -> k.spawn(
                                    "server",
                                    SpawnMode.CHILD,
                                    s -> s.doing(n -> n.spawn("worker", SpawnMode.NEW_GROUP)))))
                    .spawn(
                            "late",
                            SpawnMode.ORPHAN,
                            o -> o.holdStdout()
                                    .doing(k -> k.delay(Duration.ofMillis(300))
                                            .out("late ${arg:--tag}")
                                            .exit(0)))
                    .exit(0)));
            Process process = bench.start(fake, "--tag", "t");

            assertThat(process.inputReader().readLine()).isEqualTo("late t");
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.end()).isEqualTo(new End.Exited(0));
            assertThat(call.kids())
                    .extracting(Descendant::id)
                    .containsExactlyInAnyOrder("launcher", "server", "worker", "late");
            ProcessIds launcher = call.kid("launcher").ids();
            assertThat(launcher.sid()).isEqualTo(launcher.pid());
            assertThat(call.kid("server").ids().ppid()).isEqualTo(launcher.pid());
            assertThat(call.kid("server").ids().sid()).isEqualTo(launcher.pid());
            ProcessIds worker = call.kid("worker").ids();
            assertThat(worker.ppid()).isEqualTo(call.kid("server").pid());
            assertThat(worker.pgid()).isEqualTo(worker.pid());
            assertThat(List.of("launcher", "server", "worker"))
                    .allMatch(id -> call.kid(id).isAlive());
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_descendant_with_steps_ends_when_its_life_is_over(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.spawn(
                            "short",
                            SpawnMode.CHILD,
                            o -> o.life(Duration.ofMillis(300)).doing(k -> k.log(Signal.TERM)))
                    .exit(0)));
            bench.run(fake);
            fake.verify(SOON);
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void respawns_when_told_to_end(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.respawn(
                            Signal.TERM,
                            "again",
                            SpawnMode.NEW_SESSION,
                            o -> o.holdStdout().doing(k -> k.out("I am back")))
                    .stall()));
            Process process = bench.start(fake);
            Invocation call = fake.stall(0).awaitArrival(SOON);
            Bench.signal(Signal.TERM, call.ids());

            assertThat(process.inputReader().readLine()).isEqualTo("I am back");
            assertThat(Bench.code(process)).isEqualTo(143);
            Invocation ended = fake.journal().awaitEnd(0, SOON);
            assertThat(ended.end()).isEqualTo(new End.Missing());
            assertThat(ended.kid("again").isAlive()).isTrue();
            assertThat(ended.kid("again").ids().sid())
                    .isEqualTo(ended.kid("again").pid());
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void becomes_itself_again_as_the_same_process(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.execSelf("again", "${arg:--x}"))
                    .attempt(a -> a.out("second").exit(0)));
            Process process = bench.start(fake, "--x", "1");

            assertThat(Bench.output(process)).isEqualTo(new Bench.Output("second\n", "", 0));
            List<Invocation> calls = fake.journal().attempts();
            assertThat(calls.get(0).end()).isEqualTo(new End.Replaced());
            assertThat(calls.get(1).arguments()).containsExactly("again", "1");
            assertThat(calls.get(1).ids().pid()).isEqualTo(process.pid());
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void closes_standard_output_and_looks_like_a_signal(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(
                            a -> a.out("x").closeStdout().out("lost").gate("g").exitAs(Signal.SEGV)));
            Process process = bench.start(fake);
            assertThat(process.getInputStream().readAllBytes()).isEqualTo("x\n".getBytes(StandardCharsets.UTF_8));
            assertThat(process.isAlive()).isTrue();
            fake.gate("g").awaitArrival(SOON);
            fake.gate("g").release();
            assertThat(Bench.code(process)).isEqualTo(139);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Exited(139));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void writes_files_and_runs_programs(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.write("it's.${arg:--n}", "a\n")
                            .append("it's.${arg:--n}", "b")
                            .write("gone", "x")
                            .delete("gone")
                            .run("sh", "-c", "echo \"$1\"; exit 7", "sh", "${arg:--n}")
                            .exit(0))
                    .attempt(a -> a.write("no/such/directory/file", "").exit(0)));

            assertThat(bench.run(fake, "--n", "1")).isEqualTo(new Bench.Output("1\n", "", 0));
            assertThat(directory.resolve("it's.1")).hasContent("a\nb");
            assertThat(directory.resolve("gone")).doesNotExist();
            assertThat(fake.journal().attempts().get(0).events())
                    .containsExactly("file write", "file append", "file write", "file delete", "run sh 7");
            assertThat(bench.run(fake).code()).isEqualTo(98);
            assertThat(fake.journal().attempts().get(1).flags()).containsExactly("fileFailed");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void environment_names_are_recorded_and_values_only_if_asked_for(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake =
                    bench.install(plain().recordEnvironment("SHOWN", "UNSET").attempt(a -> a.exit(0)));
            ProcessBuilder builder = new ProcessBuilder(fake.path().toString());
            builder.environment().put("SECRET", "s3cr3t\nexport FAKED='x");
            builder.environment().put("SHOWN", "it's \"a\"\nb");
            Bench.output(builder.start());

            Map<String, Optional<String>> environment =
                    fake.journal().attempts().get(0).environment();
            assertThat(environment).containsEntry("SHOWN", Optional.of("it's \"a\"\nb"));
            assertThat(environment).containsEntry("SECRET", Optional.empty());
            assertThat(environment).doesNotContainKeys("UNSET", "FAKED");
            try (Stream<Path> files = Files.walk(fake.journal().recordsDirectory())) {
                assertThat(files.filter(Files::isRegularFile)).noneMatch(file -> contains(file, "s3cr3t"));
            }
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
