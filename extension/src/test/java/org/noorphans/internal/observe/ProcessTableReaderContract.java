/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/** What every reader of processes must do. */
public abstract class ProcessTableReaderContract {
    private World world;

    /** A place with processes to read. */
    public interface World extends AutoCloseable {
        ProcessTableReader reader();

        /** A child of this JVM that sleeps; its command line is {@code sleep 60}. */
        ProcessId child();

        /** A child of this JVM and a child of that child, both alive. */
        List<ProcessId> childAndGrandchild();

        /** A process that has lost its parent and lives. */
        ProcessId orphan();

        /** A process below this JVM that is dead and not collected. */
        ProcessId zombie();

        /** A process that is no longer listed. */
        ProcessId gone();

        /** A child that leads a session of its own. */
        ProcessId sessionLeader();

        /** A child that is stopped. */
        ProcessId stopped();

        /** A child that does this when TERM arrives. */
        ProcessId withTerm(TermHandling handling);

        /** A process that is not below this JVM. */
        ProcessId outsider();

        @Override
        void close();
    }

    protected abstract World createWorld();

    @BeforeEach
    void open() {
        world = createWorld();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private ProcessTableReader reader() {
        return world.reader();
    }

    private ProcessRow inOwnTree(ProcessId id) {
        return reader().ownTree().row(id).orElseThrow(() -> new AssertionError(id + " is not in the own tree"));
    }

    @Test
    void this_jvm_is_the_root_of_its_tree_and_alive() {
        ProcessRow self = reader().ownTree().row(reader().self()).orElseThrow();
        assertThat(self.isAlive()).isTrue();
        assertThat(reader().row(self.pid())).map(ProcessRow::id).contains(self.id());
    }

    @Test
    void a_child_is_below_this_jvm() {
        ProcessId child = world.child();
        ProcessRow row = inOwnTree(child);
        assertThat(row.parentPid()).isEqualTo(reader().self().pid());
        assertThat(row.isAlive()).isTrue();
        assertThat(reader().hasNoChild()).isFalse();
    }

    @Test
    void a_child_has_one_identity_wherever_it_is_read() {
        ProcessId child = world.child();
        assertThat(inOwnTree(child).id()).isEqualTo(child);
        assertThat(reader().wholeTable().row(child)).isPresent();
        assertThat(reader().row(child.pid())).map(ProcessRow::id).contains(child);
    }

    @Test
    void a_grandchild_is_in_the_tree_under_its_parent() {
        List<ProcessId> two = world.childAndGrandchild();
        assertThat(inOwnTree(two.get(1)).parentPid()).isEqualTo(two.get(0).pid());
        assertThat(reader().ownTree().descendantsOf(two.get(0).pid()))
                .extracting(ProcessRow::id)
                .containsExactly(two.get(1));
    }

    @Test
    void an_orphan_stays_in_the_tree_under_this_jvm() {
        ProcessId orphan = world.orphan();
        assertThat(inOwnTree(orphan).parentPid()).isEqualTo(reader().self().pid());
    }

    @Test
    void a_zombie_is_listed_and_not_alive() {
        ProcessId zombie = world.zombie();
        ProcessRow row = inOwnTree(zombie);
        assertThat(row.state()).isEqualTo(ProcessState.ZOMBIE);
        assertThat(reader().ownTree().isAlive(zombie)).isFalse();
        assertThat(reader().commandLine(zombie.pid())).isEmpty();
        assertThat(reader().hasNoChild()).isFalse();
    }

    @Test
    void what_has_gone_is_nowhere() {
        ProcessId gone = world.gone();
        assertThat(reader().row(gone.pid()).filter(row -> row.id().equals(gone)))
                .isEmpty();
        assertThat(reader().ownTree().row(gone)).isEmpty();
        assertThat(reader().wholeTable().row(gone)).isEmpty();
    }

    @Test
    void what_is_not_below_this_jvm_is_in_the_whole_table_only() {
        ProcessId outsider = world.outsider();
        assertThat(reader().wholeTable().row(outsider)).isPresent();
        assertThat(reader().ownTree().row(outsider)).isEmpty();
    }

    @Test
    void a_session_leader_leads_its_group_too() {
        ProcessId leader = world.sessionLeader();
        ProcessRow row = inOwnTree(leader);
        assertThat(row.sessionId()).hasValue(leader.pid());
        assertThat(row.groupId()).hasValue(leader.pid());
    }

    @Test
    void a_child_shares_group_and_session_with_this_jvm() {
        ProcessRow self = reader().row(reader().self().pid()).orElseThrow();
        ProcessRow child = inOwnTree(world.child());
        assertThat(child.groupId()).isEqualTo(self.groupId());
        assertThat(child.sessionId()).isEqualTo(self.sessionId());
    }

    @Test
    void a_stopped_process_is_alive_and_stopped() {
        ProcessRow row = inOwnTree(world.stopped());
        assertThat(row.isAlive()).isTrue();
        assertThat(row.state().isStopped()).isTrue();
    }

    @Test
    void a_command_line_has_its_arguments_separated_by_blanks() {
        assertThat(reader().commandLine(world.child().pid())).contains("sleep 60");
    }

    @ParameterizedTest
    @EnumSource(names = {"DEFAULT", "CAUGHT", "IGNORED"})
    void the_handling_of_term_is_told(TermHandling handling) {
        assertThat(reader().termHandling(world.withTerm(handling).pid())).isEqualTo(handling);
    }

    @Test
    void the_handling_of_term_of_what_has_gone_is_unknown() {
        assertThat(reader().termHandling(world.gone().pid())).isEqualTo(TermHandling.UNKNOWN);
    }

    @Test
    void a_start_stamp_lies_between_two_readings_of_the_clock() {
        long before = reader().now();
        ProcessId child = world.child();
        long after = reader().now();
        assertThat(child.startStamp()).isBetween(before, after);
    }

    @Test
    void stamps_and_durations_fit_together() {
        assertThat(reader().between(1_000, 1_000)).isZero();
        assertThat(reader().between(1_000, 1_000 + reader().stamps(Duration.ofSeconds(3))))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(reader().stamps(Duration.ZERO)).isZero();
        assertThat(reader().stamps(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(reader().stamps(Duration.ofMillis(100))).isPositive();
    }

    @Test
    void this_jvm_and_every_ancestor_are_named() {
        ProcessTable whole = reader().wholeTable();
        assertThat(reader().selfAndAncestors())
                .contains(reader().self().pid())
                .containsAll(whole.ancestorsOf(reader().self().pid()))
                .doesNotContain(world.child().pid());
    }

    @Test
    void a_number_that_nobody_can_have_gives_nothing() {
        long impossible = Integer.MAX_VALUE - 7;
        assertThat(reader().row(impossible)).isEmpty();
        assertThat(reader().commandLine(impossible)).isEmpty();
        assertThat(reader().threadName(impossible)).isEmpty();
    }
}
