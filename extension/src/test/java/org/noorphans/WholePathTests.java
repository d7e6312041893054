/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** From a leak to its end, where timing or manners decide. */
@EnabledOnOs(OS.LINUX)
class WholePathTests {
    private static final int TIMES = 30;

    @TempDir
    static Path out;

    private static EngineExecutionResults run(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute();
    }

    /** Right after {@code waitFor()} the JDK's own threads do not yet tell whether what is left was adopted. */
    @Test
    void an_orphan_of_a_pool_of_the_class_fails_the_test_every_time() {
        run(PoolOfTheClass.class)
                .testEvents()
                .assertStatistics(stats -> stats.started(TIMES).failed(TIMES));
    }

    @Test
    void an_orderly_process_below_a_shell_that_dies_is_asked_too() {
        run(OrderlyBelowShell.class).testEvents().assertStatistics(stats -> stats.failed(1));
        assertThat(out.resolve("saved")).exists();
    }

    @NoOrphanedProcesses(settle = "0s", grace = "5s")
    static class PoolOfTheClass {
        private static ExecutorService pool;

        @BeforeAll
        static void start_the_pool() throws Exception {
            pool = Executors.newSingleThreadExecutor();
            pool.submit(() -> {}).get();
        }

        @AfterAll
        static void end_the_pool() {
            pool.shutdown();
        }

        @RepeatedTest(TIMES)
        void leaks() throws Exception {
            String background = "sleep 60 </dev/null >/dev/null 2>&1 &";
            pool.submit(() -> new ProcessBuilder("sh", "-c", background).start().waitFor())
                    .get();
        }
    }

    @NoOrphanedProcesses(settle = "0s", grace = "5s")
    static class OrderlyBelowShell {
        @Test
        void leaks() throws Exception {
            String orderly = "$SIG{TERM} = sub { open my $f, '>', 'saved'; exit 0 };"
                    + " open my $f, '>', 'ready'; close $f; sleep 60";
            new ProcessBuilder("sh", "-c", "perl -e \"$1\" & wait", "sh", orderly)
                    .directory(out.toFile())
                    .start();
            Awaitility.await().until(() -> Files.exists(out.resolve("ready")));
        }
    }
}
