/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.noorphans.internal.observe.ThreadMarks;

/**
 * Hands out the numbers that mark scopes. A number that was given back is not given out again as long as a thread or a
 * process carries it: threads of a pool keep the mark of the scope that created them. They are drawn at random, because
 * another guarded JVM, a parent or child of this one, draws from the same numbers.
 */
final class Slots {
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final List<Integer> released = new ArrayList<>();
    private final Supplier<boolean[]> carried;

    /**
     * All slots, free.
     *
     * @param carried tells for each slot whether a living thread or process carries it
     */
    Slots(Supplier<boolean[]> carried) {
        this.carried = carried;
        List<Integer> all = new ArrayList<>();
        for (int slot = ThreadMarks.FIRST_SLOT; slot <= ThreadMarks.LAST_SLOT; slot++) {
            all.add(slot);
        }
        Collections.shuffle(all);
        free.addAll(all);
    }

    /** A slot that nobody carries; 0 if there is none. */
    int take() {
        if (free.isEmpty()) {
            sweep();
        }
        return free.isEmpty() ? 0 : free.remove();
    }

    void release(int slot) {
        if (slot != 0) {
            released.add(slot);
        }
    }

    private void sweep() {
        boolean[] inUse = carried.get();
        released.removeIf(slot -> {
            if (inUse[slot]) {
                return false;
            }
            free.add(slot);
            return true;
        });
    }
}
