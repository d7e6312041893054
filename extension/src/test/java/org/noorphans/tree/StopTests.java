/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.model.ProcessState;
import org.noorphans.model.Termination.Outcome;

/** Rows S2-69 to S2-86, O5, O7, P1 to P4, P7 to P9 on fakes, and what a stop must survive. */
class StopTests {
    private static final Duration GRACE = Duration.ofSeconds(45);
    private static final Duration FORCED = Duration.ofSeconds(5);

    private final FakeSystem system = new FakeSystem();

    private OwnedProcessTree nested() {
        return nested(TreeOptions.DEFAULT);
    }

    private OwnedProcessTree nested(TreeOptions options) {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(300, 200, 300);
        OwnedProcessTree tree = system.own(100, options);
        tree.observe();
        return tree;
    }

    private void readsFail() {
        system.readsInstead(() -> {
            throw new IllegalStateException("inspection broke");
        });
    }

    private static TreeProblem problemOf(Throwable failure) {
        return ((OwnedTreeException) failure).problem();
    }

    @Test
    void S2_69_the_defaults_are_45_and_5_seconds_looked_at_every_50_ms_at_most() {
        assertThat(TreeOptions.DEFAULT)
                .isEqualTo(new TreeOptions(
                        Duration.ofSeconds(45),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(250),
                        Duration.ofMillis(50),
                        Duration.ofSeconds(5),
                        false));
        OwnedProcessTree tree = nested();
        system.get(100).endingAfterTerm(Duration.ofSeconds(2)).onTerm(() -> system.remove(200));
        system.remove(300);
        int before = system.reads();
        TreeStop stop = tree.stop();
        assertThat(stop.took()).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2100));
        assertThat(system.reads() - before).isBetween(40, 60);
        assertThat(stop.looks()).isEqualTo(system.reads() - before);
        assertThat(system.requests()).containsExactly("TERM 100");
    }

    @Test
    void S2_70_P3_a_tree_that_has_ended_gets_nothing() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.remove(100);
        TreeStop stop = tree.stop(GRACE, FORCED);
        assertThat(system.signals()).isEmpty();
        assertThat(stop.escalated()).isFalse();
        assertThat(stop.took()).isZero();
    }

    @Test
    void S2_71_without_a_grace_there_is_one_pass_of_it() {
        OwnedProcessTree tree = nested();
        system.get(200).ignoringTerm();
        tree.stop(Duration.ZERO, FORCED);
        assertThat(system.requests()).startsWith("TERM 100").contains("KILL 200", "KILL 300");
    }

    @Test
    void S2_72_SAFE_8_at_the_deadline_the_rest_is_killed_from_the_inside_out() {
        OwnedProcessTree tree = nested();
        List.of(100L, 200L, 300L).forEach(pid -> system.get(pid).ignoringTerm());
        TreeStop stop = tree.stop(Duration.ofSeconds(1), FORCED);
        assertThat(system.requests()).containsExactly("TERM 100", "KILL 300", "KILL 200", "KILL 100");
        assertThat(system.signals()).containsSubsequence("STOP 100", "STOP 200", "STOP 300", "KILL 300");
        assertThat(stop.escalated()).isTrue();
        assertThat(stop.terminations())
                .allMatch(termination -> termination.outcome() == Outcome.ENDED_BY_FORCE)
                .hasSize(3);
        assertThat(stop.took()).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1100));
    }

    @Test
    void S2_73_S2_76_what_not_even_KILL_ends_is_named() {
        OwnedProcessTree tree = nested();
        system.get(200).immortal();
        Throwable failure = catchThrowable(() -> tree.stop(Duration.ofMillis(100), Duration.ofMillis(500)));
        assertThat(problemOf(failure)).isEqualTo(TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(failure)
                .hasMessageStartingWith("Owned tree cleanup incomplete: Observed launcher descendants remained")
                .hasMessageContaining("pid 200")
                .hasMessageContaining("group 200");
        assertThat(problemOf(failure.getCause())).isEqualTo(TreeProblem.DESCENDANTS_REMAINED);
        assertThat(((OwnedTreeException) failure).processes())
                .extracting(OwnedProcess::pid)
                .containsExactly(200L);
        assertThat(((OwnedTreeException) failure).terminations())
                .filteredOn(termination -> termination.id().pid() == 200)
                .singleElement()
                .satisfies(termination -> assertThat(termination.outcome()).isEqualTo(Outcome.STILL_THERE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void P9_S2_74_S2_78_SAFE_12_without_a_table_only_the_direct_child_is_ended(boolean throwing) {
        OwnedProcessTree tree = nested();
        system.get(100).ignoringTerm();
        system.forgetSignals();
        if (throwing) {
            readsFail();
        } else {
            system.readsInstead(() -> ProcessTable.of(List.of()));
        }
        long before = system.nanoTime();
        Throwable failure = catchThrowable(() -> tree.stop(Duration.ofSeconds(2), FORCED));
        assertThat(problemOf(failure)).isEqualTo(TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(failure).hasMessageStartingWith("Owned tree cleanup incomplete: ");
        assertThat(system.signals()).containsExactly("TERM child 100", "KILL child 100");
        assertThat(system.has(100)).isFalse();
        assertThat(system.has(200)).isTrue();
        assertThat(Duration.ofNanos(system.nanoTime() - before))
                .isBetween(Duration.ofSeconds(2), Duration.ofMillis(2100));
    }

    @Test
    void O7_S2_75_S2_76_a_direct_child_that_cannot_be_ended_is_told_beside_the_first_error() {
        OwnedProcessTree tree = nested();
        system.get(100).immortal();
        readsFail();
        Throwable failure = catchThrowable(() -> tree.stop(Duration.ofMillis(10), Duration.ofMillis(10)));
        assertThat(failure)
                .hasMessageContaining("inspection broke")
                .hasMessageContaining("; Known direct child remained after bounded fallback: pid 100");
        assertThat(problemOf(failure.getSuppressed()[0])).isEqualTo(TreeProblem.DIRECT_CHILD_REMAINED);
        assertThat(system.signals()).containsExactly("TERM child 100", "KILL child 100");
    }

    @Test
    void S2_77_S2_57a_a_root_that_got_TERM_with_its_group_gets_no_second_one() {
        OwnedProcessTree tree = nested();
        system.get(100).ignoringTerm().onTerm(this::readsFail);
        assertThatThrownBy(() -> tree.stop(Duration.ofSeconds(1), FORCED))
                .extracting(StopTests::problemOf)
                .isEqualTo(TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(system.signals()).containsExactly("TERM 100", "KILL child 100");
    }

    @Test
    void S2_79_S2_27_where_nothing_can_be_observed_the_direct_child_is_stopped_and_that_may_succeed() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = OwnedProcessTree.of(system.child(100), null, system, system, TreeOptions.DEFAULT, true);
        assertThat(tree.stop(GRACE, FORCED).escalated()).isFalse();
        assertThat(system.signals()).containsExactly("TERM child 100");
        system.add(101, FakeSystem.CALLER, 101).ignoringTerm();
        OwnedProcessTree stubborn =
                OwnedProcessTree.of(system.child(101), null, system, system, TreeOptions.DEFAULT, true);
        assertThat(stubborn.stop(Duration.ofSeconds(1), FORCED).escalated()).isTrue();
        assertThat(system.has(101)).isFalse();
    }

    @Test
    void S2_80_SAFE_13_the_whole_takes_no_longer_than_both_bounds() {
        OwnedProcessTree tree = nested();
        List.of(100L, 200L, 300L).forEach(pid -> system.get(pid).immortal());
        long before = system.nanoTime();
        assertThatThrownBy(() -> tree.stop(Duration.ofSeconds(3), Duration.ofSeconds(2)))
                .isInstanceOf(OwnedTreeException.class);
        assertThat(Duration.ofNanos(system.nanoTime() - before))
                .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5200));
    }

    @Test
    void S2_81_a_stop_does_not_end_the_observation_closing_does() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = OwnedProcessTree.of(
                system.child(100),
                system,
                system,
                system,
                TreeOptions.DEFAULT.observeEvery(Duration.ofMillis(5)),
                true);
        tree.stop(GRACE, FORCED);
        int afterStop = system.reads();
        await().atMost(10, TimeUnit.SECONDS).until(() -> system.reads() > afterStop + 2);
        tree.close();
        tree.observe();
        int afterClose = system.reads();
        await().during(Duration.ofMillis(60)).atMost(Duration.ofSeconds(5)).until(() -> system.reads() == afterClose);
    }

    @Test
    void P1_S2_82_repeated_and_concurrent_stops_have_one_result() throws Exception {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.get(100).endingAfterTerm(Duration.ofMillis(300));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        system.onPause(() -> {
            inside.countDown();
            try {
                goOn.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        List<TreeStop> results = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> results.add(tree.stop(GRACE, FORCED)));
            threads.add(thread);
            thread.start();
        }
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        goOn.countDown();
        for (Thread thread : threads) {
            thread.join(10_000);
        }
        results.add(tree.stop(Duration.ofSeconds(1), Duration.ZERO));
        assertThat(results).hasSize(4).allSatisfy(result -> assertThat(result).isSameAs(results.get(0)));
        assertThat(system.signals()).containsExactly("TERM 100");
    }

    @Test
    void P8_S2_82_a_stop_that_failed_is_tried_again_without_a_second_TERM_and_with_the_same_failure_for_all()
            throws Exception {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        AtomicInteger reads = new AtomicInteger();
        system.get(100)
                .endingAfterTerm(Duration.ofMillis(300))
                .onTerm(() -> system.readsInstead(() -> {
                    if (reads.getAndIncrement() == 0) {
                        throw new IllegalStateException("one inspection broke");
                    }
                    return system.table();
                }));
        assertThatThrownBy(() -> tree.stop(GRACE, FORCED)).hasMessageContaining("one inspection broke");
        assertThat(system.has(100)).isFalse(); // the fallback waited for the close that was under way
        TreeStop second = tree.stop(GRACE, FORCED);
        assertThat(system.signals()).containsExactly("TERM 100");
        assertThat(second.escalated()).isFalse();
        CompletableFuture<TreeStop> third = CompletableFuture.supplyAsync(() -> tree.stop(GRACE, FORCED));
        assertThat(third.get(10, TimeUnit.SECONDS)).isSameAs(second);
    }

    @Test
    void S2_83_TERM_may_go_to_the_direct_child_alone_and_once() {
        system.add(100, FakeSystem.CALLER, 100).endingAfterTerm(Duration.ofSeconds(1));
        system.add(101, 100, 100);
        system.get(100).onTerm(() -> system.after(Duration.ofMillis(500), () -> system.remove(101)));
        OwnedProcessTree tree = system.own(100, TreeOptions.DEFAULT.askingRootOnly());
        assertThat(tree.stop(GRACE, FORCED).escalated()).isFalse();
        assertThat(system.signals()).containsExactly("TERM pid 100");
    }

    @Test
    void P7_S2_84_when_the_leader_has_crashed_each_observed_group_is_asked_once() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200).endingAfterTerm(Duration.ofSeconds(1));
        system.add(300, 100, 300).endingAfterTerm(Duration.ofSeconds(2));
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(100);
        TreeStop stop = tree.stop(GRACE, FORCED);
        assertThat(system.requests()).containsExactlyInAnyOrder("TERM 200", "TERM 300");
        assertThat(stop.terminations())
                .hasSize(2)
                .allMatch(termination -> termination.outcome() == Outcome.EXITED_ON_REQUEST && termination.termSent());
    }

    @Test
    void P2_S2_85_the_escalation_is_logged_once() {
        Logger logger = Logger.getLogger("org.noorphans");
        List<String> lines = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getParameters() != null && "77001".equals(line.getParameters()[0])) {
                    lines.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            system.add(77001, FakeSystem.CALLER, 77001).ignoringTerm();
            OwnedProcessTree tree = system.own(77001);
            assertThat(tree.stop(Duration.ofMillis(50), FORCED).escalated()).isTrue();
            tree.stop(Duration.ofMillis(50), FORCED);
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines).hasSize(1);
    }

    @Test
    void outcomes_say_how_each_process_ended() {
        OwnedProcessTree tree = nested();
        system.get(100).endingAfterTerm(Duration.ofSeconds(1));
        system.get(300).ignoringTerm();
        system.get(100).onTerm(() -> system.after(Duration.ofMillis(500), () -> system.remove(200)));
        TreeStop stop = tree.stop(Duration.ofSeconds(2), FORCED);
        assertThat(stop.outcomeOf(tree.lastSeen()
                        .member(100)
                        .map(OwnedProcess::id)
                        .orElse(stop.terminations().get(0).id())))
                .isEqualTo(Outcome.EXITED_ON_REQUEST);
        assertThat(stop.terminations())
                .extracting(termination -> termination.id().pid() + " " + termination.outcome())
                .containsExactlyInAnyOrder("100 EXITED_ON_REQUEST", "200 EXITED_ON_REQUEST", "300 ENDED_BY_FORCE");
    }

    @Test
    void closing_is_idempotent_and_leaves_the_failure_of_the_body_in_front() {
        OwnedProcessTree tree = nested(TreeOptions.DEFAULT.stopWithin(Duration.ofMillis(100), Duration.ofMillis(100)));
        system.get(100).immortal();
        Throwable failure = catchThrowable(() -> {
            try (tree) {
                throw new IllegalStateException("the body");
            }
        });
        assertThat(failure).hasMessage("the body");
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(OwnedTreeException.class);
        tree.close();
    }

    @Test
    void a_group_that_is_refused_does_not_save_the_others() {
        OwnedProcessTree tree = nested();
        system.get(200).ofAnotherUser();
        Throwable failure = catchThrowable(() -> tree.stop(Duration.ofMillis(200), Duration.ofMillis(200)));
        assertThat(problemOf(failure)).isEqualTo(TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(system.has(100)).isFalse();
        assertThat(system.has(300)).isFalse();
        assertThat(((OwnedTreeException) failure).terminations())
                .extracting(termination -> termination.id().pid() + " " + termination.outcome())
                .contains("200 NOT_PERMITTED", "300 ENDED_BY_FORCE");
        assertThat(failure).hasMessageContaining("pid 200").message().doesNotContain("pid 300");
    }

    @Test
    void a_root_of_another_user_does_not_keep_its_children_from_being_asked() {
        OwnedProcessTree tree = nested();
        system.get(100).ofAnotherUser();
        system.get(200).onTerm(() -> {
            system.remove(300);
            system.remove(100);
        });
        TreeStop stop = tree.stop(GRACE, FORCED);
        assertThat(system.requests()).containsExactly("TERM 100", "TERM 200");
        assertThat(stop.escalated()).isFalse();
    }

    @Nested
    class A_reader_that_breaks_in_the_middle_of_a_kill {
        @Test
        void leaves_nobody_stopped() {
            OwnedProcessTree tree = nested();
            List.of(100L, 200L, 300L).forEach(pid -> system.get(pid).ignoringTerm());
            system.onRead(() -> {
                if (system.signals().contains("STOP 300")) {
                    throw new IllegalStateException("broke after STOP");
                }
            });
            assertThatThrownBy(() -> tree.stop(Duration.ofMillis(100), FORCED))
                    .hasMessageContaining("broke after STOP");
            assertThat(system.signals())
                    .contains("CONT pid 200", "CONT pid 300")
                    .doesNotContain("KILL 300");
            assertThat(system.get(200).row().state()).isEqualTo(ProcessState.SLEEPING);
            assertThat(system.has(100)).isFalse();
        }

        @Test
        void that_shows_half_a_table_does_not_make_the_stop_succeed() {
            OwnedProcessTree tree = nested();
            system.get(200).ignoringTerm();
            system.get(100)
                    .onTerm(() -> system.readsInstead(() -> ProcessTable.of(system.table().rows().stream()
                            .filter(row -> row.pid() < 200)
                            .toList())));
            Throwable failure = catchThrowable(() -> tree.stop(Duration.ofSeconds(1), FORCED));
            assertThat(problemOf(failure)).isEqualTo(TreeProblem.CLEANUP_INCOMPLETE);
            system.readsWell();
            tree.stop(Duration.ofSeconds(1), FORCED);
            assertThat(system.has(200)).isFalse();
            assertThat(system.has(300)).isFalse();
        }

        @Test
        void that_stalls_is_waited_for_no_longer_than_its_limit() {
            OwnedProcessTree tree = nested(TreeOptions.DEFAULT.inspectionLimit(Duration.ofMillis(100)));
            CountDownLatch stall = new CountDownLatch(1);
            system.get(100)
                    .onTerm(() -> system.readsInstead(() -> {
                        try {
                            stall.await(20, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return system.table();
                    }));
            long begin = System.nanoTime();
            assertThatThrownBy(() -> tree.stop(Duration.ofSeconds(1), FORCED)).hasMessageContaining("100 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
            stall.countDown();
        }
    }

    @Test
    void a_tree_that_forks_while_it_is_killed_is_gone_in_the_end() {
        system.add(100, FakeSystem.CALLER, 100).ignoringTerm();
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        AtomicInteger born = new AtomicInteger();
        // Each look finds one more, in a group of its own, as long as one that was not stopped is there to start it.
        system.onRead(() -> {
            boolean free = List.of(100L, 1000L + born.get()).stream()
                    .anyMatch(pid -> system.has(pid) && system.get(pid).row().state() != ProcessState.STOPPED);
            if (free && born.get() < 40) {
                long pid = 1001L + born.getAndIncrement();
                system.add(pid, 100, pid).ignoringTerm();
            }
        });
        TreeStop stop = tree.stop(Duration.ofMillis(100), FORCED);
        assertThat(system.table().rows()).extracting(row -> row.pid()).containsExactly(1L, FakeSystem.CALLER);
        assertThat(stop.terminations()).hasSizeGreaterThan(5);
    }

    @Test
    void five_hundred_processes_in_fifty_groups_are_gone_after_few_looks() {
        system.add(100, FakeSystem.CALLER, 100);
        for (long group = 1000; group < 6000; group += 100) {
            system.add(group, 100, group).ignoringTerm();
            for (long pid = group + 1; pid < group + 10; pid++) {
                system.add(pid, group, group).ignoringTerm();
            }
        }
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        TreeStop stop = tree.stop(Duration.ofSeconds(1), FORCED);
        assertThat(stop.terminations()).hasSize(501);
        assertThat(system.table().rows()).hasSize(2);
        assertThat(stop.looks()).isLessThan(60);
    }
}
