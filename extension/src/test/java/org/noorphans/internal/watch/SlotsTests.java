/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.observe.ThreadMarks;

class SlotsTests {
    private static final int ALL = ThreadMarks.LAST_SLOT - ThreadMarks.FIRST_SLOT + 1;

    private final boolean[] carried = new boolean[ThreadMarks.LAST_SLOT + 1];
    private final AtomicInteger questions = new AtomicInteger();
    private final Slots slots = new Slots(() -> {
        questions.incrementAndGet();
        return carried.clone();
    });

    private List<Integer> take(int count) {
        return IntStream.range(0, count).mapToObj(i -> slots.take()).toList();
    }

    @Test
    void gives_out_every_slot_once_and_no_other() {
        assertThat(take(ALL))
                .doesNotHaveDuplicates()
                .allMatch(slot -> slot >= ThreadMarks.FIRST_SLOT && slot <= ThreadMarks.LAST_SLOT);
    }

    @Test
    void gives_0_when_all_are_taken() {
        take(ALL);
        assertThat(take(3)).containsExactly(0, 0, 0);
    }

    @Test
    void gives_a_released_slot_again_when_nothing_else_is_left() {
        List<Integer> all = take(ALL);
        slots.release(all.get(7));
        assertThat(take(2)).containsExactly(all.get(7), 0);
    }

    @Test
    void never_gives_out_a_released_slot_that_is_still_carried() {
        List<Integer> all = take(ALL);
        int stale = all.get(7);
        carried[stale] = true;
        slots.release(stale);
        slots.release(all.get(8));
        assertThat(take(2)).containsExactly(all.get(8), 0);
    }

    @Test
    void gives_it_out_once_nobody_carries_it_any_more() {
        List<Integer> all = take(ALL);
        carried[all.get(7)] = true;
        slots.release(all.get(7));
        assertThat(slots.take()).isZero();
        carried[all.get(7)] = false;
        assertThat(slots.take()).isEqualTo(all.get(7));
    }

    @Test
    void does_not_take_back_the_0_of_a_scope_that_got_none() {
        take(ALL);
        slots.release(0);
        assertThat(slots.take()).isZero();
    }

    @Test
    void does_not_ask_who_carries_what_as_long_as_there_are_fresh_ones() {
        take(ALL);
        assertThat(questions).hasValue(0);
    }

    @Test
    void never_has_one_slot_in_two_hands_over_thousands_of_scopes() {
        Set<Integer> held = new HashSet<>();
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int slot = slots.take();
            assertThat(slot).isNotZero();
            assertThat(held.add(slot))
                    .as("slot %d is held by nobody else", slot)
                    .isTrue();
            open.add(slot);
            if (open.size() > 700) {
                int done = open.remove(i % open.size());
                held.remove(done);
                carried[done] = i % 3 == 0;
                slots.release(done);
                carried[open.get(0)] = false;
            }
            if (i % 500 == 0) {
                Arrays.fill(carried, false);
            }
        }
    }

    @Test
    void draws_in_another_order_each_time() {
        Slots other = new Slots(() -> carried);
        assertThat(IntStream.range(0, ALL).mapToObj(i -> other.take()).toList()).isNotEqualTo(take(ALL));
    }
}
