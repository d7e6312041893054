/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.internal.observe.ThreadMarks;
import org.noorphans.model.ProcessId;

/** Every test marks a thread of its own, so that the thread that runs the tests stays as it is. */
@EnabledOnOs(OS.LINUX)
class IoPriorityMarksTests {
    private static final int SLOT = 777;

    private final StartedProcesses processes = new StartedProcesses();
    private final IoPriorityMarks marks = new IoPriorityMarks();

    @BeforeEach
    void assumeTheKernelHasTheMark() {
        assumeThat(marks.isSupported())
                .as("this kernel keeps a hint in the I/O priority (Linux 6.5 and later)")
                .isTrue();
    }

    @AfterEach
    void endProcesses() {
        processes.close();
    }

    private static <T> T onANewThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "marks-test");
        thread.start();
        try {
            return task.get();
        } finally {
            thread.join();
        }
    }

    private <T> T marked(Callable<T> work) throws Exception {
        return onANewThread(() -> {
            marks.mark(SLOT);
            return work.call();
        });
    }

    private static long task() {
        return LibC.syscall(LibC.SYS_GETTID, 0, 0, 0, 0);
    }

    private static String ionice(long task) {
        StringBuilder output = new StringBuilder();
        assertThat(StartedProcesses.run(output, Duration.ofSeconds(20), List.of("ionice", "-p", String.valueOf(task))))
                .isZero();
        return output.toString().trim();
    }

    @Test
    void is_found_on_the_thread_itself() throws Exception {
        assertThat(marked(() -> marks.slotOfTask(task()))).isEqualTo(SLOT);
        assertThat(marked(() -> marks.slotOfTask(0))).isEqualTo(SLOT);
    }

    @Test
    void every_slot_comes_back_as_it_was_put() throws Exception {
        onANewThread(() -> {
            for (int slot = ThreadMarks.FIRST_SLOT; slot <= ThreadMarks.LAST_SLOT; slot++) {
                marks.mark(slot);
                assertThat(marks.slotOfTask(0)).isEqualTo(slot);
            }
            return null;
        });
    }

    @Test
    void is_inherited_by_a_child() throws Exception {
        assertThat(marks.slotOfTask(marked(processes::sleep).pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_by_a_grandchild_whose_parent_has_gone() throws Exception {
        List<ProcessId> two = marked(() -> processes.announced("sleep 60 >/dev/null & echo $!; wait"));
        StartedProcesses.end(two.get(0));
        assertThat(marks.slotOfTask(two.get(1).pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_by_a_daemon_with_a_session_of_its_own() throws Exception {
        List<ProcessId> daemon =
                marked(() -> processes.announced("setsid sh -c 'sleep 60 >/dev/null & echo $!' & wait; exec sleep 60"));
        assertThat(marks.slotOfTask(daemon.get(1).pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_without_any_environment() throws Exception {
        List<ProcessId> two = marked(() -> processes.announced("env -i sleep 60 >/dev/null & echo $!; wait"));
        Awaitility.await().until(() -> ProcFacts.state(two.get(1).pid()).isPresent());
        assertThat(marks.slotOfTask(two.get(1).pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_by_a_child_under_another_user() throws Exception {
        assumeThat(LibC.getpid() > 0 && "root".equals(System.getProperty("user.name")))
                .as("the tests run as root")
                .isTrue();
        ProcessId foreign = marked(() ->
                processes.start("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sleep", "60"));
        assertThat(marks.slotOfTask(foreign.pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_by_threads_and_by_what_they_start() throws Exception {
        ProcessId child = marked(() -> onANewThread(() -> onANewThread(processes::sleep)));
        assertThat(marks.slotOfTask(child.pid())).isEqualTo(SLOT);
    }

    @Test
    void is_inherited_by_the_threads_of_a_pool_that_the_marked_thread_made() throws Exception {
        ProcessId child = marked(() -> {
            ExecutorService pool = Executors.newFixedThreadPool(2);
            try {
                return pool.submit(processes::sleep).get();
            } finally {
                pool.shutdown();
            }
        });
        assertThat(marks.slotOfTask(child.pid())).isEqualTo(SLOT);
    }

    @Test
    void does_not_reach_a_thread_that_was_there_before() throws Exception {
        ExecutorService before = Executors.newSingleThreadExecutor();
        try {
            before.submit(() -> {}).get();
            ProcessId child = marked(() -> before.submit(processes::sleep).get());
            assertThat(marks.slotOfTask(child.pid())).isZero();
        } finally {
            before.shutdown();
        }
    }

    @Test
    void does_not_reach_a_process_that_was_there_before() throws Exception {
        List<ProcessId> two = marked(() -> {
            ProcessId before = onANewThreadWithoutMark(processes::sleep);
            return List.of(before, processes.sleep());
        });
        assertThat(marks.slotOfTask(two.get(0).pid())).isZero();
        assertThat(marks.slotOfTask(two.get(1).pid())).isEqualTo(SLOT);
    }

    private <T> T onANewThreadWithoutMark(Callable<T> work) throws Exception {
        return onANewThread(() -> {
            marks.restore(0, marks.withoutSlot(marks.mark(SLOT)));
            return work.call();
        });
    }

    @Test
    void is_gone_after_it_was_restored() throws Exception {
        onANewThread(() -> {
            int before = marks.mark(SLOT);
            marks.restore(0, before);
            assertThat(marks.slotOfTask(0)).isZero();
            assertThat(marks.slotOfTask(processes.sleep().pid())).isZero();
            return null;
        });
    }

    @Test
    void is_restored_by_another_thread_that_knows_the_task() throws Exception {
        onANewThread(() -> {
            long task = task();
            int before = marks.mark(SLOT);
            onANewThread(() -> {
                marks.restore(task, before);
                return null;
            });
            assertThat(marks.slotOfTask(0)).isZero();
            return null;
        });
    }

    @Test
    void leaves_the_priority_as_it_was_before_when_it_is_restored() throws Exception {
        onANewThread(() -> {
            String before = ionice(task());
            marks.restore(0, marks.mark(SLOT));
            assertThat(ionice(task())).isEqualTo(before);
            return null;
        });
    }

    @Test
    void leaves_a_priority_that_somebody_chose() throws Exception {
        onANewThread(() -> {
            assertThat(StartedProcesses.run(
                            new StringBuilder(),
                            Duration.ofSeconds(20),
                            List.of("ionice", "-c", "2", "-n", "7", "-p", String.valueOf(task()))))
                    .isZero();
            int before = marks.mark(SLOT);
            assertThat(marks.slotOfTask(0)).isEqualTo(SLOT);
            assertThat(before & 7).isEqualTo(7);
            int marked = marks.mark(SLOT);
            assertThat(marked & 7).as("the level under the mark").isEqualTo(7);
            marks.restore(0, before);
            assertThat(ionice(task())).isEqualTo("best-effort: prio 7");
            return null;
        });
    }

    @Test
    void nests() throws Exception {
        onANewThread(() -> {
            int none = marks.mark(100);
            int outer = marks.mark(200);
            assertThat(marks.slotOf(outer)).isEqualTo(100);
            assertThat(marks.slotOfTask(0)).isEqualTo(200);
            marks.restore(0, outer);
            assertThat(marks.slotOfTask(0)).isEqualTo(100);
            marks.restore(0, none);
            assertThat(marks.slotOfTask(0)).isZero();
            return null;
        });
    }

    @Test
    void of_a_scope_that_has_ended_is_taken_out_of_a_value() throws Exception {
        onANewThread(() -> {
            marks.mark(100);
            int stale = marks.mark(200);
            marks.restore(0, marks.withoutSlot(stale));
            assertThat(marks.slotOfTask(0)).isZero();
            return null;
        });
        assertThat(marks.withoutSlot(0)).isZero();
        assertThat(marks.slotOf(marks.withoutSlot(2 << 13 | 777 << 3 | 6))).isZero();
        assertThat(marks.withoutSlot(2 << 13 | 777 << 3 | 6)).isEqualTo(2 << 13 | 6);
        assertThat(marks.withoutSlot(2 << 13 | 5 << 3 | 6))
                .as("a hint for disks that is not ours")
                .isEqualTo(2 << 13 | 5 << 3 | 6);
    }

    @Test
    void of_the_threads_of_this_jvm_are_listed() throws Exception {
        boolean[] carried = marked(() -> {
            FutureTask<boolean[]> listing = new FutureTask<>(marks::slotsOnOwnThreads);
            Thread other = new Thread(listing);
            other.start();
            return listing.get();
        });
        assertThat(carried).hasSize(ThreadMarks.LAST_SLOT + 1);
        assertThat(carried[SLOT]).isTrue();
        Awaitility.await().until(() -> !marks.slotsOnOwnThreads()[SLOT]);
    }

    @Test
    void of_what_is_not_there_is_none() throws Exception {
        assertThat(marks.slotOfTask(Integer.MAX_VALUE - 7)).isZero();
        ProcessId child = marked(processes::sleep);
        StartedProcesses.end(child);
        Awaitility.await()
                .until(() ->
                        ProcFacts.identity(child.pid()).filter(child::equals).isEmpty());
        assertThat(marks.slotOfTask(child.pid())).isZero();
    }

    @Test
    void is_lost_by_a_program_that_sets_its_own_priority() throws Exception {
        ProcessId child = marked(() -> processes.start("ionice", "-c", "3", "sleep", "60"));
        Awaitility.await().until(() -> marks.slotOfTask(child.pid()) == 0);
    }

    @Test
    void testing_for_it_leaves_the_thread_as_it_was() throws Exception {
        onANewThread(() -> {
            marks.mark(SLOT);
            assertThat(new IoPriorityMarks().isSupported()).isTrue();
            assertThat(marks.slotOfTask(0)).isEqualTo(SLOT);
            return null;
        });
    }
}
