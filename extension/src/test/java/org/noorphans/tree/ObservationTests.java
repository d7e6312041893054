/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/** Rows S2-22 to S2-44, T6 to T9, and what is asked of a reader in SAFE-11. */
class ObservationTests {
    private final FakeSystem system = new FakeSystem();

    private OwnedProcessTree nested() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(300, 200, 300);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        return tree;
    }

    private static Consumer<Throwable> problem(TreeProblem problem) {
        return failure -> {
            assertThat(failure).isInstanceOf(OwnedTreeException.class).hasMessageStartingWith(problem.text());
            assertThat(((OwnedTreeException) failure).problem()).isEqualTo(problem);
        };
    }

    private static List<Long> pids(TreeView view) {
        return view.members().stream().map(OwnedProcess::pid).toList();
    }

    @Test
    void S2_22_SAFE_18_only_names_from_a_fixed_list_are_repeated() {
        OwnedProcessTree tree = nested();
        system.get(300).named("rm -rf \u001b[2J");
        assertThat(tree.observe().member(300).orElseThrow().kind()).isEqualTo("other");
        assertThat(tree.observe().member(200).orElseThrow().kind()).isEqualTo("node");
        assertThat(tree.diagnosis())
                .contains("pid 300")
                .doesNotContain("rm -rf")
                .doesNotContain("\u001b");
    }

    @Test
    void R10_S2_24_a_name_that_the_kernel_cut_is_known_by_exactly_its_first_15_bytes() {
        assertThat(ProcessKind.of("paperclip-runne")).isEqualTo("paperclip-runnerd");
        assertThat(ProcessKind.of("paperclip-runn")).isEqualTo("other");
        assertThat(ProcessKind.of("paperclip-runnerd")).isEqualTo("other");
        assertThat(ProcessKind.of("paperclip-runnx")).isEqualTo("other");
        assertThat(ProcessKind.of("Node")).isEqualTo("other");
    }

    @Test
    void S2_25_the_first_look_comes_at_once_and_then_one_every_250_ms_failures_are_swallowed() {
        system.add(100, FakeSystem.CALLER, 100);
        long begin = System.nanoTime();
        OwnedProcessTree tree =
                OwnedProcessTree.of(system.child(100), system, system, system, TreeOptions.DEFAULT, true);
        try {
            await().atMost(5, TimeUnit.SECONDS).until(() -> system.reads() >= 1);
            system.readsInstead(() -> {
                throw new IllegalStateException("broken");
            });
            await().atMost(10, TimeUnit.SECONDS).until(() -> system.reads() >= 5);
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(9));
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("noorphans-tree-100"))
                    .allMatch(Thread::isDaemon);
        } finally {
            tree.stopObserving();
        }
    }

    @Test
    void S2_26_after_stop_observing_only_explicit_looks_are_taken() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = OwnedProcessTree.of(
                system.child(100),
                system,
                system,
                system,
                TreeOptions.DEFAULT.observeEvery(Duration.ofMillis(1)),
                true);
        await().atMost(5, TimeUnit.SECONDS).until(() -> system.reads() >= 3);
        tree.stopObserving();
        tree.observe(); // the one that may have been under way is over
        int before = system.reads();
        await().during(Duration.ofMillis(50)).atMost(Duration.ofSeconds(5)).until(() -> system.reads() == before);
        assertThat(pids(tree.observe())).containsExactly(100L);
    }

    @Test
    void S2_21_S2_27_without_a_reader_observing_succeeds_and_does_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = OwnedProcessTree.of(system.child(100), null, system, system, TreeOptions.DEFAULT, true);
        assertThat(tree.observe().isEmpty()).isTrue();
        assertThat(system.reads()).isZero();
    }

    @Test
    void S2_28_who_looks_while_a_look_is_under_way_gets_that_one() throws Exception {
        OwnedProcessTree tree = nested();
        int before = system.reads();
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        system.readsInstead(() -> {
            reads.incrementAndGet();
            reading.countDown();
            try {
                goOn.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return system.table();
        });
        CompletableFuture<TreeView> first = CompletableFuture.supplyAsync(tree::observe);
        assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
        AtomicInteger asking = new AtomicInteger();
        Thread second = new Thread(() -> {
            asking.incrementAndGet();
            tree.observe();
        });
        second.start();
        await().atMost(10, TimeUnit.SECONDS).until(() -> second.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        assertThat(pids(first.get(10, TimeUnit.SECONDS))).hasSize(3);
        second.join(10_000);
        assertThat(reads).hasValue(1);
        assertThat(system.reads()).isEqualTo(before + 1);
    }

    @Test
    void S2_18_S2_29_S2_30_S2_32_a_failing_reader_is_an_error_and_what_was_known_is_kept() {
        OwnedProcessTree tree = nested();
        system.readsInstead(() -> {
            throw new IllegalStateException("no /proc");
        });
        assertThatThrownBy(tree::observe)
                .satisfies(problem(TreeProblem.NO_TABLE))
                .hasMessageContaining("no /proc")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(pids(tree.lastSeen())).containsExactly(100L, 200L, 300L);
    }

    @Test
    void S2_16_S2_20_a_reader_that_stalls_is_an_error_in_time_and_its_late_answer_is_ignored() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = system.own(100, TreeOptions.DEFAULT.inspectionLimit(Duration.ofMillis(100)));
        tree.observe();
        system.add(200, 100, 200);
        CountDownLatch stall = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        system.readsInstead(() -> {
            try {
                stall.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            over.countDown();
            return system.table();
        });
        long begin = System.nanoTime();
        assertThatThrownBy(tree::observe)
                .satisfies(problem(TreeProblem.NO_TABLE))
                .hasMessageContaining("100 ms");
        assertThatThrownBy(tree::observe)
                .satisfies(problem(TreeProblem.NO_TABLE))
                .hasMessageContaining("not come back");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        stall.countDown();
        await().atMost(10, TimeUnit.SECONDS).until(() -> over.getCount() == 0);
        assertThat(pids(tree.lastSeen())).containsExactly(100L);
        system.readsWell();
        await().atMost(10, TimeUnit.SECONDS)
                .ignoreExceptions()
                .until(() -> pids(tree.observe()).equals(List.of(100L, 200L)));
    }

    @Test
    void S2_17_SAFE_11_half_a_table_is_no_table() {
        OwnedProcessTree tree = nested();
        system.readsInstead(() -> ProcessTable.of(
                system.table().rows().stream().filter(row -> row.pid() != 200).toList()));
        assertThatThrownBy(tree::observe)
                .satisfies(problem(TreeProblem.NO_TABLE))
                .hasMessageContaining("incomplete")
                .hasMessageContaining("pid 200");
        assertThat(pids(tree.lastSeen())).containsExactly(100L, 200L, 300L);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL)).satisfies(problem(TreeProblem.NO_TABLE));
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void S2_17_a_table_without_the_root_is_no_table_while_its_handle_holds_the_number() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = system.own(100);
        system.readsInstead(() -> ProcessTable.of(
                system.table().rows().stream().filter(row -> row.pid() != 100).toList()));
        assertThatThrownBy(tree::observe).satisfies(problem(TreeProblem.NO_TABLE));
    }

    @Test
    void a_table_that_lacked_a_process_once_is_read_again() {
        OwnedProcessTree tree = nested();
        AtomicInteger count = new AtomicInteger();
        system.readsInstead(() -> ProcessTable.of(system.table().rows().stream()
                .filter(row -> row.pid() != 200 || count.getAndIncrement() > 0)
                .toList()));
        assertThat(pids(tree.observe())).containsExactly(100L, 200L, 300L);
    }

    @Test
    void S2_31_SAFE_3_a_table_without_the_caller_tells_nothing() {
        OwnedProcessTree tree = nested();
        system.readsInstead(() -> ProcessTable.of(system.table().rows().stream()
                .filter(row -> row.pid() != FakeSystem.CALLER)
                .toList()));
        assertThatThrownBy(() -> tree.signal(TreeSignal.TERM)).satisfies(problem(TreeProblem.CALLER_GROUP_UNKNOWN));
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void S2_33_S2_36_the_start_of_the_root_is_learnt_once() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.remove(100);
        tree.observe();
        system.add(100, 1, 900);
        system.add(201, 100, 201);
        assertThat(pids(tree.observe())).isEmpty();
    }

    @Test
    void S2_34_what_was_gone_before_the_first_look_brings_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = system.own(100);
        system.add(100, 1, 100);
        system.add(200, 100, 200);
        assertThat(pids(tree.observe())).isEmpty();
        tree.signal(TreeSignal.KILL);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void S2_35_all_groups_of_the_roots_tree_are_owned() {
        assertThat(nested().observe().groups()).containsExactly(300L, 200L, 100L);
    }

    @Test
    void S2_36_S2_38_SAFE_2_a_recycled_root_makes_its_old_group_uncertain() {
        OwnedProcessTree tree = nested();
        system.add(100, 1, 100);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL))
                .satisfies(problem(TreeProblem.IDENTITY_UNCERTAIN))
                .hasMessageContaining("pid 100");
        assertThat(system.signals()).isEmpty();
        assertThat(pids(tree.lastSeen())).containsExactly(100L, 200L, 300L);
    }

    @Test
    void S2_37_a_group_with_a_verified_member_is_ours_with_everybody_in_it_and_below() {
        OwnedProcessTree tree = nested();
        system.add(201, 200, 200);
        tree.observe();
        system.remove(100);
        system.remove(200);
        assertThat(tree.observe().groups()).containsExactly(300L, 200L);
        system.add(202, 1, 200); // joined the group while nobody looked
        system.add(400, 202, 400); // and started something in a new one
        assertThat(pids(tree.observe())).containsExactlyInAnyOrder(201L, 202L, 300L, 400L);
    }

    @Test
    void S2_39_a_group_with_nobody_or_only_foreign_zombies_is_forgotten() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.add(301, 1, 300).inState(ProcessState.ZOMBIE);
        assertThat(tree.observe().groups()).containsExactly(200L, 100L);
        system.add(302, 1, 300);
        assertThat(pids(tree.observe())).containsExactly(100L, 200L);
    }

    @Test
    void S2_40_SAFE_3_the_callers_group_is_never_owned_but_what_is_beyond_it_is_followed() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 10);
        system.add(300, 200, 300);
        OwnedProcessTree tree = system.own(100);
        assertThat(tree.observe().groups()).containsExactlyInAnyOrder(300L, 100L);
        tree.signal(TreeSignal.KILL);
        assertThat(system.signals()).contains("KILL 300", "KILL 100").doesNotContain("KILL 10");
        assertThat(system.has(FakeSystem.CALLER)).isTrue();
    }

    @Test
    void a_member_in_the_callers_group_is_signalled_alone() {
        system.add(100, FakeSystem.CALLER, 10);
        system.add(200, 100, 10);
        system.add(999, FakeSystem.CALLER, 10);
        OwnedProcessTree tree = system.own(100);
        assertThat(tree.signal(TreeSignal.TERM)).containsExactly(10L);
        assertThat(system.signals()).containsExactly("TERM pid 200", "TERM pid 100");
        assertThat(system.has(999)).isTrue();
    }

    @Test
    void a_group_that_strangers_share_is_not_signalled_as_a_group() {
        system.add(77, 1, 77);
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 77);
        OwnedProcessTree tree = system.own(100);
        assertThat(tree.observe().groups()).containsExactly(100L);
        tree.signal(TreeSignal.KILL);
        assertThat(system.signals()).containsExactly("KILL pid 200", "KILL 100");
        assertThat(system.has(77)).isTrue();
    }

    @Test
    void S2_41_SAFE_5_another_child_of_the_caller_is_never_owned() {
        OwnedProcessTree tree = nested();
        system.add(999, FakeSystem.CALLER, 999);
        system.add(998, FakeSystem.CALLER, 10);
        assertThat(pids(tree.observe())).containsExactly(100L, 200L, 300L);
    }

    @Test
    void S2_42_SAFE_9_a_group_is_live_with_one_that_is_no_zombie_an_unknown_state_counts_as_running() {
        OwnedProcessTree tree = nested();
        system.zombie(300);
        assertThat(tree.observe().groups()).containsExactly(200L, 100L);
        system.get(200).inState(ProcessState.UNKNOWN);
        assertThat(tree.observe().groups()).containsExactly(200L, 100L);
    }

    @Test
    void S2_43_a_group_without_verified_member_is_kept_if_everybody_in_it_is_below_a_verified_one() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.add(300, 100, 200);
        assertThat(tree.observe().groups()).containsExactly(200L, 100L);
    }

    @Test
    void S2_44_a_peer_that_vanished_costs_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(201, 200, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(100);
        system.remove(201);
        assertThat(tree.observe().groups()).containsExactly(200L);
    }

    @Test
    void T7_after_wrapper_and_parent_have_gone_the_order_is_kept_and_an_empty_table_owns_nothing() {
        OwnedProcessTree tree = nested();
        system.remove(100);
        system.add(201, 200, 200);
        tree.observe();
        system.remove(200);
        system.add(500, 1, 500);
        assertThat(tree.observe().groups()).containsExactly(300L, 200L);
        system.remove(201);
        system.remove(300);
        assertThat(tree.observe().isEmpty()).isTrue();
    }

    @Test
    void T8_when_every_number_is_used_again_nothing_is_owned() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.remove(100);
        tree.observe();
        system.add(100, 1, 100);
        system.add(201, 100, 201);
        system.add(200, 1, 200);
        assertThat(tree.observe().isEmpty()).isTrue();
        tree.signal(TreeSignal.KILL);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void T9_looking_again_changes_nothing_and_an_orphan_keeps_its_depth() {
        OwnedProcessTree tree = nested();
        List<OwnedProcess> first = tree.observe().members();
        for (int i = 0; i < 20; i++) {
            assertThat(tree.observe().members()).isEqualTo(first);
        }
        system.remove(100);
        system.add(201, 200, 200);
        system.add(400, 201, 400);
        tree.observe();
        for (int i = 0; i < 20; i++) {
            assertThat(tree.observe().member(400).orElseThrow().depth()).isEqualTo(3);
        }
        system.remove(200);
        assertThat(tree.observe().groups()).containsExactly(400L, 300L, 200L);
    }

    @Test
    void S13_c_a_child_with_a_lower_number_is_a_child_but_an_older_one_is_not() {
        system.add(700, FakeSystem.CALLER, 700);
        OwnedProcessTree tree = system.own(700);
        system.add(50, 700, 50);
        assertThat(pids(tree.observe())).containsExactly(700L, 50L);
        ProcessRow older = new ProcessRow(
                new ProcessId(60, 0), 700, OptionalLong.of(60), OptionalLong.empty(), ProcessState.SLEEPING, "sh");
        system.readsInstead(() -> ProcessTable.of(
                Stream.concat(system.table().rows().stream(), Stream.of(older)).toList()));
        assertThat(pids(tree.observe())).containsExactly(700L, 50L);
    }

    @Test
    void S2_94_S2_95_SAFE_18_a_diagnosis_names_64_at_most_and_says_when_it_cannot() {
        OwnedProcessTree tree = nested();
        for (long pid = 1000; pid < 1100; pid++) {
            system.add(pid, 100, 100).named("secret");
        }
        assertThat(tree.diagnosis().lines()).hasSize(65).last().asString().contains("and 39 more");
        assertThat(tree.diagnosis())
                .contains("pid 100", "parent 10", "group 100", "depth 0")
                .doesNotContain("secret");
        system.readsInstead(() -> {
            throw new IllegalStateException("secret");
        });
        assertThat(tree.diagnosis()).isEqualTo("Could not inspect owned process identities");
    }

    @Test
    void who_is_in_a_session_that_the_root_made_is_owned_wherever_its_parent_is() {
        system.add(100, FakeSystem.CALLER, 100).inSession(100);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.add(300, 1, 300).inSession(100); // its parent came and went between two looks
        assertThat(pids(tree.observe())).containsExactly(100L, 300L);
        system.remove(100);
        system.add(400, 1, 400).inSession(100);
        assertThat(pids(tree.observe())).containsExactlyInAnyOrder(300L, 400L);
        system.remove(300);
        system.remove(400);
        tree.observe();
        system.add(500, 1, 500).inSession(100); // the number of the session is used again
        assertThat(pids(tree.observe())).isEmpty();
    }
}
