/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S1-47: nothing is signalled but members of the captured group. The tables here are made up, and so is the group. */
class ProcessGroupTests {

    /** Above every pid that Linux can give, so that a mistake here hits nobody. */
    private static final long ID = 5_000_000;

    private static final ProcStat LEADER = member(ID, 'S', 100);

    private List<ProcStat> table = List.of(LEADER);
    private final ProcessGroup group = new ProcessGroup(ID, Optional.of(LEADER), () -> table);

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -4711, -1, 0, 1})
    void numbers_that_kill_takes_for_something_else_are_refused(long id) {
        assertThatThrownBy(() -> new ProcessGroup(id, Optional.empty(), List::of))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void our_own_group_is_refused() {
        long own = ProcStat.of(ProcessHandle.current().pid()).orElseThrow().group();
        assertThatThrownBy(() -> new ProcessGroup(own, Optional.empty(), List::of))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoever_shares_the_group_with_a_known_member_is_a_member() {
        table = List.of(LEADER, member(ID + 1, 'S', 110), outsider(ID + 2));
        assertThat(pids()).containsExactly(ID, ID + 1);
    }

    @Test
    void members_are_known_from_one_look_to_the_next() {
        table = List.of(LEADER, member(ID + 1, 'S', 110));
        pids();
        table = List.of(member(ID + 1, 'S', 110), member(ID + 2, 'S', 120));
        pids();
        table = List.of(member(ID + 2, 'S', 120));
        assertThat(pids()).containsExactly(ID + 2);
    }

    // S1-24: but as long as it is there, nobody else can have the number.
    @Test
    void a_zombie_is_not_alive_and_keeps_the_group_together() {
        table = List.of(member(ID, 'Z', 100), member(ID + 1, 'S', 110));
        assertThat(pids()).containsExactly(ID + 1);
        table = List.of(member(ID, 'Z', 100));
        assertThat(pids()).isEmpty();
    }

    @Test
    void a_group_in_which_nobody_is_known_belongs_to_others_and_is_not_signalled() {
        table = List.of(member(ID + 1, 'S', 500), member(ID + 2, 'S', 510));
        assertThat(pids()).isEmpty();
        assertThat(group.signal(Signal.KILL)).isFalse();
    }

    @Test
    void a_leader_with_the_same_pid_and_another_start_is_somebody_else() {
        table = List.of(member(ID, 'S', 500), member(ID + 1, 'S', 510));
        assertThat(pids()).isEmpty();
        group.leaderExited();
        assertThat(pids()).isEmpty();
    }

    // S1-64
    @Test
    void members_that_outlive_the_leader_stay_known() {
        table = List.of(member(ID + 1, 'S', 110));
        group.leaderExited();
        assertThat(pids()).containsExactly(ID + 1);
    }

    @Test
    void what_is_older_than_the_leader_or_of_another_session_is_no_heir_of_it() {
        table = List.of(member(ID + 1, 'S', 90), new ProcStat(ID + 2, 'S', 1, ID, 77, 110));
        group.leaderExited();
        assertThat(pids()).isEmpty();
    }

    // S1-48: the made-up member does not exist, so kill finds nobody.
    @Test
    void a_group_that_is_gone_is_no_error() {
        assertThat(group.signal(Signal.TERM)).isFalse();
    }

    private List<Long> pids() {
        return group.livingMembers().stream().map(ProcStat::pid).toList();
    }

    private static ProcStat member(long pid, char state, long start) {
        return new ProcStat(pid, state, 1, ID, ID, start);
    }

    private static ProcStat outsider(long pid) {
        return new ProcStat(pid, 'S', 1, 4711, 4711, 100);
    }
}
