/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.tuple;
import static org.noorphans.internal.fake.FakeMachine.JVM;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.fake.FakeMachine;
import org.noorphans.internal.fake.FakeMachine.Handle;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.observe.SpawnRecords;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.model.Ancestor;
import org.noorphans.model.Evidence;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.SpawnedProcess;
import org.noorphans.model.Termination.Outcome;

/**
 * Scopes on a machine that exists only here. The observer thread looks for itself at this machine too; what it sees does not
 * depend on its time, since processes appear under the lock of the machine only.
 */
class OrphanWatchTests {
    private static final Policy POLICY = new Policy(Duration.ofMillis(500), Duration.ofSeconds(1), true, true);
    private static final Policy ONLY_LOOK = new Policy(Duration.ofMillis(500), Duration.ofSeconds(1), false, true);
    private static final Duration SELDOM = Duration.ofDays(1);
    private static final long A = 5_000_001;
    private static final long B = 5_000_002;
    private static final long C = 5_000_003;

    private final FakeMachine machine = new FakeMachine();
    private final ProcessWatch watch = watch(machine.platform());
    private final OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
    private final OrphanWatch type = open(ScopeKind.CLASS, "A", run);

    private ProcessWatch watch(Platform platform) {
        return new ProcessWatch(platform, SpawnRecords.none("this is a test"), SELDOM, machine.pacing());
    }

    private OrphanWatch open(ScopeKind kind, String name, OrphanWatch parent) {
        machine.advance(Duration.ofMillis(20));
        OrphanWatch opened = OrphanWatch.open(watch, kind, name, null, parent);
        machine.advance(Duration.ofMillis(20));
        return opened;
    }

    private OrphanWatch test(String name) {
        return open(ScopeKind.TEST, name, type);
    }

    private static List<Long> pids(LeakReport report) {
        return report.leaks().stream().map(leak -> leak.survivor().row().pid()).toList();
    }

    private static List<Outcome> outcomes(LeakReport report) {
        return report.leaks().stream().map(leak -> leak.termination().outcome()).toList();
    }

    @Nested
    class A_clean_scope {
        @Test
        void ends_at_once() {
            OrphanWatch test = test("a1");
            long begin = machine.pacing().nanoTime();
            assertThat(test.endIfClean()).isTrue();
            assertThat(test.isEnded()).isTrue();
            assertThat(machine.pacing().nanoTime()).isEqualTo(begin);
        }

        @Test
        void stays_clean_if_its_processes_ended_in_time() {
            OrphanWatch test = test("a1");
            machine.start(A, JVM).exitCollected();
            assertThat(test.end(POLICY).isClean()).isTrue();
            assertThat(machine.signals()).isEmpty();
        }

        @Test
        void is_clean_although_a_zombie_is_left() {
            OrphanWatch test = test("a1");
            machine.start(A, JVM).exit();
            LeakReport report = test.end(POLICY);
            assertThat(report.isClean()).isTrue();
            assertThat(report.settled()).isZero();
        }

        @Test
        void waits_as_long_as_the_last_process_needs_to_end_by_itself() {
            OrphanWatch test = test("a1");
            Handle process = machine.start(A, JVM);
            machine.after(Duration.ofMillis(300), process::exitCollected);
            LeakReport report = test.end(POLICY);
            assertThat(report.isClean()).isTrue();
            assertThat(report.settled()).isBetween(Duration.ofMillis(300), Duration.ofMillis(360));
            assertThat(machine.signals()).isEmpty();
        }

        @Test
        void ends_once() {
            OrphanWatch test = test("a1");
            assertThat(test.endIfClean()).isTrue();
            machine.start(A, JVM);
            assertThat(test.end(POLICY).isClean()).isTrue();
            assertThat(test.endIfClean()).isTrue();
            assertThat(machine.signals()).isEmpty();
        }
    }

