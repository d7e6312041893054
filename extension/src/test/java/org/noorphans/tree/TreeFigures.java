/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Prints what stopping and observing cost. Not run by default; run it with {@code -Dtest=TreeFigures}. */
@EnabledOnOs(OS.LINUX)
class TreeFigures {
    private static final int ROUNDS = 5;

    private static final String TWO_HUNDRED =
            "i=0; while [ $i -lt 199 ]; do sleep 60 & i=$((i+1)); done; echo ready; wait";

    private static final String FORKING = "trap '' TERM; echo ready; n=0; while [ $n -lt 300 ]; do"
            + " setsid sleep 60 & n=$((n+1)); sleep 0.01; done; sleep 30";

    private static void print(String name, long[] millis, int[] looks, int[] processes) {
        Arrays.sort(millis);
        Arrays.sort(looks);
        Arrays.sort(processes);
        System.out.printf(
                "%-40s median %5d ms (%d to %d), looks median %d, processes %d%n",
                name, millis[ROUNDS / 2], millis[0], millis[ROUNDS - 1], looks[ROUNDS / 2], processes[ROUNDS / 2]);
    }

    private static void stops(String name, String script, int members, Duration grace) throws Exception {
        long[] millis = new long[ROUNDS];
        int[] looks = new int[ROUNDS];
        int[] processes = new int[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            try (Shell shell = Shell.start(script)) {
                Awaitility.await()
                        .atMost(30, TimeUnit.SECONDS)
                        .until(() -> shell.tree().observe().members().size() >= members);
                TreeStop stop = shell.tree().stop(grace, Duration.ofSeconds(20));
                millis[i] = stop.took().toMillis();
                looks[i] = stop.looks();
                processes[i] = stop.terminations().size();
            }
        }
        print(name, millis, looks, processes);
    }

    @Test
    void stopping() throws Exception {
        stops("200 obedient", TWO_HUNDRED, 200, Duration.ofSeconds(20));
        stops("200 that ignore TERM, grace 1 s", "trap '' TERM; " + TWO_HUNDRED, 200, Duration.ofSeconds(1));
        stops("forking 100 a second, grace 0.3 s", FORKING, 30, Duration.ofMillis(300));
    }

    @Test
    void observing() throws Exception {
        try (Shell shell = Shell.start(TWO_HUNDRED.replace("199", "99"))) {
            Awaitility.await()
                    .atMost(30, TimeUnit.SECONDS)
                    .until(() -> shell.tree().observe().members().size() >= 100);
            for (int i = 0; i < 3; i++) {
                long ticks = ownTicks();
                long begin = System.nanoTime();
                Thread.sleep(10_000);
                System.out.printf(
                        "observing 100 processes every 250 ms: %.1f %% of one core, %d processes on the machine%n",
                        1e9 * (ownTicks() - ticks) / (System.nanoTime() - begin),
                        ProcessHandle.allProcesses().count());
            }
        }
    }

    /** Processor time of this JVM in hundredths of a second: fields 14 and 15 of the stat file. */
    private static long ownTicks() throws IOException {
        String[] fields =
                Files.readString(Path.of("/proc/self/stat")).split("\\) ")[1].split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
}
