/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.noorphans.model.LeakReport;
import org.noorphans.model.OrphanedProcessesError;

/** Tests at the same time: the one that leaks fails, its neighbour does not (S17). */
@EnabledOnOs(OS.LINUX)
class ParallelTests {
    /** S17 a. */
    @RepeatedTest(3)
    void only_the_test_that_leaks_fails_whichever_ends_first() {
        assertThat(failed(OneLeaks.class))
                .containsOnlyKeys("leaks()")
                .satisfies(one -> assertThat(one.get("leaks()").leaks()).hasSize(1));
    }

    /** S17 b. */
    @RepeatedTest(3)
    void each_of_two_that_leak_answers_for_its_own() {
        Map<String, LeakReport> failed = failed(BothLeak.class);
        assertThat(failed).containsOnlyKeys("first()", "second()");
        assertThat(failed.get("first()").leaks())
                .singleElement()
                .satisfies(leak -> assertThat(leak.survivor().commandLine()).contains("101"));
        assertThat(failed.get("second()").leaks())
                .singleElement()
                .satisfies(leak -> assertThat(leak.survivor().commandLine()).contains("102"));
    }

    @RepeatedTest(3)
    void work_on_a_pool_that_both_use_is_known_by_the_lambda_on_the_stack() {
        assertThat(failed(SharedPool.class)).containsOnlyKeys("leaks()");
    }

    @RepeatedTest(3)
    void work_on_a_pool_that_nothing_tells_apart_fails_the_class_and_names_both() {
        Map<String, LeakReport> failed = failed(Indistinguishable.class);
        assertThat(failed).containsOnlyKeys(Indistinguishable.class.getName());
        assertThat(failed.values().iterator().next().leaks())
                .singleElement()
                .satisfies(leak -> assertThat(leak.survivor().evidence())
                        .anySatisfy(evidence -> assertThat(evidence.because())
                                .contains("Indistinguishable.leaks()", "Indistinguishable.clean()")));
    }

    /** S14 b: the twin belongs to another class that still runs; it neither is blamed on the leak's test nor ended with it. */
    @RepeatedTest(3)
    void a_twin_of_another_class_that_still_runs_lives_on() {
        assertThat(failed(LeaksATwin.class, KeepsATwin.class))
                .containsOnlyKeys("leaks()")
                .satisfies(one -> assertThat(one.get("leaks()").leaks()).hasSize(1));
    }

    private static Map<String, LeakReport> failed(Class<?>... testClasses) {
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(Stream.of(testClasses)
                        .map(DiscoverySelectors::selectClass)
                        .toArray(DiscoverySelector[]::new))
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .configurationParameter("junit.jupiter.displayname.generator.default", "")
                .execute();
        return results.allEvents().failed().stream()
                .collect(Collectors.toMap(
                        event -> event.getTestDescriptor().getLegacyReportingName(),
                        event -> ((OrphanedProcessesError) event.getRequiredPayload(TestExecutionResult.class)
                                        .getThrowable()
                                        .orElseThrow())
                                .report()));
    }

    private static void leak(int seconds) throws Exception {
        String background = "sleep " + seconds + " </dev/null >/dev/null 2>&1 & exit 0";
        new ProcessBuilder("sh", "-c", background).start().waitFor();
    }

    private static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await(60, TimeUnit.SECONDS);
    }

    @NoOrphanedProcesses(settle = "100ms", grace = "2s")
    @Execution(ExecutionMode.CONCURRENT)
    static class OneLeaks {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        @Test
        void leaks() throws Exception {
            meet(BOTH);
            leak(100);
            meet(BOTH);
        }

        @Test
        void clean() throws Exception {
            meet(BOTH);
            meet(BOTH);
        }
    }

    @NoOrphanedProcesses(settle = "100ms", grace = "2s")
    @Execution(ExecutionMode.CONCURRENT)
    static class BothLeak {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        @Test
        void first() throws Exception {
            meet(BOTH);
            leak(101);
            meet(BOTH);
        }

        @Test
        void second() throws Exception {
            meet(BOTH);
            leak(102);
            meet(BOTH);
        }
    }

    abstract static class WithPool {
        static ExecutorService pool = Executors.newSingleThreadExecutor();

        @AfterAll
        static void end_the_pool() {
            pool.shutdown();
            pool = Executors.newSingleThreadExecutor();
        }
    }

    @NoOrphanedProcesses(settle = "100ms", grace = "2s")
    @Execution(ExecutionMode.CONCURRENT)
    static class SharedPool extends WithPool {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        /** The pool's thread is created by the test that leaks nothing. */
        @Test
        void clean() throws Exception {
            pool.submit(() -> {}).get();
            meet(BOTH);
            meet(BOTH);
        }

        @Test
        void leaks() throws Exception {
            meet(BOTH);
            pool.submit(() -> {
                        new ProcessBuilder("sleep", "100").start();
                        return true;
                    })
                    .get();
            meet(BOTH);
        }
    }

    @NoOrphanedProcesses(settle = "100ms", grace = "2s")
    @Execution(ExecutionMode.CONCURRENT)
    static class Indistinguishable extends WithPool {
        private static final CyclicBarrier BOTH = new CyclicBarrier(2);

        @Test
        void clean() throws Exception {
            pool.submit(() -> {}).get();
            meet(BOTH);
            meet(BOTH);
        }

        @Test
        void leaks() throws Exception {
            meet(BOTH);
            pool.submit(Indistinguishable::sleepOn).get();
            meet(BOTH);
        }

        private static boolean sleepOn() throws Exception {
            return new ProcessBuilder(List.of("sleep", "100")).start().isAlive();
        }
    }

    private static final CyclicBarrier TWINS = new CyclicBarrier(2);

    @NoOrphanedProcesses(settle = "0s", grace = "2s")
    static class LeaksATwin {
        @Test
        void leaks() throws Exception {
            meet(TWINS); // the other twin has started
            new ProcessBuilder("sleep", "100").start();
        }

        @AfterAll
        static void after_the_verdict_on_the_test() throws Exception {
            meet(TWINS);
        }
    }

    @NoOrphanedProcesses(settle = "0s", grace = "2s")
    static class KeepsATwin {
        @Test
        void keeps() throws Exception {
            Process twin = new ProcessBuilder("sleep", "100").start();
            try {
                meet(TWINS);
                meet(TWINS);
                assertThat(twin.isAlive()).isTrue();
            } finally {
                twin.destroyForcibly().waitFor();
            }
        }
    }
}
