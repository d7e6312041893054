/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.noorphans.fakecli.Bench.SOON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;

/**
 * Figures of the shell engine: printed, nothing is asserted. Not part of the build; run them with
 *
 * <pre>{@code
 * ./mvnw -o -pl fake-cli test -Dquick -Dtest=FakeCliFigures -Dsurefire.failIfNoSpecifiedTests=false
 * }</pre>
 */
class FakeCliFigures {
    private static final int RUNS = 30;

    @TempDir
    private Path directory;

    @Test
    void first_byte_alone_and_with_32_at_once() throws Exception {
        Path node = Path.of("/usr/bin/node");
        Path hello = Files.writeString(directory.resolve("hello.js"), "console.log('hello')");
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(Persona.PLAIN)
                    .onExhausted(OnExhausted.REPEAT_LAST)
                    .attempt(a -> a.out("hello").exit(0)));
            for (int atOnce : new int[] {1, 32}) {
                report("shell engine", atOnce, List.of(fake.path().toString()));
                if (Files.isExecutable(node)) {
                    report("node hello", atOnce, List.of(node.toString(), hello.toString()));
                }
            }
        }
    }

    private static void report(String what, int atOnce, List<String> command) throws Exception {
        List<Long> micros = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            List<Callable<Long>> work = Collections.nCopies(atOnce == 1 ? RUNS : atOnce * 3, () -> firstByte(command));
            for (Future<Long> each : threads.invokeAll(work)) {
                micros.add(each.get());
            }
        } finally {
            threads.shutdownNow();
        }
        Collections.sort(micros);
        System.out.printf(
                "%s, %d at once: first byte after %.1f ms (median), %.1f ms (95 of 100), %.1f ms (longest)%n",
                what,
                atOnce,
                micros.get(micros.size() / 2) / 1000.0,
                micros.get(micros.size() * 95 / 100) / 1000.0,
                micros.get(micros.size() - 1) / 1000.0);
    }

    private static long firstByte(List<String> command) throws IOException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).start();
        process.getInputStream().read();
        long micros = (System.nanoTime() - start) / 1000;
        Bench.output(process);
        return micros;
    }

    @Test
    void four_hundred_claims() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(Persona.PLAIN)
                    .onExhausted(OnExhausted.REPEAT_LAST)
                    .attempt(a -> a.exit(0)));
            long start = System.nanoTime();
            List<Callable<Integer>> work = Collections.nCopies(
                    400, () -> Bench.code(new ProcessBuilder(fake.path().toString()).start()));
            for (Future<Integer> each : threads.invokeAll(work)) {
                each.get();
            }
            HashSet<Integer> numbers = new HashSet<>();
            fake.journal().attempts().forEach(call -> numbers.add(call.attempt().orElseThrow()));
            System.out.printf(
                    "400 calls from 16 threads: %d distinct numbers in %d ms%n",
                    numbers.size(), (System.nanoTime() - start) / 1_000_000);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void two_thousand_installs_and_starts() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Path own = Files.createDirectory(directory.resolve("t" + i));
                work.add(() -> busyInstalls(own));
            }
            int busy = 0;
            for (Future<Integer> each : threads.invokeAll(work)) {
                busy += each.get();
            }
            System.out.printf("2,000 installs and starts from 8 threads: ETXTBSY %d times%n", busy);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int busyInstalls(Path where) throws Exception {
        int busy = 0;
        for (int i = 0; i < 250; i++) {
            try (FakeCli fake = FakeCli.persona(Persona.PLAIN)
                    .name("fake" + i)
                    .attempt(a -> a.exit(0))
                    .install(where)) {
                try {
                    Bench.code(new ProcessBuilder(fake.path().toString()).start());
                } catch (IOException e) {
                    if (String.valueOf(e.getMessage()).contains("error=26")) {
                        busy++;
                    } else {
                        throw e;
                    }
                }
            }
        }
        return busy;
    }

    @Test
    void kill_of_leader_and_of_group_in_the_middle_of_every_kind_of_step() throws Exception {
        Map<String, Consumer<Steps>> kinds = Map.ofEntries(
                Map.entry("stall", a -> a.stall()),
                Map.entry("gate", a -> a.gate("g").exit(0)),
                Map.entry("delay", a -> a.delay(Duration.ofSeconds(60)).exit(0)),
                Map.entry("heartbeat", a -> a.heartbeat(Duration.ofMillis(20), ".")),
                Map.entry("busy", a -> a.busy(Duration.ofSeconds(60)).exit(0)),
                Map.entry("stdin", a -> a.stdin(StdinPolicy.EOF).exit(0)),
                Map.entry(
                        "flood", a -> a.flood(OutputStep.Stream.OUT, 67_108_864).exit(0)),
                Map.entry("run", a -> a.run("sleep", "60").exit(0)),
                Map.entry("on", a -> a.log(Signal.TERM).stall()),
                Map.entry("burst", a -> a.burst().out("x").stall()),
                Map.entry(
                        "spawn",
                        a -> a.spawn("kid", SpawnMode.CHILD, o -> o.life(Duration.ofSeconds(2)))
                                .spawn("far", SpawnMode.DAEMON, o -> o.life(Duration.ofSeconds(2)))
                                .stall()));
        for (Map.Entry<String, Consumer<Steps>> kind : kinds.entrySet()) {
            for (boolean group : new boolean[] {false, true}) {
                try (Bench bench = Bench.in(directory)) {
                    FakeCli fake = bench.install(FakeCli.persona(Persona.PLAIN).attempt(kind.getValue()));
                    Process process = bench.startInOwnGroup(fake);
                    Invocation call = fake.journal().awaitAttempt(0, SOON);
                    Thread.sleep(200);
                    long start = System.nanoTime();
                    if (group) {
                        Bench.signalGroup(Signal.KILL, process, call);
                    } else {
                        Bench.signal(Signal.KILL, call.ids());
                    }
                    List<LiveProcess> left = fake.journal().survivors();
                    while (!left.isEmpty() && System.nanoTime() - start < 5_000_000_000L) {
                        Thread.sleep(5);
                        left = fake.journal().survivors();
                    }
                    System.out.printf(
                            "KILL of the %s in %s: nothing left after %d ms%s%n",
                            group ? "group" : "leader",
                            kind.getKey(),
                            (System.nanoTime() - start) / 1_000_000,
                            left.isEmpty() ? "" : ", but " + Arrays.toString(left.toArray()));
                }
            }
        }
    }
}
