/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessState;

/** Rows S2-45 to S2-57a, O1 to O5, O8 to O12. */
class SignalTests {
    private static final Duration GRACE = Duration.ofSeconds(45);
    private static final Duration FORCED = Duration.ofSeconds(5);

    private final FakeSystem system = new FakeSystem();

    private OwnedProcessTree nested() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(300, 200, 300);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        return tree;
    }

    private static TreeProblem problemOf(Throwable failure) {
        return ((OwnedTreeException) failure).problem();
    }

    @Test
    void O1_SAFE_1_SAFE_2_one_number_that_was_used_again_stops_every_signal() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(200);
        system.add(200, 1, 200);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL))
                .isInstanceOf(OwnedTreeException.class)
                .hasMessageContaining("identity became uncertain")
                .extracting(SignalTests::problemOf)
                .isEqualTo(TreeProblem.IDENTITY_UNCERTAIN);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void O2_SAFE_5_after_the_root_only_the_orphan_is_asked() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(300, 200, 10);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(100);
        system.add(999, FakeSystem.CALLER, 999);
        assertThat(tree.signalGracefully()).containsExactly(200L);
        assertThat(system.signals()).containsExactly("TERM 200");
    }

    @Test
    void O3_SAFE_9_a_zombie_is_not_live_and_gets_nothing() {
        OwnedProcessTree tree = nested();
        system.remove(300);
        system.remove(100);
        system.zombie(200);
        assertThat(tree.observe().isEmpty()).isTrue();
        assertThat(tree.signal(TreeSignal.KILL)).isEmpty();
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void O4_S2_51_S2_52_SAFE_7_first_the_root_then_the_outermost_owner() {
        OwnedProcessTree tree = nested();
        system.get(100).ignoringTerm();
        system.get(200).ignoringTerm();
        assertThat(tree.signalGracefully()).containsExactly(100L);
        system.remove(100);
        assertThat(tree.observe().groups()).containsExactly(300L, 200L);
        assertThat(tree.signal(TreeSignal.KILL)).containsExactly(300L, 200L);
        assertThat(system.signals()).containsExactly("TERM 100", "KILL 300", "KILL 200");
    }

    @Test
    void O5_S2_56_SAFE_6_a_root_that_had_gone_counts_for_nothing_and_its_child_is_asked() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        OwnedProcessTree tree = OwnedProcessTree.of(
                system.child(100), system, new VanishingFirst(system, 100), system, TreeOptions.DEFAULT, false);
        TreeStop stop = tree.stop(GRACE, FORCED);
        assertThat(system.signals()).containsExactly("TERM 100", "TERM 200");
        assertThat(stop.escalated()).isFalse();
    }

    /** The group of the root is gone just before the signal comes. */
    private record VanishingFirst(FakeSystem system, long root) implements SignalSender {
        @Override
        public Delivery send(ProcessId target, Signal signal) {
            return system.send(target, signal);
        }

        @Override
        public Delivery send(GroupTarget target, Signal signal) {
            if (target.groupId() == root) {
                system.remove(root);
            }
            return system.send(target, signal);
        }
    }

    @Test
    void O8_short_lived_members_that_vanish_change_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(101, 100, 100);
        system.add(200, 100, 200);
        system.add(201, 200, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(101);
        system.remove(201);
        assertThat(tree.signal(TreeSignal.KILL)).containsExactly(200L, 100L);
    }

    @Test
    void O9_S2_43_a_leader_replaced_by_a_child_of_the_verified_root_is_ours() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(200);
        system.add(300, 100, 200);
        assertThat(tree.signal(TreeSignal.KILL)).containsExactly(200L, 100L);
        assertThat(system.has(300)).isFalse();
    }

    @Test
    void O10_S2_44_a_vanished_peer_and_a_new_stranger_change_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(201, 200, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(100);
        system.remove(201);
        system.add(999, 1, 999);
        assertThat(tree.signal(TreeSignal.TERM)).containsExactly(200L);
        assertThat(system.signals()).containsExactly("TERM 200");
    }

    @Test
    void O11_S2_43_SAFE_2_a_stranger_beside_the_replacement_is_refused_by_number() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(200);
        system.add(300, 100, 200);
        system.add(400, 1, 200);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL))
                .extracting(SignalTests::problemOf)
                .isEqualTo(TreeProblem.IDENTITY_UNCERTAIN);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL))
                .hasMessageContaining("pid 400")
                .hasMessageContaining("group 200");
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void O12_S2_43_SAFE_1_a_recycled_root_vouches_for_nobody() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(200);
        system.add(100, 1, 900);
        system.add(300, 100, 200);
        assertThatThrownBy(() -> tree.signal(TreeSignal.KILL))
                .extracting(SignalTests::problemOf)
                .isEqualTo(TreeProblem.IDENTITY_UNCERTAIN);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void S2_45_SAFE_10_a_signal_follows_a_fresh_look_and_no_stale_one() {
        OwnedProcessTree tree = nested();
        int before = system.reads();
        system.remove(300);
        tree.signal(TreeSignal.USR1);
        assertThat(system.reads()).isEqualTo(before + 1);
        assertThat(system.signals()).containsExactly("USR1 200", "USR1 100");
    }

    @Test
    void S2_46_a_selection_restricts_and_never_extends() {
        OwnedProcessTree tree = nested();
        system.add(999, FakeSystem.CALLER, 999);
        assertThat(tree.signal(TreeSignal.HUP, Set.of(100L, 300L, 999L, 10L, 1L)))
                .containsExactly(300L, 100L);
        assertThat(system.signals()).containsExactly("HUP 300", "HUP 100");
    }

    @Test
    void S2_47_S2_49_SAFE_6_who_is_gone_is_passed_over_and_not_returned() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = OwnedProcessTree.of(
                system.child(100), system, new VanishingFirst(system, 200), system, TreeOptions.DEFAULT, false);
        system.add(200, 100, 200);
        system.add(300, 100, 300);
        assertThat(tree.signal(TreeSignal.KILL)).containsExactly(300L, 100L);
    }

    @Test
    void S2_48_SAFE_6_a_refusal_surfaces_and_the_rest_gets_nothing() {
        OwnedProcessTree tree = nested();
        system.get(200).ofAnotherUser();
        assertThatThrownBy(() -> tree.signal(TreeSignal.TERM))
                .hasMessageContaining("pid 200")
                .extracting(SignalTests::problemOf)
                .isEqualTo(TreeProblem.SIGNAL_REFUSED);
        assertThat(system.signals()).containsExactly("TERM 300", "TERM 200");
    }

    @Test
    void S2_50_a_group_is_signalled_as_a_group() {
        OwnedProcessTree tree = nested();
        system.add(201, 200, 200);
        tree.signal(TreeSignal.TERM, Set.of(200L));
        assertThat(system.signals()).containsExactly("TERM 200");
    }

    @Test
    void S2_52_siblings_that_went_to_init_are_asked_each_a_cycle_hangs_nothing() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200);
        system.add(300, 100, 300);
        system.add(400, 300, 400);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        system.remove(100);
        assertThat(tree.signalGracefully()).containsExactlyInAnyOrder(200L, 300L);
    }

    @Test
    void S2_53_S2_54_S2_57_SAFE_7_who_is_below_one_that_was_asked_is_never_asked() {
        OwnedProcessTree tree = nested();
        assertThat(tree.signalGracefully()).containsExactly(100L);
        assertThat(system.has(100)).isFalse();
        for (int i = 0; i < 3; i++) {
            assertThat(tree.signalGracefully()).isEmpty();
        }
        assertThat(system.signals()).containsExactly("TERM 100");
    }

    @Test
    void S2_55_a_group_that_turns_up_below_a_covered_one_is_covered_even_as_an_orphan() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200).ignoringTerm();
        system.add(300, 100, 300);
        OwnedProcessTree tree = OwnedProcessTree.of(
                system.child(100), system, new VanishingFirst(system, 300), system, TreeOptions.DEFAULT, false);
        tree.observe();
        system.remove(100);
        assertThat(tree.signalGracefully()).containsExactly(200L); // not complete: 300 had gone
        system.add(400, 200, 400);
        tree.observe();
        system.remove(200);
        assertThat(tree.observe().groups()).containsExactly(400L);
        assertThat(tree.signalGracefully()).isEmpty();
    }

    @Test
    void S2_57_an_empty_choice_does_not_complete_the_grace() {
        system.add(100, FakeSystem.CALLER, 100);
        OwnedProcessTree tree = system.own(100);
        system.get(100).inState(ProcessState.ZOMBIE);
        assertThat(tree.signalGracefully()).isEmpty();
        system.get(100).inState(ProcessState.SLEEPING);
        assertThat(tree.signalGracefully()).containsExactly(100L);
    }

    @Test
    void S2_57_once_complete_nothing_new_is_asked() {
        OwnedProcessTree tree = nested();
        system.get(100).ignoringTerm();
        tree.signalGracefully();
        system.add(500, 100, 500);
        assertThat(tree.signalGracefully()).isEmpty();
    }

    @Test
    void stopped_members_are_continued_after_TERM() {
        OwnedProcessTree tree = nested();
        system.get(200).inState(ProcessState.STOPPED).ignoringTerm();
        tree.signal(TreeSignal.TERM, Set.of(200L));
        assertThat(system.signals()).containsExactly("TERM 200", "CONT 200");
    }

    @Test
    void SAFE_3_SAFE_4_a_group_target_cannot_name_everything_nobody_or_the_caller() {
        List<ProcessId> members = List.of(new ProcessId(200, 1));
        for (long number : new long[] {-200, -1, 0, 1, 10, 1L + Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> new GroupTarget(number, members, 10))
                    .as("group %d", number)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new GroupTarget(200, List.of(), 10)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new GroupTarget(200, members, 10).groupId()).isEqualTo(200);
    }
}
