/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.observe.SpawnRecords;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.model.ScopeKind;

/**
 * The worst that this library could do is to take an exit code from Java code that waits for it. Processes by the thousand,
 * each of which leaves an orphan, while orphans are adopted and collected all the time.
 */
@EnabledOnOs(OS.LINUX)
class ExitCodeTests {
    private static final Policy POLICY = new Policy(Duration.ofSeconds(5), Duration.ofSeconds(1), true, true);
    private static final int AT_ONCE = 40;

    /** What a process was started with, and what came back. */
    private record Answer(int expected, int actual) {}

    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    @ParameterizedTest(name = "{0} processes, lists of children: {1}")
    @CsvSource({"2000, true", "400, false"})
    void no_exit_code_is_ever_wrong_and_no_zombie_stays(int count, boolean childrenLists) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ProcessWatch watch = new ProcessWatch(
                LinuxPlatform.create(new Switches(true, true, childrenLists, true)),
                SpawnRecords.none("this is a test"),
                Duration.ofMillis(5),
                Pacing.REAL);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "test", null, type);
        Semaphore room = new Semaphore(AT_ONCE);
        Queue<Answer> answers = new ConcurrentLinkedQueue<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(count);
        try {
            for (int i = 0; i < count; i++) {
                int code = random.nextInt(120);
                boolean killed = random.nextInt(10) == 0;
                boolean waitElsewhere = random.nextBoolean();
                String orphan = random.nextBoolean() ? "sleep 0.0" + random.nextInt(10) : "true";
                String end = killed ? "kill -KILL $$" : "exit " + code;
                ProcessBuilder builder = new ProcessBuilder(
                                "sh", "-c", orphan + " & " + (random.nextInt(4) == 0 ? "sleep 0.01; " : "") + end)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
                assertThat(room.tryAcquire(60, TimeUnit.SECONDS))
                        .as("room for one more after %d of %d", i, count)
                        .isTrue();
                Runnable release = () -> {
                    room.release();
                    done.countDown();
                };
                // The thread that starts a process ends at once in half of the cases: its children then move to the
                // main
                // thread, where adopted processes are listed too.
                new Thread(() -> {
                            try {
                                Process process = builder.start();
                                int expected = killed ? 128 + 9 : code;
                                Runnable waiting = () -> {
                                    try {
                                        answers.add(new Answer(expected, process.waitFor()));
                                    } catch (InterruptedException e) {
                                        failures.add(e);
                                    } finally {
                                        release.run();
                                    }
                                };
                                if (waitElsewhere) {
                                    var unused = process.onExit().thenRun(waiting);
                                } else {
                                    waiting.run();
                                }
                            } catch (Throwable e) {
                                failures.add(e);
                                release.run();
                            }
                        })
                        .start();
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).as("all have ended").isTrue();
            assertThat(failures).isEmpty();
            List<Answer> wrong = new ArrayList<>(answers);
            wrong.removeIf(answer -> answer.expected() == answer.actual());
            assertThat(wrong).as("wrong exit codes (seed %d)", seed).isEmpty();
            assertThat(answers).hasSize(count);
            if (childrenLists) {
                awaitNoZombie();
            }
            assertThat(test.end(POLICY).isClean()).isTrue();
        } finally {
            test.end(POLICY);
            type.end(POLICY);
            run.end(POLICY);
        }
        if (!childrenLists) {
            collectTheRest();
        }
    }

    private static void awaitNoZombie() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() ->
                        assertThat(ProcFacts.zombieChildren()).as("zombies").isEmpty());
    }

    /** Without the lists of children little can be proven, so zombies may stay; nothing may be left for other tests. */
    private static void collectTheRest() {
        ProcessWatch watch = new ProcessWatch(
                LinuxPlatform.create(Switches.ALL),
                SpawnRecords.none("this is a test"),
                Duration.ofMillis(20),
                Pacing.REAL);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        try {
            awaitNoZombie();
        } finally {
            run.end(POLICY);
        }
    }
}
