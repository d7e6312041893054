/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/** Rows S2-1 to S2-13, T1 to T5. */
class GroupsTests {
    private static final OptionalLong CALLER = OptionalLong.of(10);
    private final FakeSystem system = new FakeSystem();

    private ProcessTable nested() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(101, 100, 100);
        system.add(200, 101, 200);
        system.add(300, 200, 300);
        system.add(301, 300, 300);
        system.add(400, 101, 10);
        system.add(500, 1, 500);
        return system.table();
    }

    private static List<Long> order(List<OwnedGroup> groups, OptionalLong root, OptionalLong caller) {
        return Groups.terminationOrder(groups, root, caller).stream()
                .map(OwnedGroup::groupId)
                .toList();
    }

    private static OwnedGroup group(long id, int depth, long... starts) {
        return new OwnedGroup(
                id,
                depth,
                depth,
                Arrays.stream(starts)
                        .mapToObj(start -> new ProcessId(id, start))
                        .toList(),
                true);
    }

    @Test
    void T1_S2_5_S2_9_S2_10_S2_12_SAFE_8_the_innermost_first_the_root_last_the_caller_and_strangers_never() {
        List<OwnedGroup> groups = Groups.observe(nested(), 100).groups();
        assertThat(order(groups, OptionalLong.of(100), CALLER)).containsExactly(300L, 200L, 100L);
    }

    @Test
    void S2_1_a_row_has_number_parent_group_start_name_and_state() {
        ProcessRow row = nested().row(301).orElseThrow();
        assertThat(row.pid()).isEqualTo(301);
        assertThat(row.parentPid()).isEqualTo(300);
        assertThat(row.groupId()).hasValue(300);
        assertThat(row.id().startStamp()).isPositive();
        assertThat(ProcessKind.of(row.name())).isEqualTo("node");
        assertThat(row.state().isAlive()).isTrue();
    }

    @Test
    void S2_2_breadth_first_with_the_root_each_once() {
        assertThat(Groups.observe(nested(), 100).members())
                .extracting(member -> member.row().pid())
                .containsExactly(100L, 101L, 200L, 400L, 300L, 301L);
        assertThat(Groups.observe(nested(), 100).members())
                .extracting(Groups.Member::depth)
                .containsExactly(0, 1, 2, 2, 3, 4);
    }

    @Test
    void S2_2_a_cycle_is_followed_once() {
        system.add(100, 102, 100);
        system.add(101, 100, 100);
        system.add(102, 101, 100);
        assertThat(Groups.observe(system.table(), 100).members()).hasSize(3);
    }

    @Test
    void S2_3_a_root_that_is_not_in_the_table_has_no_tree() {
        system.add(101, 100, 100);
        assertThat(Groups.observe(system.table(), 100).members()).isEmpty();
        assertThat(Groups.observe(system.table(), 100).groups()).isEmpty();
    }

    @Test
    void S2_4_one_entry_for_each_group_with_its_deepest_depth_and_the_traversed_members_only() {
        ProcessTable table = nested();
        system.add(999, 1, 300);
        OwnedGroup inner = Groups.observe(table, 100).groups().get(0);
        assertThat(inner.groupId()).isEqualTo(300);
        assertThat(inner.depth()).isEqualTo(4);
        assertThat(inner.members()).extracting(ProcessId::pid).containsExactly(300L, 301L);
    }

    @Test
    void T2_S2_6_SAFE_1_a_group_whose_member_has_another_start_is_not_kept() {
        system.add(100, 10, 100);
        system.add(200, 100, 200);
        List<OwnedGroup> groups = Groups.observe(system.table(), 100).groups();
        system.add(200, 100, 200);
        assertThat(Groups.revalidate(groups, system.table()))
                .extracting(OwnedGroup::groupId)
                .containsExactly(100L);
    }

    @Test
    void S2_6_a_member_in_another_group_verifies_nothing() {
        system.add(100, 10, 100);
        system.add(200, 100, 200);
        List<OwnedGroup> groups = Groups.observe(system.table(), 100).groups();
        system.moveToGroup(200, 77);
        assertThat(Groups.revalidate(groups, system.table()))
                .extracting(OwnedGroup::groupId)
                .containsExactly(100L);
    }

    @Test
    void T5_S2_7_S2_8_the_members_are_those_of_now_and_an_empty_group_is_dropped() {
        system.add(200, 10, 200);
        system.add(201, 200, 200);
        List<OwnedGroup> verified =
                Groups.revalidate(Groups.observe(system.table(), 200).groups(), system.table());
        system.remove(200);
        assertThat(Groups.refresh(verified, system.table()))
                .singleElement()
                .satisfies(group ->
                        assertThat(group.members()).extracting(ProcessId::pid).containsExactly(201L))
                .satisfies(group -> assertThat(group.depth()).isEqualTo(1));
        system.remove(201);
        assertThat(Groups.refresh(verified, system.table())).isEmpty();
    }

    @Test
    void S2_9_equal_depth_keeps_the_order_and_each_number_counts_once_with_its_greatest_depth() {
        assertThat(order(
                        List.of(group(30, 1, 1), group(20, 1, 1), group(40, 2, 1), group(20, 3, 1)),
                        OptionalLong.empty(),
                        CALLER))
                .containsExactly(20L, 40L, 30L);
    }

    @Test
    void S2_10_the_root_is_last_even_if_it_is_deepest() {
        assertThat(order(List.of(group(100, 9, 1), group(200, 1, 1)), OptionalLong.of(100), CALLER))
                .containsExactly(200L, 100L);
    }

    @Test
    void T3_S2_13_SAFE_3_if_the_callers_group_is_unknown_nobody_is_signalled() {
        assertThat(order(Groups.observe(nested(), 100).groups(), OptionalLong.of(100), OptionalLong.empty()))
                .isEmpty();
    }

    @Test
    void T4_S2_11_the_root_is_not_added() {
        assertThat(order(List.of(group(200, 1, 1)), OptionalLong.of(100), CALLER))
                .containsExactly(200L);
    }

    @Test
    void S2_12_SAFE_4_numbers_up_to_one_and_the_callers_are_left_out() {
        assertThat(order(List.of(group(1, 1, 1), group(10, 3, 1), group(200, 2, 1)), OptionalLong.of(1), CALLER))
                .containsExactly(200L);
    }
}
