/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.model.Leak;
import org.noorphans.model.OrphanedProcessesError;

/**
 * Prints what guarding costs; asserts nothing. Not part of the build:
 * {@code ./mvnw -pl extension -am test -Dquick -Dtest=OverheadFigures -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class OverheadFigures {
    private static final int TESTS = 5_000;

    @Test
    void clean_check() {
        ProcessTableReader reader =
                LinuxPlatform.create(LinuxPlatform.Switches.ALL).reader();
        List<Double> nanos = new ArrayList<>();
        for (int batch = 0; batch < 200; batch++) {
            long begin = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                reader.hasNoChild();
            }
            nanos.add((System.nanoTime() - begin) / 1_000.0);
        }
        print("clean check, median: %.2f us", median(nanos) / 1_000);
    }

    @Test
    void guarded_test_against_the_same_unguarded() {
        List<Double> guarded = new ArrayList<>();
        List<Double> unguarded = new ArrayList<>();
        for (int round = 0; round < 15; round++) {
            unguarded.add(microsPerTest(Unguarded.class));
            guarded.add(microsPerTest(Guarded.class));
        }
        print(
                "no-op test, median of 15 rounds of %d: unguarded %.1f us, guarded %.1f us, difference %.1f us",
                TESTS, median(unguarded), median(guarded), median(guarded) - median(unguarded));
    }

    private static double microsPerTest(Class<?> testClass) {
        long begin = System.nanoTime();
        run(testClass);
        return (System.nanoTime() - begin) / 1_000.0 / TESTS;
    }

    @Test
    void first_guarded_test_in_a_fresh_jvm() throws Exception {
        List<Double> guarded = new ArrayList<>();
        List<Double> unguarded = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            unguarded.add(inFreshJvm(UnguardedOnce.class));
            guarded.add(inFreshJvm(GuardedOnce.class));
        }
        print(
                "first test class in a fresh JVM, median of 9: unguarded %.0f ms, guarded %.0f ms, difference %.0f ms",
                median(unguarded), median(guarded), median(guarded) - median(unguarded));
    }

    private static double inFreshJvm(Class<?> testClass) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OverheadFigures.class.getName(),
                        testClass.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        jvm.waitFor(60, TimeUnit.SECONDS);
        return Double.parseDouble(output.trim());
    }

    /** Runs one test class and prints how long it took from its start to its end, in milliseconds. */
    public static void main(String[] args) throws Exception {
        System.out.println(run(Class.forName(args[0])));
    }

    @Test
    void ending_a_tree_of_50() {
        List<Double> millis = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            List<Throwable> failures = new ArrayList<>();
            run(Tree.class, failures);
            OrphanedProcessesError error = (OrphanedProcessesError) failures.get(0);
            millis.add(error.report().leaks().stream()
                    .map(Leak::termination)
                    .mapToDouble(t -> t.after().toNanos() / 1e6)
                    .max()
                    .orElseThrow());
        }
        print(
                "from the first TERM until a tree of 51 obedient processes is gone, median of 9: %.0f ms",
                median(millis));
    }

    private static double run(Class<?> testClass) {
        return run(testClass, new ArrayList<>());
    }

    private static double run(Class<?> testClass, List<Throwable> failures) {
        Launcher launcher = LauncherFactory.create();
        long[] times = new long[2];
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(testClass))
                        .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                        .build(),
                new TestExecutionListener() {
                    @Override
                    public void executionStarted(TestIdentifier test) {
                        if (times[0] == 0 && test.getParentId().isPresent()) {
                            times[0] = System.nanoTime();
                        }
                    }

                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        times[1] = System.nanoTime();
                        result.getThrowable().ifPresent(failures::add);
                    }
                });
        return (times[1] - times[0]) / 1e6;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    static class Unguarded {
        @RepeatedTest(TESTS)
        void does_nothing() {}
    }

    @NoOrphanedProcesses
    static class Guarded {
        @RepeatedTest(TESTS)
        void does_nothing() {}
    }

    static class UnguardedOnce {
        @Test
        void does_nothing() {}
    }

    @NoOrphanedProcesses
    static class GuardedOnce {
        @Test
        void does_nothing() {}
    }

    @NoOrphanedProcesses(settle = "100ms")
    static class Tree {
        @Test
        void leaves_a_tree(SpawnedProcesses spawned) throws Exception {
            new ProcessBuilder("sh", "-c", "for i in $(seq 50); do sleep 60 & done; wait").start();
            long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (spawned.alive().size() < 51 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
