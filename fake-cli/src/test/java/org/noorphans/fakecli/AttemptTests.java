/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.noorphans.fakecli.Bench.SOON;
import static org.noorphans.fakecli.model.When.when;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

class AttemptTests {
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
    void calls_at_the_same_moment_get_different_numbers_without_a_gap(Path shell) throws Exception {
        int calls = 40;
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake =
                    bench.install(plain().attempt(a -> a.out("x").exit(0)).onExhausted(OnExhausted.REPEAT_LAST));
            List<Callable<List<String>>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                work.add(() -> IntStream.range(0, calls / 8)
                        .mapToObj(n -> {
                            try {
                                Process process = new ProcessBuilder(fake.path().toString()).start();
                                return Bench.output(process).out();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        })
                        .toList());
            }
            for (var done : threads.invokeAll(work)) {
                assertThat(done.get()).containsOnly("x\n");
            }

            assertThat(fake.journal().attempts())
                    .extracting(call -> call.attempt().orElseThrow())
                    .containsExactlyElementsOf(IntStream.range(0, calls).boxed().toList());
            assertThat(fake.journal().all())
                    .extracting(Invocation::sequence)
                    .containsExactlyElementsOf(IntStream.range(0, calls).boxed().toList());
            fake.verify();
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void keys_have_a_sequence_each(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            String longName = "d".repeat(200);
            Path deep = Files.createDirectories(directory.resolve(longName + "/a%b"));
            FakeCli cwd = bench.install(plain().name("cwd")
                    .attemptKey(AttemptKey.CWD)
                    .attempt(a -> a.out("0").exit(0))
                    .attempt(a -> a.out("1").exit(0)));
            FakeCli arg = bench.install(plain().name("arg")
                    .attemptKey(AttemptKey.arg("--id"))
                    .attempt(a -> a.out("0").exit(0))
                    .attempt(a -> a.out("1").exit(0)));
            FakeCli env = bench.install(plain().name("env")
                    .attemptKey(AttemptKey.env("HOME"))
                    .attempt(a -> a.out("0").exit(0))
                    .attempt(a -> a.out("1").exit(0)));

            assertThat(bench.run(cwd).out()).isEqualTo("0\n");
            assertThat(Bench.output(new ProcessBuilder(cwd.path().toString())
                                    .directory(deep.toFile())
                                    .start())
                            .out())
                    .isEqualTo("0\n");
            assertThat(bench.run(cwd).out()).isEqualTo("1\n");
            assertThat(Stream.of("--id=a/b", "--id=a%sb", "--id=a/b", "--id=")
                            .map(id -> bench.run(arg, id).out()))
                    .containsExactly("0\n", "0\n", "1\n", "0\n");
            assertThat(bench.run(env).out()).isEqualTo("0\n");
            assertThat(bench.run(env).out()).isEqualTo("1\n");
            assertThat(cwd.journal().attempts())
                    .extracting(call -> call.key().orElseThrow())
                    .containsExactlyInAnyOrder(
                            directory.toRealPath().toString(),
                            directory.toRealPath().toString(),
                            deep.toRealPath().toString());
        }
    }

    @Test
    void four_hundred_calls_from_sixteen_threads_get_four_hundred_numbers() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)).onExhausted(OnExhausted.REPEAT_LAST));
            List<Callable<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                work.add(() -> Bench.code(new ProcessBuilder(fake.path().toString()).start()));
            }
            for (var done : threads.invokeAll(work)) {
                assertThat(done.get()).isZero();
            }
            assertThat(fake.journal().attempts())
                    .extracting(call -> call.attempt().orElseThrow())
                    .containsExactlyElementsOf(IntStream.range(0, 400).boxed().toList());
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void one_too_many_fails_aloud(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)));
            bench.run(fake);

            assertThat(bench.run(fake, "again"))
                    .isEqualTo(new Bench.Output("", "fake: call 2 of class run, but the scenario has only 1\n", 97));

            assertThat(fake.journal().attempts().get(1).flags()).containsExactly("exhausted");
            assertThatThrownBy(fake::verify)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("fake fake:\n  fake attempt 1 is flagged exhausted: [again]");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_call_that_no_rule_matches_fails_aloud(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake =
                    bench.install(plain().attemptsWhen(when().argvAny("run")).attempt(a -> a.exit(0)));
            bench.run(fake, "run");

            assertThat(bench.run(fake, "walk", "fast"))
                    .isEqualTo(
                            new Bench.Output("", "fake: no rule of the scenario matches this call: walk fast\n", 97));

            Invocation call = fake.journal().aux().get(0);
            assertThat(call.className()).isEmpty();
            assertThat(call.attempt()).isEmpty();
            assertThat(call.end()).isEqualTo(new End.Exited(97));
            assertThatThrownBy(fake::verify)
                    .hasMessage("fake fake:\n  fake unmatched call 1 is flagged unmatched: [walk, fast]");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void auxiliary_calls_never_count(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().aux(
                            "title",
                            when().argvAny("title").argvNone("--real"),
                            s -> s.out("t").exit(0))
                    .attempt(a -> a.out("0").exit(0))
                    .attempt(a -> a.out("1").exit(0)));

            assertThat(Stream.of("title", "", "title", "")
                            .map(argument -> bench.run(fake, argument).out()))
                    .containsExactly("t\n", "0\n", "t\n", "1\n");
            assertThat(fake.journal().aux()).hasSize(2);
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_fake_whose_records_are_gone_says_so_and_can_still_be_closed(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)));
            Path records = fake.journal().recordsDirectory();
            Files.move(records, directory.resolve("moved"));

            assertThat(bench.run(fake))
                    .isEqualTo(new Bench.Output(
                            "", "fake: cannot write to " + records.getParent() + "; was the fake closed?\n", 97));

            fake.close();
            assertThat(records.getParent()).doesNotExist();
        }
    }

    @Test
    void what_was_planned_but_not_called_fails_verify() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0)).attempt(Steps::stall));
            assertThatThrownBy(fake::verify).hasMessage("fake fake:\n  planned 2 attempts, but 0 were made");

            bench.run(fake);
            assertThatThrownBy(fake::verify).hasMessage("fake fake:\n  planned 2 attempts, but 1 was made");
        }
    }

    @Test
    void what_still_lives_fails_verify() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    plain().attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()));
            Process process = bench.start(fake);
            Invocation call = fake.stall(0).awaitArrival(SOON);
            Descendant mcp = call.kid("mcp");
            String group =
                    ", group " + call.ids().pgid() + ", session " + call.ids().sid();

            assertThatThrownBy(() -> fake.verify(Duration.ZERO))
                    .hasMessage("fake fake:\n  still alive: fake attempt 0, pid " + process.pid() + group
                            + "\n  still alive: mcp (CHILD) of fake attempt 0, pid " + mcp.pid() + group);
            process.destroy();
            Bench.code(process);
            assertThatThrownBy(() -> fake.verify(Duration.ZERO))
                    .hasMessage("fake fake:\n  still alive: mcp (CHILD) of fake attempt 0, pid " + mcp.pid() + group);

            Bench.signal(Signal.TERM, mcp.ids());
            fake.verify(SOON);
        }
    }
}
