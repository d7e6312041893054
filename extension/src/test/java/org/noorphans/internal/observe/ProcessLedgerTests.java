/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.internal.fake.FakeMachine.JVM;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.fake.FakeMachine;
import org.noorphans.internal.observe.ProcessRecord.Origin;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

class ProcessLedgerTests {
    /** Numbers that no process of the real machine has: the names of real threads of the JDK are looked at. */
    private static final long A = 5_000_001;

    private static final long B = 5_000_002;
    private static final long C = 5_000_003;
    private static final long WORKER = 777;
    private static final long PATIENCE = 10;

    private final FakeMachine machine = new FakeMachine();
    private final ProcessLedger ledger = new ProcessLedger(machine, machine.marks());

    private ProcessTable look() {
        machine.advance(Duration.ofMillis(10));
        ProcessTable tree = machine.ownTree();
        ledger.record(tree);
        return tree;
    }

    private ProcessRecord record(FakeMachine.Handle process) {
        return ledger.find(process.id()).orElseThrow();
    }

    @Nested
    class The_origin {
        @Test
        void of_a_child_that_is_listed_under_another_task_than_the_main_one_is_this_jvm() {
            machine.runOn(WORKER, "worker-1");
            var child = machine.start(A, JVM);
            look();
            assertThat(record(child).origin()).isEqualTo(Origin.CHILD_OF_JVM);
            assertThat(record(child).forkingTask()).hasValue(WORKER);
            assertThat(record(child).forkingThread()).contains("worker-1");
            assertThat(record(child).firstParent()).isEqualTo(machine.self());
        }

        @Test
        void of_a_child_under_the_main_task_that_a_thread_of_the_jdk_waits_for_is_this_jvm() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            try (var waiting = new NamedThread("process reaper (pid " + A + ")", false)) {
                waiting.awaitStarted();
                look();
            }
            assertThat(record(child).origin()).isEqualTo(Origin.CHILD_OF_JVM);
            assertThat(record(child).forkingTask()).isEmpty();
        }

        @Test
        void of_a_living_child_under_the_main_task_that_nobody_waits_for_is_an_adoption() {
            var child = machine.start(A, JVM).underTask(JVM);
            look();
            assertThat(record(child).origin()).isEqualTo(Origin.ADOPTED_UNSEEN);
            assertThat(record(child).isAdopted()).isTrue();
        }

        @Test
        void of_a_dead_child_under_the_main_task_is_unknown() {
            var child = machine.start(A, JVM).underTask(JVM);
            child.exit();
            look();
            assertThat(record(child).origin()).isEqualTo(Origin.UNKNOWN);
        }