    @Nested
    class A_leak {
        @Test
        void is_reported_and_ended() {
            OrphanWatch test = test("a1");
            Handle process = machine.start(A, JVM).commandLine("node server.js");
            assertThat(test.endIfClean()).isFalse();
            LeakReport report = test.end(POLICY);
            assertThat(report.scope().name()).isEqualTo("a1");
            assertThat(report.leaks()).hasSize(1);
            assertThat(report.leaks().get(0).survivor().commandLine()).isEqualTo("node server.js");
            assertThat(report.leaks().get(0).survivor().chainComplete()).isTrue();
            assertThat(outcomes(report)).containsExactly(Outcome.EXITED_ON_REQUEST);
            assertThat(process.isAlive()).isFalse();
            assertThat(report.settled()).isBetween(Duration.ofMillis(500), Duration.ofMillis(510));
        }

        @Test
        void has_its_chain_of_parents_with_those_that_have_gone() {
            OrphanWatch test = test("a1");
            Handle wrapper = machine.start(A, JVM).commandLine("sh agent");
            machine.start(B, A);
            watch.look();
            machine.advance(Duration.ofMillis(100));
            wrapper.exitCollected();
            var survivor = test.end(POLICY).leaks().get(0).survivor();
            assertThat(survivor.chain())
                    .extracting(Ancestor::id, Ancestor::commandLine)
                    .containsExactly(tuple(wrapper.id(), "sh agent"));
            assertThat(survivor.chain().get(0).endedAgo())
                    .hasValueSatisfying(ago -> assertThat(ago).isBetween(Duration.ZERO, Duration.ofSeconds(1)));
            assertThat(survivor.chainComplete()).isTrue();
            assertThat(survivor.evidence()).contains(new Evidence.Descent(A, false), new Evidence.Adopted(100));
        }

        @Test
        void says_so_if_its_parent_was_gone_before_it_was_seen() {
            OrphanWatch test = test("a1");
            Handle wrapper = machine.start(A, JVM);
            machine.start(B, A);
            wrapper.exitCollected();
            var survivor = test.end(POLICY).leaks().get(0).survivor();
            assertThat(survivor.chain()).isEmpty();
            assertThat(survivor.chainComplete()).isFalse();
        }

        @Test
        void is_left_alone_if_the_policy_says_so_and_not_reported_again() {
            OrphanWatch test = test("a1");
            Handle process = machine.start(A, JVM);
            assertThat(outcomes(test.end(ONLY_LOOK))).containsExactly(Outcome.LEFT_ALONE);
            assertThat(process.isAlive()).isTrue();
            assertThat(machine.signals()).isEmpty();
            assertThat(type.end(POLICY).isClean()).isTrue();
            assertThat(run.end(POLICY).isClean()).isTrue();
            assertThat(process.isAlive()).isTrue();
        }

        @Test
        void never_fails_the_next_test() {
            OrphanWatch first = test("a1");
            machine.start(A, JVM);
            first.end(ONLY_LOOK);
            OrphanWatch second = test("a2");
            assertThat(second.endIfClean()).isTrue();
        }

        @Test
        void lists_survivors_in_the_order_of_their_start() {
            OrphanWatch test = test("a1");
            machine.start(C, JVM);
            machine.advance(Duration.ofMillis(50));
            machine.start(A, JVM);
            machine.start(B, JVM);
            assertThat(pids(test.end(POLICY))).containsExactly(C, A, B);
        }

        @Test
        void that_no_signal_ends_is_told() {
            OrphanWatch test = test("a1");
            machine.start(A, JVM).inDiskWait().term(TermHandling.IGNORED);
            assertThat(outcomes(test.end(POLICY))).containsExactly(Outcome.STILL_THERE);
        }

        @Test
        void of_another_user_is_told_and_not_reported_again() {
            OrphanWatch test = test("a1");
            machine.start(A, JVM).foreign();
            assertThat(outcomes(test.end(POLICY))).containsExactly(Outcome.NOT_PERMITTED);
            assertThat(type.end(POLICY).isClean()).isTrue();
        }

