/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.noorphans.assertj.ProcessAssertions.assertThat;
import static org.noorphans.assertj.ProcessAssertions.assertThatProcess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.SpawnedProcesses;
import org.noorphans.model.ProcessId;
import org.noorphans.tree.OwnedProcess;
import org.noorphans.tree.OwnedProcessTree;
import org.noorphans.tree.TreeStop;

/**
 * A controller is restarted; the durable runner that it started, and what that runs, must not notice. Everything else of the
 * first generation must be gone before the second begins, and in the end nothing of either may be left.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(100)
@NoOrphanedProcesses
class RestartPreservationTests {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration FORCED = Duration.ofSeconds(5);

    /** Starts the durable runner if there is none yet, and a plain child; ends on TERM. */
    private static final String CONTROLLER = """
            trap 'exit 0' TERM
            if [ ! -e "$OUT/runner" ]; then
              setsid sh -c 'sleep 60 & echo "$$ $!" > "$OUT/new"; mv "$OUT/new" "$OUT/runner"; wait' &
            fi
            sleep 60 &
            echo "$!" > "$OUT/plain-$GENERATION.new"
            mv "$OUT/plain-$GENERATION.new" "$OUT/plain-$GENERATION"
            n=0
            while [ "$n" -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
            """;

    @TempDir
    private Path out;

    private OwnedProcessTree controller(int generation) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", CONTROLLER)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("OUT", out.toString());
        builder.environment().put("GENERATION", String.valueOf(generation));
        OwnedProcessTree tree = OwnedProcessTree.start(builder);
        published("plain-" + generation);
        published("runner");
        return tree;
    }

    /** The numbers that a process wrote into a file, once it is there. */
    private List<Long> published(String name) {
        Path file = out.resolve(name);
        await().atMost(20, TimeUnit.SECONDS).pollInterval(Duration.ofMillis(5)).until(() -> Files.exists(file));
        try {
            return List.of(Files.readString(file).trim().split(" ")).stream()
                    .map(Long::valueOf)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessId identity(OwnedProcessTree tree, long pid) {
        await().atMost(20, TimeUnit.SECONDS)
                .until(() ->
                        tree.observe().member(pid).filter(OwnedProcess::isAlive).isPresent());
        return tree.observe().member(pid).orElseThrow().id();
    }

    /** The runner leads its own group only a moment after it was started. */
    private static void awaitGroup(OwnedProcessTree tree, long pid) {
        await().atMost(20, TimeUnit.SECONDS).until(() -> tree.observe().groups().contains(pid));
    }

    @Test
    @Timeout(15)
    void R13_SAFE_14_the_runner_keeps_number_and_start_over_a_restart_and_nothing_is_left_in_the_end(
            SpawnedProcesses spawned) throws Exception {
        OwnedProcessTree first = controller(1);
        long runner = published("runner").get(0);
        long itsChild = published("runner").get(1);
        long plain = published("plain-1").get(0);
        awaitGroup(first, runner);
        ProcessId runnerId = identity(first, runner);
        ProcessId childId = identity(first, itsChild);

        first.preserve(runnerId);
        TreeStop restart = first.stopForRestart(GRACE);
        assertThat(restart.escalated()).isFalse();
        assertThatProcess(plain).exitsWithin(Duration.ofSeconds(1));
        assertThatProcess(runner).isRunning().isInGroup(runner);
        assertThat(first).hasNoSurvivors(); // the preserved ones are no survivors

        OwnedProcessTree second = controller(2);
        assertThat(identity(first, runner)).isEqualTo(runnerId);
        assertThat(identity(first, itsChild)).isEqualTo(childId);

        OwnedProcessTree.stopAll(List.of(first, second), GRACE, FORCED);
        assertThat(second).hasNoSurvivors();
        assertThat(spawned).hasNoSurvivorsWithin(Duration.ofSeconds(2));
        first.close();
        second.close();
    }

    @Test
    void a_runner_that_is_not_told_to_the_guard_is_a_leak_and_one_that_is_told_may_stay(SpawnedProcesses spawned)
            throws Exception {
        ProcessId runner;
        try (OwnedProcessTree tree = controller(1)) {
            long pid = published("runner").get(0);
            awaitGroup(tree, pid);
            runner = identity(tree, pid);
            tree.preserve(runner);
            tree.stop(GRACE, FORCED);
            assertThatProcess(pid).isRunning();
            assertThatThrownBy(() -> assertThat(spawned).hasNoSurvivors())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("pid " + pid);
            spawned.preserve(runner);
            assertThat(spawned).hasNoSurvivors();
            spawned.awaitNone(Duration.ofSeconds(1));
            tree.stopEverything(GRACE, FORCED);
        }
        assertThatProcess(runner.pid()).exitsWithin(Duration.ofSeconds(1));
    }

    @Test
    void a_process_that_the_test_started_itself_can_be_owned_and_stopped(SpawnedProcesses spawned) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 60 & wait").start();
        try (OwnedProcessTree tree = spawned.own(shell)) {
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> tree.observe().members().size() == 2);
            assertThatThrownBy(() -> assertThat(tree).hasNoSurvivors())
                    .hasMessageContaining("2 processes are")
                    .hasMessageContaining("pid " + shell.pid())
                    .hasMessageContaining("sleep 60");
            tree.stop(GRACE, FORCED);
            assertThat(tree).hasNoSurvivors();
        }
        assertThatThrownBy(() -> assertThatProcess(shell.pid()).isRunning()).hasMessageContaining("no process");
    }
}