        @Test
        void is_unknown_while_a_thread_of_the_jdk_has_not_told_what_it_waits_for() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            try (var starting = new NamedThread("process reaper", false)) {
                starting.awaitStarted();
                look();
            }
            assertThat(record(child).origin()).isEqualTo(Origin.UNKNOWN);
        }

        @Test
        void is_told_although_an_idle_thread_of_the_jdk_waits_for_work() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            try (var idle = new NamedThread("process reaper", true)) {
                idle.awaitStarted();
                look();
            }
            assertThat(record(child).origin()).isEqualTo(Origin.ADOPTED_UNSEEN);
        }

        @Test
        void is_unknown_where_the_kernel_lists_no_children() {
            var child = machine.start(A, JVM);
            machine.advance(Duration.ofMillis(10));
            ledger.record(ProcessTable.of(machine.ownTree().rows()));
            assertThat(record(child).origin()).isEqualTo(Origin.UNKNOWN);
        }

        @Test
        void of_a_grandchild_is_its_parent() {
            var child = machine.start(A, JVM);
            var grandchild = machine.start(B, A);
            look();
            assertThat(record(grandchild).origin()).isEqualTo(Origin.CHILD_OF_PROCESS);
            assertThat(record(grandchild).firstParent()).isEqualTo(child.id());
            assertThat(record(grandchild).isAdopted()).isFalse();
        }

        @Test
        void of_a_process_whose_parent_is_not_in_the_picture_is_an_adoption() {
            var stray = machine.start(A, 1);
            ledger.record(ProcessTable.of(List.of(machine.row(JVM).orElseThrow(), stray.row())));
            assertThat(record(stray).origin()).isEqualTo(Origin.ADOPTED_UNSEEN);
        }
    }

    @Nested
    class An_orphan {
        @Test
        void keeps_its_first_parent() {
            var wrapper = machine.start(A, JVM);
            var worker = machine.start(B, A);
            look();
            wrapper.exitCollected();
            look();
            assertThat(record(worker).firstParent()).isEqualTo(wrapper.id());
            assertThat(record(worker).origin()).isEqualTo(Origin.CHILD_OF_PROCESS);
            assertThat(record(worker).orphaned()).isTrue();
            assertThat(record(worker).isAdopted()).isTrue();
            assertThat(record(worker).row().parentPid()).isEqualTo(JVM);
        }

        @Test
        void stays_one_when_it_is_handed_on_again() {
            machine.start(A, JVM);
            var inner = machine.start(B, A);
            var worker = machine.start(C, B);
            look();
            inner.exitCollected();
            look();
            look();
            assertThat(record(worker).firstParent()).isEqualTo(inner.id());
            assertThat(record(worker).orphaned()).isTrue();
        }

        @Test
        void knows_its_parent_when_the_number_of_the_parent_has_passed_on() {
            var wrapper = machine.start(A, JVM);
            var worker = machine.start(B, A);
            look();
            wrapper.exitCollected();
            machine.advance(Duration.ofSeconds(1));
            var stranger = machine.start(A, JVM);
            look();
            assertThat(record(worker).firstParent()).isEqualTo(wrapper.id()).isNotEqualTo(stranger.id());
            assertThat(ledger.findByPid(A)).extracting(ProcessRecord::id).containsExactly(wrapper.id(), stranger.id());
        }
    }

    @Nested
    class What_has_gone {
        @Test
        void is_remembered_with_the_moment_of_the_first_look_that_missed_it() {
            var child = machine.start(A, JVM);
            look();
            assertThat(record(child).goneSince()).isEmpty();
            child.exitCollected();
            look();
            long noticed = machine.now();
            look();
            assertThat(record(child).goneSince()).hasValue(noticed);
            assertThat(ledger.living()).isEmpty();
            assertThat(ledger.all()).extracting(ProcessRecord::id).containsExactly(child.id());
            assertThat(ledger.isAllGone()).isTrue();
        }

        @Test
        void includes_a_zombie() {
            var child = machine.start(A, JVM);
            look();
            child.exit();
            look();
            long noticed = machine.now();
            look();
            assertThat(record(child).goneSince()).hasValue(noticed);
            assertThat(ledger.living()).isEmpty();
        }

        @Test
        void includes_a_process_that_was_a_zombie_at_first_sight() {
            var child = machine.start(A, JVM);
            child.exit();
            look();
            assertThat(ledger.living()).isEmpty();
            assertThat(record(child).goneSince()).hasValue(machine.now());
        }

        @Test
        void keeps_its_command_line() {
            var child = machine.start(A, JVM).commandLine("node server.js");
            look();
            child.exit();
            look();
            assertThat(record(child).commandLine()).contains("node server.js");
        }

        @Test
        void is_alive_again_if_only_one_look_missed_it() {
            var child = machine.start(A, JVM);
            look();
            child.hidden(true);
            look();
            child.hidden(false);
            look();
            assertThat(ledger.living()).extracting(ProcessRecord::id).containsExactly(child.id());
            assertThat(record(child).goneSince()).isEmpty();
            assertThat(ledger.isAllGone()).isFalse();
        }

        @Test
        void is_forgotten_oldest_first_but_never_while_it_lives() {
            var old = machine.start(A, JVM);
            var template = old.row();
            ProcessRow jvm = machine.row(JVM).orElseThrow();
            long first = 6_000_000;
            long last = first + ProcessLedger.REMEMBERED;
            for (long from = first; from <= last; from += 1_000) {
                List<ProcessRow> rows = new ArrayList<>(List.of(jvm, old.row()));
                for (long pid = from; pid < from + 1_000; pid++) {
                    rows.add(new ProcessRow(
                            new ProcessId(pid, 5_000),
                            JVM,
                            template.groupId(),
                            template.sessionId(),
                            ProcessState.SLEEPING,
                            "brief"));
                }
                ledger.record(ProcessTable.of(rows));
            }
            ledger.record(ProcessTable.of(List.of(jvm, old.row())));
            assertThat(ledger.all().size()).isLessThanOrEqualTo(ProcessLedger.REMEMBERED);
            assertThat(ledger.living()).extracting(ProcessRecord::id).containsExactly(old.id());
            assertThat(ledger.findByPid(first)).isEmpty();
            assertThat(ledger.findByPid(last)).hasSize(1);
        }
    }

    @Test
    void does_not_record_this_jvm() {
        look();
        assertThat(ledger.all()).isEmpty();
        assertThat(ledger.looks()).isEqualTo(1);
    }

    @Test
    void keeps_the_mark_of_first_sight() {
        var child = machine.start(A, JVM).marked(99);
        look();
        child.marked(100);
        look();
        assertThat(record(child).mark()).isEqualTo(99);
    }

    @Test
    void reads_the_command_line_again_when_the_first_reading_was_that_of_the_parent() {
        var child = machine.start(A, JVM).commandLine("java -jar build-tool.jar");
        look();
        child.commandLine("sleep 60");
        look();
        assertThat(record(child).commandLine()).contains("sleep 60");
    }

    @Test
    void reads_the_command_line_again_when_the_name_changes() {
        var child = machine.start(A, JVM).commandLine("sh wrapper.sh");
        look();
        look();
        look();
        look();
        child.named("node").commandLine("node server.js");
        look();
        assertThat(record(child).commandLine()).contains("node server.js");
        assertThat(record(child).row().name()).isEqualTo("node");
    }

    @Test
    void takes_two_processes_with_one_number_for_two() {
        var first = machine.start(A, JVM);
        look();
        first.exitCollected();
        machine.advance(Duration.ofMillis(20));
        var second = machine.start(A, JVM);
        look();
        assertThat(ledger.find(first.id()).orElseThrow().goneSince()).isPresent();
        assertThat(ledger.living()).extracting(ProcessRecord::id).containsExactly(second.id());
        assertThat(ledger.find(new ProcessId(A, 1))).isEmpty();
    }

    /** Not proven means not collected: a stolen exit code is worse than a zombie. */
    @Nested
    class A_zombie_is_collected {
        @Test
        void at_once_if_it_was_seen_under_another_parent() {
            var wrapper = machine.start(A, JVM);
            var worker = machine.start(B, A);
            look();
            wrapper.exitCollected();
            worker.exit();
            assertThat(ledger.collectable(look(), PATIENCE)).containsExactly(worker.id());
        }

        @Test
        void if_it_was_dead_already_when_it_was_seen_under_another_parent() {
            var wrapper = machine.start(A, JVM);
            var worker = machine.start(B, A);
            var zombie = new ProcessRow(
                    worker.id(), A, worker.row().groupId(), worker.row().sessionId(), ProcessState.ZOMBIE, "worker");
            ledger.record(ProcessTable.of(List.of(machine.row(JVM).orElseThrow(), wrapper.row(), zombie)));
            wrapper.exitCollected();
            worker.exit();
            assertThat(ledger.collectable(look(), PATIENCE)).containsExactly(worker.id());
        }

        @Test
        void after_a_while_if_it_is_under_the_main_task_and_nobody_waits_for_it() {
            var unknown = machine.start(A, JVM).underTask(JVM);
            unknown.exit();
            assertThat(ledger.collectable(look(), PATIENCE)).isEmpty();
            machine.advance(Duration.ofMillis(80));
            assertThat(ledger.collectable(look(), PATIENCE)).isEmpty();
            assertThat(ledger.collectable(look(), PATIENCE)).containsExactly(unknown.id());
        }

        @Test
        void after_a_while_if_it_lived_as_an_adopted_process() {
            var adopted = machine.start(A, JVM).underTask(JVM);
            look();
            assertThat(record(adopted).origin()).isEqualTo(Origin.ADOPTED_UNSEEN);
            adopted.exit();
            assertThat(ledger.collectable(look(), PATIENCE)).isEmpty();
            machine.advance(Duration.ofMillis(100));
            assertThat(ledger.collectable(look(), PATIENCE)).containsExactly(adopted.id());
        }
    }

    @Nested
    class A_zombie_is_never_collected {
        private List<ProcessId> collectableAfterAMinute() {
            look();
            machine.advance(Duration.ofMinutes(1));
            return ledger.collectable(look(), PATIENCE);
        }

        @Test
        void if_this_jvm_forked_it() {
            machine.runOn(WORKER, "worker-1");
            var child = machine.start(A, JVM);
            look();
            child.underTask(JVM);
            child.exit();
            assertThat(collectableAfterAMinute()).isEmpty();
        }

        @Test
        void if_it_is_listed_under_another_task_than_the_main_one() {
            machine.runOn(WORKER, "worker-1");
            var child = machine.start(A, JVM);
            child.exit();
            assertThat(collectableAfterAMinute()).isEmpty();
        }

        @Test
        void if_a_thread_of_the_jdk_waits_for_it() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            child.exit();
            look();
            try (var waiting = new NamedThread("process reaper (pid " + A + ")", false)) {
                waiting.awaitStarted();
                assertThat(collectableAfterAMinute()).isEmpty();
            }
        }

        @Test
        void if_a_thread_of_the_jdk_waited_for_it_while_it_lived() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            try (var waiting = new NamedThread("process reaper (pid " + A + ")", false)) {
                waiting.awaitStarted();
                look();
            }
            child.exit();
            assertThat(collectableAfterAMinute()).isEmpty();
        }

        @Test
        void while_a_thread_of_the_jdk_has_not_told_what_it_waits_for() throws Exception {
            var child = machine.start(A, JVM).underTask(JVM);
            child.exit();
            try (var starting = new NamedThread("process reaper", false)) {
                starting.awaitStarted();
                assertThat(collectableAfterAMinute()).isEmpty();
            }
            assertThat(collectableAfterAMinute()).containsExactly(child.id());
        }

        @Test
        void where_the_kernel_lists_no_children() {
            var child = machine.start(A, JVM).underTask(JVM);
            child.exit();
            look();
            machine.advance(Duration.ofMinutes(1));
            ProcessTable bare = ProcessTable.of(machine.ownTree().rows(), Map.of());
            ledger.record(bare);
            assertThat(ledger.collectable(bare, PATIENCE)).isEmpty();
        }

        @Test
        void while_another_process_is_its_parent() {
            machine.start(A, JVM);
            var worker = machine.start(B, A);
            var zombie = new ProcessRow(
                    worker.id(), A, worker.row().groupId(), worker.row().sessionId(), ProcessState.ZOMBIE, "worker");
            ProcessTable tree = ProcessTable.of(
                    List.of(machine.row(JVM).orElseThrow(), machine.row(A).orElseThrow(), zombie));
            ledger.record(tree);
            machine.advance(Duration.ofMinutes(1));
            ledger.record(tree);
            assertThat(ledger.collectable(tree, PATIENCE)).isEmpty();
        }

        @Test
        void before_it_was_recorded() {
            var child = machine.start(A, JVM).underTask(JVM);
            child.exit();
            assertThat(ledger.collectable(machine.ownTree(), 0)).isEmpty();
        }

        @Test
        void because_an_earlier_owner_of_its_number_was_adopted() {
            var wrapper = machine.start(A, JVM);
            var worker = machine.start(B, A);
            look();
            wrapper.exitCollected();
            worker.exitCollected();
            look();
            machine.advance(Duration.ofSeconds(1));
            machine.runOn(WORKER, "worker-1");
            var child = machine.start(B, JVM);
            child.exit();
            assertThat(collectableAfterAMinute()).isEmpty();
        }

        @Test
        void while_it_lives() {
            var wrapper = machine.start(A, JVM);
            machine.start(B, A);
            look();
            wrapper.exitCollected();
            assertThat(collectableAfterAMinute()).isEmpty();
        }
    }

    /** A thread that has the name of a thread of the JDK. */
    private static final class NamedThread implements AutoCloseable {
        private final CountDownLatch started = new CountDownLatch(1);
        private volatile boolean closed;
        private final Thread thread;
        private final boolean timed;

        NamedThread(String name, boolean timed) {
            this.timed = timed;
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            started.countDown();
            while (!closed) {
                if (timed) {
                    LockSupport.parkNanos(Duration.ofSeconds(60).toNanos());
                } else {
                    LockSupport.park();
                }
            }
        }

        void awaitStarted() throws InterruptedException {
            started.await();
            Thread.State wanted = timed ? Thread.State.TIMED_WAITING : Thread.State.WAITING;
            while (thread.getState() != wanted) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            LockSupport.unpark(thread);
            thread.join();
        }
    }
}