        @Test
        void brings_its_latecomers_along() {
            OrphanWatch test = test("a1");
            Handle wrapper = machine.start(A, JVM).term(TermHandling.CAUGHT);
            machine.after(Duration.ofMillis(700), () -> machine.start(B, A).term(TermHandling.IGNORED));
            LeakReport report = test.end(POLICY);
            assertThat(pids(report)).containsExactly(A);
            assertThat(report.latecomers()).isEqualTo(1);
            assertThat(wrapper.isAlive()).isFalse();
            assertThat(machine.livingBelowJvm()).isEmpty();
        }

        /** Nothing hides: what could not be ended is named, also if it turned up late. */
        @Test
        void does_not_hide_a_latecomer_that_could_not_be_ended() {
            OrphanWatch test = test("a1");
            machine.start(A, JVM).term(TermHandling.CAUGHT);
            machine.after(
                    Duration.ofMillis(700),
                    () -> machine.start(B, A).inDiskWait().term(TermHandling.IGNORED));
            LeakReport report = test.end(POLICY);
            boolean told = pids(report).contains(B)
                    || pids(type.end(ONLY_LOOK)).contains(B)
                    || pids(run.end(ONLY_LOOK)).contains(B);
            assertThat(machine.row(B).orElseThrow().isAlive()).isTrue();
            assertThat(told).as("some report names the latecomer that lives").isTrue();
        }
    }

    @Nested
    class A_bystander {
        @Test
        void that_was_there_before_the_scope_is_neither_reported_nor_signalled() {
            Handle bystander = machine.start(A, JVM);
            machine.advance(Duration.ofMillis(20));
            OrphanWatch test = test("a1");
            machine.start(B, JVM);
            assertThat(pids(test.end(POLICY))).containsExactly(B);
            assertThat(machine.signals()).containsExactly("TERM " + B);
            assertThat(bystander.isAlive()).isTrue();
        }

        @Test
        void that_started_in_the_same_hundredth_of_a_second_is_neither() {
            Handle bystander = machine.start(A, JVM);
            OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "a1", null, type);
            machine.start(B, JVM);
            assertThat(pids(test.end(POLICY))).containsExactly(B);
            assertThat(bystander.isAlive()).isTrue();
        }

        @Test
        void that_was_there_before_every_scope_keeps_its_workers() {
            FakeMachine other = new FakeMachine();
            Handle bystander = other.start(A, JVM);
            other.advance(Duration.ofMillis(50));
            ProcessWatch watching =
                    new ProcessWatch(other.platform(), SpawnRecords.none("this is a test"), SELDOM, other.pacing());
            OrphanWatch theRun = OrphanWatch.open(watching, ScopeKind.RUN, "run", null, null);
            OrphanWatch theClass = OrphanWatch.open(watching, ScopeKind.CLASS, "A", null, theRun);
            OrphanWatch test = OrphanWatch.open(watching, ScopeKind.TEST, "a1", null, theClass);
            other.advance(Duration.ofMillis(50));
            Handle worker = other.start(B, A);
            assertThat(test.end(POLICY).isClean()).isTrue();
            assertThat(theClass.end(POLICY).isClean()).isTrue();
            assertThat(theRun.end(POLICY).isClean()).isTrue();
            assertThat(other.signals()).isEmpty();
            assertThat(bystander.isAlive()).isTrue();
            assertThat(worker.isAlive()).isTrue();
        }

        @Test
        void outside_the_tree_is_neither() {
            OrphanWatch test = test("a1");
            Handle sibling = machine.start(A, FakeMachine.BUILD_TOOL);
            machine.start(B, JVM);
            assertThat(pids(test.end(POLICY))).containsExactly(B);
            assertThat(sibling.isAlive()).isTrue();
        }

