/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;

/**
 * Prints how long it takes from the start of a fake to its first byte. Not part of the usual run:
 * {@code ./mvnw -pl fake-cli test -Dtest=DialogueFigures}.
 */
class DialogueFigures {
    private static final int ALONE = 20;
    private static final int AT_ONCE = 32;

    @TempDir
    private Path directory;

    @Test
    void time_to_first_byte() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            Path call =
                    Files.writeString(directory.resolve("call"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"go\"}\n");
            FakeCli dialogue = bench.install(FakeCli.persona(Persona.ACP)
                    .name("dialogue")
                    .attempt(a -> a.dialogue(d -> d.expect("go").reply(Map.of("ok", true))))
                    .onExhausted(OnExhausted.REPEAT_LAST));
            FakeCli shell = bench.install(FakeCli.persona(Persona.PLAIN)
                    .name("shell")
                    .attempt(a -> a.out("ok").exit(0))
                    .onExhausted(OnExhausted.REPEAT_LAST));
            for (FakeCli fake : List.of(shell, dialogue)) {
                times(fake, call, 1, 3);
                print(fake.scenario().name() + ", alone", times(fake, call, 1, ALONE));
                print(fake.scenario().name() + ", " + AT_ONCE + " at once", times(fake, call, AT_ONCE, AT_ONCE));
            }
        }
    }

    private static List<Duration> times(FakeCli fake, Path call, int atOnce, int count) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<Duration>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(() -> firstByte(fake, call)));
            }
            List<Duration> times = new ArrayList<>();
            for (Future<Duration> each : running) {
                times.add(each.get());
            }
            return times;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Duration firstByte(FakeCli fake, Path call) throws Exception {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(fake.path().toString())
                .redirectInput(call.toFile())
                .start();
        if (process.getInputStream().read() < 0) {
            throw new AssertionError("no output of " + fake.path());
        }
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        Bench.output(process);
        return time;
    }

    private static void print(String what, List<Duration> times) {
        double[] millis = times.stream()
                .mapToDouble(each -> each.toNanos() / 1e6)
                .sorted()
                .toArray();
        System.out.printf(
                "%-24s min %6.1f  median %6.1f  95 %% %6.1f  max %6.1f ms  (%d runs)%n",
                what,
                millis[0],
                millis[millis.length / 2],
                millis[(int) Math.ceil(millis.length * 0.95) - 1],
                Arrays.stream(millis).max().orElseThrow(),
                millis.length);
    }
}
