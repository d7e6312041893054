/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

class ProcessTableTests {
    private static ProcessRow row(long pid, long parent) {
        return row(pid, parent, ProcessState.SLEEPING);
    }

    private static ProcessRow row(long pid, long parent, ProcessState state) {
        return new ProcessRow(
                new ProcessId(pid, pid * 10), parent, OptionalLong.empty(), OptionalLong.empty(), state, "p" + pid);
    }

    private static ProcessTable table(ProcessRow... rows) {
        return ProcessTable.of(Arrays.asList(rows));
    }

    @Nested
    class The_descendants {
        @Test
        void come_breadth_first_without_the_root() {
            var table = table(row(1, 0), row(10, 1), row(20, 1), row(11, 10), row(12, 10), row(21, 20), row(111, 11));
            assertThat(table.descendantsOf(1))
                    .extracting(ProcessRow::pid)
                    .containsExactly(10L, 20L, 11L, 12L, 21L, 111L);
        }

        @Test
        void include_a_child_with_a_lower_number_than_its_parent() {
            var table = table(row(500, 1), row(7, 500), row(3, 7));
            assertThat(table.descendantsOf(500)).extracting(ProcessRow::pid).containsExactly(7L, 3L);
        }

        @Test
        void are_found_below_a_root_that_is_not_in_the_picture() {
            assertThat(table(row(11, 10), row(12, 11)).descendantsOf(10))
                    .extracting(ProcessRow::pid)
                    .containsExactly(11L, 12L);
        }

        @Test
        void do_not_include_siblings_or_strangers() {
            var table = table(row(1, 0), row(10, 1), row(11, 10), row(20, 1), row(21, 20));
            assertThat(table.descendantsOf(10)).extracting(ProcessRow::pid).containsExactly(11L);
        }

        @Test
        void include_zombies_and_what_is_below_them() {
            var table = table(row(10, 1), row(11, 10, ProcessState.ZOMBIE), row(12, 11));
            assertThat(table.descendantsOf(10)).extracting(ProcessRow::pid).containsExactly(11L, 12L);
        }

        @Test
        void are_followed_once_in_a_cycle() {
            var table = table(row(10, 12), row(11, 10), row(12, 11), row(13, 12));
            assertThat(table.descendantsOf(10)).extracting(ProcessRow::pid).containsExactly(11L, 12L, 13L);
        }

        @Test
        void do_not_include_a_process_that_is_its_own_parent() {
            assertThat(table(row(10, 10)).descendantsOf(10)).isEmpty();
            assertThat(table(row(10, 1), row(11, 11)).descendantsOf(10)).isEmpty();
        }

        @Test
        void of_a_deep_chain_are_found_without_recursion() {
            List<ProcessRow> rows = new ArrayList<>();
            for (long pid = 2; pid <= 30_000; pid++) {
                rows.add(row(pid, pid - 1));
            }
            assertThat(ProcessTable.of(rows).descendantsOf(1)).hasSize(29_999);
        }
    }

    @Nested
    class The_ancestors {
        @Test
        void come_nearest_first_without_the_process() {
            assertThat(table(row(1, 0), row(5, 1), row(9, 5), row(2, 9)).ancestorsOf(2))
                    .containsExactly(9L, 5L, 1L);
        }

        @Test
        void end_where_the_picture_ends() {
            assertThat(table(row(9, 5), row(10, 9)).ancestorsOf(10)).containsExactly(9L, 5L);
        }

        @Test
        void of_a_process_that_is_not_there_are_none() {
            assertThat(table(row(1, 0)).ancestorsOf(2)).isEmpty();
        }

        @Test
        void are_followed_once_in_a_cycle() {
            assertThat(table(row(10, 12), row(11, 10), row(12, 11)).ancestorsOf(10))
                    .startsWith(12L, 11L)
                    .doesNotHaveDuplicates();
            assertThat(table(row(10, 10)).ancestorsOf(10)).isEmpty();
        }
    }

    @Nested
    class An_identity {
        private final ProcessTable table =
                table(row(10, 1), row(11, 10, ProcessState.ZOMBIE), row(12, 10, ProcessState.DEAD));

        @Test
        void is_found_only_with_its_start_stamp() {
            assertThat(table.row(new ProcessId(10, 100))).contains(row(10, 1));
            assertThat(table.row(new ProcessId(10, 101))).isEmpty();
            assertThat(table.row(new ProcessId(99, 100))).isEmpty();
        }

        @Test
        void is_alive_only_with_its_start_stamp() {
            assertThat(table.isAlive(new ProcessId(10, 100))).isTrue();
            assertThat(table.isAlive(new ProcessId(10, 99))).isFalse();
        }

        @Test
        void of_a_zombie_is_not_alive() {
            assertThat(table.isAlive(new ProcessId(11, 110))).isFalse();
            assertThat(table.isAlive(new ProcessId(12, 120))).isFalse();
        }
    }

    @Test
    void keeps_the_later_of_two_rows_with_one_number() {
        ProcessRow old = row(10, 1);
        ProcessRow young = new ProcessRow(
                new ProcessId(10, 500), 1, OptionalLong.empty(), OptionalLong.empty(), ProcessState.SLEEPING, "young");
        assertThat(table(old, young).rows()).containsExactly(young);
        assertThat(table(old, young).ids()).containsExactly(young.id());
    }

    @Test
    void tells_the_task_of_children_only() {
        var table = ProcessTable.of(List.of(row(1, 0), row(10, 1)), Map.of(10L, 77L));
        assertThat(table.taskOf(10)).contains(77L);
        assertThat(table.taskOf(1)).isEmpty();
        assertThat(table.taskOf(99)).isEmpty();
    }

    @Test
    void cannot_be_changed() {
        var table = table(row(1, 0));
        assertThatThrownBy(() -> table.rows().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> table.ids().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
