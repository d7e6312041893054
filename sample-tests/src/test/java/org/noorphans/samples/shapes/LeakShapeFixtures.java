/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.SpawnedProcesses;
import org.noorphans.model.ProcessId;
import org.noorphans.model.SpawnedProcess;

/** The leak shapes, one class for each case, named by shape and case. {@link LeakShapes} holds their verdicts. */
final class LeakShapeFixtures {
    static final String SETTLE = "200ms";

    /** For processes that do not end on TERM. Elsewhere the default holds, since the wait ends with the last process. */
    static final String SHORT_GRACE = "600ms";

    private LeakShapeFixtures() {}

    /** Waits until the extension has seen a process, so that a report can name it when it has gone. */
    private static void awaitSeen(SpawnedProcesses spawned, ProcessId... ids) {
        Eventually.that(
                "the extension has seen " + List.of(ids),
                () -> spawned.all().stream().map(SpawnedProcess::id).toList().containsAll(List.of(ids)));
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S01aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            Process root = processes.recipe("S01.sh");
            awaitSeen(spawned, processes.await("worker"), processes.id("root"));
            root.destroy();
            root.waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S01bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            Process root = processes.recipe("S01.sh");
            awaitSeen(spawned, processes.await("worker"), processes.id("root"));
            root.destroyForcibly();
            root.waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S01cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            // Some shells replace themselves by a lone command; the second one prevents that.
            Process root =
                    processes.start("root", SampleProcesses.silent(processes.builder("sh", "-c", "sleep 120; :")));
            Eventually.that("the shell has a child", () -> root.children().count() == 1);
            processes.publish(
                    "worker", root.children().findFirst().orElseThrow().pid());
            awaitSeen(spawned, processes.id("worker"), processes.id("root"));
            root.destroy();
            root.waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S02aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S02.sh").waitFor()).isZero();
            processes.await("job");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S02bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S02b.sh").waitFor()).isZero();
            processes.await("job");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S02cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S02c.sh").waitFor()).isZero();
            processes.await("first");
            processes.await("second");
            processes.awaitEnd("brief");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S03aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            Process root = processes.recipe("S03a.sh");
            ProcessId child = processes.await("own-session");
            awaitSeen(spawned, child, processes.id("root"));
            Eventually.that("the child has a session of its own", () -> session(child) == child.pid());
            root.destroyForcibly();
            root.waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S03bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            Process root = processes.recipe("S03b.sh");
            ProcessId child = processes.await("own-group");
            awaitSeen(spawned, child, processes.id("root"));
            Eventually.that("the child has a group of its own", () -> group(child) == child.pid());
            root.destroyForcibly();
            root.waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S03cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S03a.sh");
            ProcessId child = processes.await("own-session");
            Eventually.that("the child has a session of its own", () -> session(child) == child.pid());
        }
    }

    private static long session(ProcessId id) {
        return LinuxProcess.read(id).map(LinuxProcess::session).orElse(-1L);
    }

    private static long group(ProcessId id) {
        return LinuxProcess.read(id).map(LinuxProcess::group).orElse(-1L);
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S04aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S04.sh").waitFor()).isZero();
            processes.await("daemon");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S04bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S04b.sh").waitFor()).isZero();
            Path daemon = Path.of("/proc/" + processes.await("daemon").pid());
            assertThat(Files.readSymbolicLink(daemon.resolve("cwd"))).isEqualTo(Path.of("/"));
            // While it starts it has its libraries open.
            Eventually.that(
                    "the daemon has nothing open but /dev/null",
                    () -> openFiles(daemon).equals(Set.of(Path.of("/dev/null"))));
        }
    }

    private static Set<Path> openFiles(Path process) {
        Set<Path> files = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                files.add(Files.readSymbolicLink(descriptor));
            }
            return files;
        } catch (IOException closedMeanwhile) {
            return Set.of();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S05aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S05.sh");
            ProcessId leaf = processes.await("leaf");
            long subreaper = processes.id("root").pid();
            Eventually.that(
                    "the leaf has been adopted by the subreaper of the test",
                    () -> LinuxProcess.read(leaf).orElseThrow().parent() == subreaper);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S05bTestCase extends ShapeTestCase {
        @Test
        void run_below_a_subreaper(SampleProcesses processes) throws Exception {
            runBelowSubreaper(processes, "on");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S05bWithoutOwnSubreaperTestCase extends ShapeTestCase {
        @Test
        void run_below_a_subreaper(SampleProcesses processes) throws Exception {
            runBelowSubreaper(processes, "off");
        }
    }

    /** Runs other rows of the table in another JVM, all of it below a subreaper that is not part of the run. */
    private static void runBelowSubreaper(SampleProcesses processes, String ownSubreaper)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", SampleProcesses.path("S05b.sh")));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(BelowSubreaper.class.getName(), processes.out().toString(), ownSubreaper));
        File log = processes.out().resolve("log").toFile();
        ProcessBuilder builder = processes
                .builder(command.toArray(String[]::new))
                .redirectErrorStream(true)
                .redirectOutput(log);
        int exitCode = processes.start("root", builder).waitFor();
        assertThat(exitCode).as(() -> read(log.toPath())).isZero();
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S07aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            Process root = processes.start("root", processes.builder("sh", SampleProcesses.path("S07a.sh")));
            CompletableFuture<String> reader = processes.readToEnd(root);
            processes.await("holder");
            assertThat(root.waitFor()).isZero();
            assertThat(reader).isNotDone();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S07bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            Process root = processes.start("root", processes.builder("sh", SampleProcesses.path("S07.sh")));
            processes.await("holder");
            assertThat(root.waitFor()).isZero();
            assertThat(new String(root.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("working\n");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S07cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            Process root = processes.start(
                    "root",
                    processes.builder("sh", SampleProcesses.path("S07c.sh")).redirectErrorStream(true));
            CompletableFuture<String> reader = processes.readToEnd(root);
            processes.await("holder");
            assertThat(root.waitFor()).isZero();
            assertThat(reader).isNotDone();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = SHORT_GRACE)
    static class S08aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S08.sh");
            processes.await("stubborn");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = SHORT_GRACE)
    static class S08bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            // A child of Java leads no group, so setsid replaces itself and the root is the shell.
            processes.start(
                    "root", SampleProcesses.silent(processes.builder("setsid", "sh", SampleProcesses.path("S08.sh"))));
            processes.await("stubborn");
            assertThat(session(processes.id("stubborn")))
                    .isEqualTo(processes.id("root").pid());
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = SHORT_GRACE)
    static class S08cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S08c.sh");
            processes.await("stubborn");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S09aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S09.sh").waitFor()).isZero();
            processes.awaitState("stopped", 'T');
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S09bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S09b.sh");
            processes.awaitState("stopped", 'T');
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S10aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S10.sh");
            processes.await("child-0");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S10bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.start(
                    "root", SampleProcesses.silent(processes.builder("setsid", "sh", SampleProcesses.path("S10.sh"))));
            processes.await("child-0");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = "10s")
    static class S11aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S11a.sh");
            processes.await("clock");
        }
    }

    @NoOrphanedProcesses(settle = "5s")
    static class S11bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            assertThat(processes.recipe("S11b.sh").waitFor()).isZero();
        }
    }

    @NoOrphanedProcesses(settle = "5s")
    static class S11cTestCase extends ShapeTestCase {
        private static final long BUSY_NANOS = 1_000_000_000;

        @Test
        void leaks(SampleProcesses processes) throws Exception {
            long end = System.nanoTime() + BUSY_NANOS;
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                Thread thread = new Thread(
                        () -> {
                            while (System.nanoTime() - end < 0) {
                                Thread.onSpinWait();
                            }
                        },
                        "busy-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            assertThat(processes.recipe("S11b.sh").waitFor()).isZero();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = SHORT_GRACE)
    static class S11dTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S11a.sh");
            processes.await("clock");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S12aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S12.sh");
            long group = LinuxProcess.self().group();
            assertThat(group(processes.await("same-group"))).isEqualTo(group);
            assertThat(group(processes.id("root"))).isEqualTo(group);
            assertThat(group(processes.id("bystander"))).isEqualTo(group);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S14aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper("twin"); // the very command line of the bystander
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S14cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            String ownCommand = ProcessHandle.current().info().command().orElse("java");
            processes.start(
                    "root",
                    SampleProcesses.silent(
                            processes.builder("sh", "-c", "exec sleep 60", ownCommand, "-cp", ownCommand)));
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S16aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S16.sh");
            processes.awaitState("zombie", 'Z');
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, grace = SHORT_GRACE)
    static class S16bTestCase extends ShapeTestCase {
        @BeforeAll
        static void start_the_parent_that_collects_nothing(SampleProcesses processes) {
            processes.recipe("S16b.sh");
        }

        @AfterAll
        static void end_it(SampleProcesses processes) {
            processes.end("root");
        }

        @Test
        @Order(1)
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) {
            processes.open("start");
            ProcessId leaf = processes.await("leaf");
            long parent = processes.id("root").pid();
            // As long as its parent lives it is the fixture's. This look sees it there, so that it is known as an
            // orphan later.
            assertThat(spawned.all()).isEmpty();
            processes.open("let-go");
            Eventually.that(
                    "the leaf has been adopted",
                    () -> LinuxProcess.read(leaf).orElseThrow().parent() == parent);
            assertThat(spawned.alive()).extracting(SpawnedProcess::id).containsExactly(leaf);
        }

        @Test
        void the_killed_orphan_is_still_listed_now(SampleProcesses processes) {
            LinuxProcess leaf = LinuxProcess.read(processes.id("leaf")).orElseThrow();
            assertThat(leaf.state()).isEqualTo('Z');
            assertThat(leaf.parent()).isEqualTo(processes.id("root").pid());
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S19aTestCase extends ShapeTestCase {
        @BeforeAll
        static void up(SampleProcesses processes) {
            processes.recipe("S01.sh");
            processes.await("worker");
        }

        @AfterAll
        static void down(SampleProcesses processes) {
            processes.end("root");
            processes.end("worker");
        }

        @Test
        void one(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactlyInAnyOrder("root", "worker");
        }

        @Test
        void two(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactlyInAnyOrder("root", "worker");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S19bTestCase extends ShapeTestCase {
        @BeforeAll
        static void up(SampleProcesses processes) {
            processes.recipe("S01.sh");
            processes.await("worker");
        }

        @Test
        void one(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactlyInAnyOrder("root", "worker");
        }

        @Test
        void two(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactlyInAnyOrder("root", "worker");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S19cTestCase extends ShapeTestCase {
        @BeforeEach
        void up(SampleProcesses processes, TestInfo test) {
            processes.sleeper(test.getTestMethod().orElseThrow().getName());
        }

        @AfterEach
        void down(SampleProcesses processes, TestInfo test) {
            processes.end(test.getTestMethod().orElseThrow().getName());
        }

        @Test
        void one(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly("one");
        }

        @Test
        @Order(Integer.MAX_VALUE)
        @Override
        void the_next_test(SpawnedProcesses spawned) {
            assertThat(spawned.alive()).hasSize(1);
        }
    }

    @ExtendWith(SharedServer.class)
    @NoOrphanedProcesses(settle = SETTLE)
    static class S19dFirstTestCase extends ShapeTestCase {
        @Test
        void uses_the_server(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly(SharedServer.ROLE);
        }
    }

    @ExtendWith(SharedServer.class)
    @NoOrphanedProcesses(settle = SETTLE)
    static class S19dSecondTestCase extends ShapeTestCase {
        @Test
        void uses_the_server(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly(SharedServer.ROLE);
        }
    }

    /** Sends USR1 and waits for the helper that it brings about. */
    private static void nextHelper(SampleProcesses processes, int number) {
        try {
            Process kill = new ProcessBuilder(
                            "kill", "-USR1", String.valueOf(processes.id("root").pid()))
                    .start();
            assertThat(kill.waitFor()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        processes.await("helper-" + number);
    }

    @NoOrphanedProcesses(settle = SETTLE)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class S20aTestCase extends ShapeTestCase {
        @BeforeAll
        static void up(SampleProcesses processes) {
            processes.recipe("S20.sh");
            processes.await("clock");
        }

        @Test
        void session_1(SampleProcesses processes) {
            nextHelper(processes, 1);
        }

        @Test
        void session_2(SampleProcesses processes) {
            nextHelper(processes, 2);
        }

        @Test
        void session_3(SampleProcesses processes) {
            nextHelper(processes, 3);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S20bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.recipe("S20.sh");
            processes.await("clock");
            for (int number = 1; number <= 3; number++) {
                nextHelper(processes, number);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S21aTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            for (int attempt = 1; attempt <= 3; attempt++) {
                assertThat(startAttempt(processes, "S21.sh", attempt).waitFor()).isEqualTo(1);
                processes.await("attempt-" + attempt);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S21bTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            Process first = startAttempt(processes, "S01.sh", 1);
            awaitSeen(spawned, processes.await("worker"), processes.id("root-1"));
            first.destroy();
            first.waitFor();
            assertThat(startAttempt(processes, "S21.sh", 2).waitFor()).isEqualTo(1);
            processes.await("attempt-2");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class S21cTestCase extends ShapeTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            startAttempt(processes, "S21c.sh", 1);
            processes.await("attempt-1");
            startAttempt(processes, "S21c.sh", 2);
            processes.await("attempt-2");
        }
    }

    private static Process startAttempt(SampleProcesses processes, String recipe, int attempt) {
        ProcessBuilder builder = SampleProcesses.silent(processes.builder("sh", SampleProcesses.path(recipe)));
        builder.environment().put("ATTEMPT", String.valueOf(attempt));
        return processes.start("root-" + attempt, builder);
    }
}
