/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.ProcessTableReaderContract;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

@EnabledOnOs(OS.LINUX)
class LinuxProcessTableReaderTests {
    private final StartedProcesses processes = new StartedProcesses();

    private final ProcessTableReader reader = LinuxPlatform.create(Switches.ALL).reader();

    @AfterEach
    void endProcesses() {
        processes.close();
    }

    @Nested
    class With_every_mechanism extends ProcessTableReaderContract {
        @Override
        protected World createWorld() {
            return new LinuxWorld(Switches.ALL);
        }
    }

    @Nested
    class Without_the_lists_of_children extends ProcessTableReaderContract {
        @Override
        protected World createWorld() {
            return new LinuxWorld(new Switches(true, true, false, true));
        }
    }

    @Test
    void a_child_is_listed_under_the_thread_that_forked_it() throws Exception {
        ProcessId[] child = new ProcessId[1];
        long[] task = new long[1];
        ProcessTable[] whileTheThreadLives = new ProcessTable[1];
        Thread thread = new Thread(
                () -> {
                    task[0] = reader.currentTask().orElseThrow();
                    child[0] = processes.sleep();
                    whileTheThreadLives[0] = reader.ownTree();
                },
                "forking-thread");
        thread.start();
        thread.join();
        assertThat(whileTheThreadLives[0].taskOf(child[0].pid())).contains(task[0]);
        // It moves to the main task when the thread has ended.
        Awaitility.await()
                .until(() -> reader.ownTree()
                        .taskOf(child[0].pid())
                        .filter(now -> now == reader.self().pid())
                        .isPresent());
    }

    @Test
    void the_kernel_knows_the_name_of_a_thread() throws Exception {
        String[] name = new String[1];
        Thread thread = new Thread(
                () -> name[0] =
                        reader.threadName(reader.currentTask().orElseThrow()).orElseThrow(),
                "worker-7");
        thread.start();
        thread.join();
        assertThat(name[0]).isEqualTo("worker-7");
    }

    @Test
    void a_blocked_term_counts_as_caught() {
        List<ProcessId> perl = processes.announced(
                "perl",
                "-MPOSIX",
                "-e",
                "$| = 1; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); print qq(\\n); sleep 60");
        assertThat(reader.termHandling(perl.get(0).pid())).isEqualTo(TermHandling.CAUGHT);
    }

    @Test
    void a_name_with_every_nasty_character_is_read() {
        ProcessId perl = processes
                .announced(
                        "perl",
                        "-e",
                        "$| = 1; open(F, '>', '/proc/self/comm'); syswrite(F, qq[) Z 1 (\\n\\xff]); close F;"
                                + " print qq(\\n); sleep 60")
                .get(0);
        ProcessRow row = reader.ownTree().row(perl).orElseThrow();
        assertThat(row.name()).isEqualTo(") Z 1 (\n\ufffd");
        assertThat(row.isAlive()).isTrue();
        assertThat(row.parentPid()).isEqualTo(reader.self().pid());
    }

    @Test
    void a_title_that_a_process_wrote_itself_is_its_command_line() {
        ProcessId perl = processes
                .announced("perl", "-e", "$| = 1; $0 = qq(my\\nown title); print qq(\\n); sleep 60")
                .get(0);
        assertThat(reader.commandLine(perl.pid())).contains("my\nown title");
    }

    @Test
    void a_command_line_that_is_longer_than_a_buffer_is_read_whole_up_to_a_bound() {
        String argument = "x".repeat(20_000);
        ProcessId child = processes.start("perl", "-e", "sleep 60", argument);
        Awaitility.await()
                .until(() -> reader.commandLine(child.pid())
                        .filter(line -> line.endsWith(argument))
                        .isPresent());
        ProcessId longer = processes.start("sleep", "60", "0".repeat(100_000));
        Awaitility.await()
                .until(() -> reader.commandLine(longer.pid())
                                .filter(line -> line.startsWith("sleep") || !ProcFacts.isAlive(longer))
                                .isPresent()
                        || !ProcFacts.isAlive(longer));
        assertThat(reader.commandLine(longer.pid()).map(String::length).orElse(0))
                .isLessThanOrEqualTo(64 * 1024);
    }

    @Test
    void a_long_list_of_children_is_read_whole() {
        List<ProcessId> all = processes.announced(
                "i=0; while [ $i -lt 400 ]; do sleep 60 >/dev/null & p=\"$p $!\"; i=$((i+1)); done; echo $p; wait");
        assertThat(all).hasSize(401);
        assertThat(reader.ownTree().ids()).containsAll(all);
    }

    @Test
    void a_deep_tree_is_read_to_its_end() {
        String script =
                "n=$1; p=\"$2 $$\"; if [ $n -gt 0 ]; then sh \"$0\" $((n-1)) \"$p\"; else echo $p; read -r l; fi; :";
        ProcessId[] ids = deep(script, 60).toArray(ProcessId[]::new);
        assertThat(reader.ownTree().ids()).contains(ids);
        assertThat(reader.ownTree().ancestorsOf(ids[ids.length - 1].pid())).hasSizeGreaterThanOrEqualTo(60);
    }

    @TempDir
    Path folder;

    private List<ProcessId> deep(String script, int depth) {
        try {
            Path file = Files.writeString(folder.resolve("deep.sh"), script);
            return processes.announced("sh", file.toString(), String.valueOf(depth), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kernel promises a list of children only while they hold still; a look must not lose the living. */
    @RepeatedTest(3)
    void no_living_process_is_missed_while_others_come_and_go() {
        List<ProcessId> still =
                IntStream.range(0, 20).mapToObj(i -> processes.sleep()).toList();
        ProcessId restless = processes.sh(
                "i=0; while [ $i -lt 4000 ]; do /bin/true & i=$((i+1));" + " [ $((i % 20)) = 0 ] && wait; done");
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        int looks = 0;
        while (System.nanoTime() < end && ProcFacts.isAlive(restless)) {
            ProcessTable tree = reader.ownTree();
            assertThat(tree.ids()).containsAll(still);
            looks++;
        }
        assertThat(looks).isPositive();
    }

    /** Its main thread has ended and is listed as a zombie; the others run on. */
    @Test
    void a_process_whose_main_thread_has_ended_is_alive() {
        assumeThat(StartedProcesses.run(
                        new StringBuilder(), Duration.ofSeconds(20), List.of("perl", "-Mthreads", "-e", "exit 0")))
                .as("perl with threads")
                .isZero();
        String exitOfThisThread = "aarch64".equals(System.getProperty("os.arch")) ? "93" : "60";
        ProcessId perl = processes
                .announced(
                        "perl",
                        "-Mthreads",
                        "-e",
                        "$| = 1; threads->create(sub { sleep 60 })->detach; print qq(\\n); syscall(" + exitOfThisThread
                                + ", 0)")
                .get(0);
        StartedProcesses.awaitState(perl, "Z");
        try {
            assertThat(reader.ownTree().isAlive(perl)).isTrue();
        } finally {
            // The helper takes the state letter at its word.
            ProcessHandle.of(perl.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