        @Test
        void of_another_test_is_neither() {
            OrphanWatch first = test("a1");
            machine.runOn(501, "other");
            OrphanWatch second = test("a2");
            Handle ofSecond = machine.start(A, JVM);
            machine.runOn(JVM + 1, "test-1");
            Handle ofFirst = machine.start(B, JVM);
            assertThat(pids(first.end(POLICY))).containsExactly(B);
            assertThat(ofFirst.isAlive()).isFalse();
            assertThat(ofSecond.isAlive()).isTrue();
            assertThat(pids(second.end(POLICY))).containsExactly(A);
        }
    }

    @Nested
    class A_fixture {
        @Test
        void of_the_class_is_judged_when_the_class_ends() {
            Handle fixture = machine.start(A, JVM);
            OrphanWatch test = test("a1");
            Handle helper = machine.start(B, A);
            assertThat(test.endIfClean()).isTrue();
            assertThat(fixture.isAlive()).isTrue();
            assertThat(helper.isAlive()).isTrue();
            LeakReport report = type.end(POLICY);
            assertThat(pids(report)).containsExactly(A, B);
            assertThat(report.leaks())
                    .extracting(leak -> leak.survivor().owner().name())
                    .containsOnly("A");
        }

        @Test
        void leaves_its_orphan_to_the_test() {
            Handle fixture = machine.start(A, JVM);
            OrphanWatch test = test("a1");
            Handle wrapper = machine.start(B, A);
            Handle orphan = machine.start(C, B);
            watch.look();
            wrapper.exitCollected();
            assertThat(pids(test.end(POLICY))).containsExactly(C);
            assertThat(orphan.isAlive()).isFalse();
            assertThat(fixture.isAlive()).isTrue();
        }
    }

    @Nested
    class What_a_test_left_unseen {
        @Test
        void is_told_by_its_class_with_the_name_of_the_test() {
            Handle fixture = machine.start(A, JVM);
            OrphanWatch test = test("a1");
            machine.start(B, A);
            assertThat(test.endIfClean()).isTrue();
            machine.advance(Duration.ofMillis(50));
            fixture.exitCollected();
            LeakReport report = type.end(POLICY);
            assertThat(report.scope().name()).isEqualTo("A");
            assertThat(report.leaks())
                    .extracting(
                            leak -> leak.survivor().row().pid(),
                            leak -> leak.survivor().owner().name())
                    .containsExactly(tuple(B, "a1"));
        }
    }

    @Nested
    class Between_two_threads {
        /** The kernel's "no child" is old by the time it is acted upon. */
        @Test
        void a_process_that_another_thread_has_just_seen_is_not_struck_off() {
            OrphanWatch test = test("a1");
            machine.start(B, JVM);
            watch.look();
            machine.send(machine.row(B).orElseThrow().id(), Signal.KILL);
            machine.reap(machine.row(B).orElseThrow().id());
            machine.duringHasNoChild(() -> {
                machine.start(A, JVM);
                watch.look();
            });
            assertThat(watch.isClean()).as("clean, although a process is alive").isFalse();
            assertThat(pids(test.end(POLICY))).containsExactly(A);
        }

        @Test
        void a_process_that_one_look_missed_is_still_reported() {
            OrphanWatch test = test("a1");
            Handle process = machine.start(A, JVM);
            watch.look();
            process.hidden(true);
            watch.look();
            process.hidden(false);
            assertThat(pids(test.end(POLICY))).containsExactly(A);
        }

        @Test
        void a_scope_that_another_thread_has_ended_does_not_hold_the_next() throws Exception {
            OrphanWatch test = test("a1");
            Thread other = new Thread(() -> test.end(POLICY));
            other.start();
            other.join();
            // Its class ends elsewhere as well, as when a store is closed by another thread.
            Thread another = new Thread(() -> {
                type.end(POLICY);
                run.end(POLICY);
            });
            another.start();
            another.join();
            assertThatCode(() -> {
                        OrphanWatch next = OrphanWatch.open(watch, ScopeKind.RUN, "next run", null, null);
                        next.end(POLICY);
                    })
                    .doesNotThrowAnyException();
        }

        @Test
        void many_scopes_at_once_end_and_nothing_is_left_open() throws Exception {
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> {
                        try {
                            start.await();
                        } catch (InterruptedException e) {
                            return;
                        }
                        for (int n = 0; n < 50; n++) {
                            OrphanWatch.open(watch, ScopeKind.TEST, "t" + i + "." + n, null, type)
                                    .endIfClean();
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(type.end(POLICY).isClean()).isTrue();
            assertThat(run.end(POLICY).isClean()).isTrue();
        }
    }

    @Nested
    class Adopted_zombies {
        @Test
        void are_collected_once_it_is_proven_that_this_jvm_did_not_fork_them() {
            test("a1");
            Handle wrapper = machine.start(A, JVM);
            Handle worker = machine.start(B, A);
            watch.look();
            wrapper.exitCollected();
            worker.exit();
            watch.look();
            assertThat(machine.row(B)).isEmpty();
        }

        @Test
        void are_left_to_the_jdk_if_this_jvm_forked_them() {
            test("a1");
            machine.start(A, JVM).exit();
            for (int i = 0; i < 20; i++) {
                machine.advance(Duration.ofMillis(100));
                watch.look();
            }
            assertThat(machine.row(A)).isPresent();
        }
    }

    @Nested
    class What_a_scope_has_spawned {
        @Test
        void is_listed_alive_and_gone_in_order_of_first_sight() {
            OrphanWatch test = test("a1");
            Handle first = machine.start(A, JVM);
            watch.look();
            machine.start(B, JVM);
            first.exit();
            assertThat(test.spawned())
                    .extracting(SpawnedProcess::pid, SpawnedProcess::isAlive)
                    .containsExactly(tuple(A, false), tuple(B, true));
        }

        @Test
        void is_awaited_within_bounds() {
            OrphanWatch test = test("a1");
            Handle process = machine.start(A, JVM);
            assertThat(test.awaitNone(Duration.ofMillis(100), Duration.ofMillis(10)))
                    .isFalse();
            machine.after(Duration.ofMillis(50), process::exit);
            assertThat(test.awaitNone(Duration.ofMillis(100), Duration.ofMillis(10)))
                    .isTrue();
        }
    }

    @Test
    void a_renamed_scope_reports_under_its_new_name() {
        OrphanWatch test = test("constructor");
        machine.start(A, JVM);
        test.rename("a1()", null);
        assertThat(test.end(POLICY).scope().name()).isEqualTo("a1()");
    }

    @Test
    void an_abandoned_scope_leaves_its_processes_to_the_class() {
        OrphanWatch test = test("a1");
        Handle process = machine.start(A, JVM);
        watch.look();
        test.abandon();
        assertThat(test.isEnded()).isTrue();
        assertThat(process.isAlive()).isTrue();
        assertThat(pids(type.end(POLICY))).containsExactly(A);
    }

    @Test
    void without_marks_two_tests_at_once_leave_the_blame_to_their_class() {
        FakeMachine old = new FakeMachine();
        ProcessWatch watching =
                new ProcessWatch(old.platformWithoutMarks(), SpawnRecords.none("this is a test"), SELDOM, old.pacing());
        OrphanWatch theRun = OrphanWatch.open(watching, ScopeKind.RUN, "run", null, null);
        OrphanWatch theClass = OrphanWatch.open(watching, ScopeKind.CLASS, "A", null, theRun);
        OrphanWatch first = OrphanWatch.open(watching, ScopeKind.TEST, "a1", null, theClass);
        OrphanWatch second = OrphanWatch.open(watching, ScopeKind.TEST, "a2", null, theClass);
        old.advance(Duration.ofMillis(50));
        old.start(A, JVM);
        assertThat(first.endIfClean()).isTrue();
        assertThat(second.endIfClean()).isTrue();
        LeakReport report = theClass.end(POLICY);
        assertThat(report.leaks())
                .extracting(Leak::survivor)
                .allSatisfy(survivor ->
                        assertThat(survivor.evidence()).contains(new Evidence.StartedInside(List.of("a1", "a2"))));
        assertThat(pids(report)).containsExactly(A);
    }

    /** Without a subreaper an orphan leaves the tree; what is taken for one gets signals, so it must be one. */
    @Nested
    class Without_a_subreaper {
        private final FakeMachine bare = new FakeMachine(false);
        private final ProcessWatch watching =
                new ProcessWatch(bare.platform(), SpawnRecords.none("this is a test"), SELDOM, bare.pacing());
        private final OrphanWatch theRun = OrphanWatch.open(watching, ScopeKind.RUN, "run", null, null);
        private final OrphanWatch theClass = OrphanWatch.open(watching, ScopeKind.CLASS, "A", null, theRun);

        private OrphanWatch openTest() {
            bare.advance(Duration.ofMillis(50));
            OrphanWatch test = OrphanWatch.open(watching, ScopeKind.TEST, "a1", null, theClass);
            bare.advance(Duration.ofMillis(50));
            return test;
        }

        private LeakReport end(OrphanWatch test) {
            return test.end(POLICY);
        }

        @Test
        void an_orphan_is_found_by_its_record() {
            OrphanWatch test = openTest();
            Handle wrapper = bare.start(A, JVM);
            Handle worker = bare.start(B, A);
            watching.look();
            wrapper.exitCollected();
            assertThat(worker.row().parentPid()).isEqualTo(1);
            assertThat(pids(end(test))).containsExactly(B);
            assertThat(worker.isAlive()).isFalse();
        }

        @Test
        void an_orphan_is_found_by_its_mark() {
            OrphanWatch test = openTest();
            Handle wrapper = bare.start(A, JVM);
            Handle worker = bare.start(B, A);
            wrapper.exitCollected();
            assertThat(pids(end(test))).containsExactly(B);
            assertThat(worker.isAlive()).isFalse();
        }

        @Test
        void the_child_of_another_guarded_jvm_is_not_taken_for_ours_because_it_has_the_same_mark() {
            OrphanWatch test = openTest();
            Handle otherJvm = bare.start(900, 1).leader();
            Handle stranger = bare.start(901, 900).marked(test.scope().slot());
            assertThat(end(test).isClean()).isTrue();
            assertThat(bare.signals()).isEmpty();
            assertThat(stranger.isAlive()).isTrue();
            assertThat(otherJvm.isAlive()).isTrue();
        }

        @Test
        void a_stranger_is_not_taken_for_ours_because_its_group_has_a_number_that_a_group_of_ours_had() {
            OrphanWatch test = openTest();
            Handle ours = bare.start(900, JVM).leader();
            watching.look();
            ours.exitCollected();
            watching.look();
            bare.advance(Duration.ofMillis(100));
            Handle stranger = bare.start(900, 1).leader();
            Handle child = bare.start(901, 900);
            assertThat(end(test).isClean()).isTrue();
            assertThat(bare.signals()).isEmpty();
            assertThat(stranger.isAlive()).isTrue();
            assertThat(child.isAlive()).isTrue();
        }

        @Test
        void neither_this_jvm_nor_its_ancestors_nor_their_other_children_are_signalled() {
            OrphanWatch test = openTest();
            Handle sibling = bare.start(900, FakeMachine.BUILD_TOOL);
            bare.start(B, JVM);
            assertThat(pids(end(test))).containsExactly(B);
            assertThat(bare.signals()).containsExactly("TERM " + B);
            assertThat(sibling.isAlive()).isTrue();
            assertThat(bare.row(FakeMachine.BUILD_TOOL).map(ProcessRow::isAlive))
                    .contains(true);
        }
    }
}
