/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.time.Duration;
import java.util.List;

/**
 * What one scope left behind.
 *
 * @param scope the scope that has ended
 * @param leaks the survivors in order of start; empty if the scope was clean
 * @param settled how long was waited for them to end by themselves
 * @param notes what a reader must know of the report as a whole, such as why spawn sites are missing; full sentences
 * @param latecomers how many processes the survivors started while they were being ended; they are ended too
 */
public record LeakReport(ScopeId scope, List<Leak> leaks, Duration settled, int latecomers, List<String> notes) {
    public LeakReport {
        leaks = List.copyOf(leaks);
        notes = List.copyOf(notes);
    }

    /** A report of a scope that left nothing behind. */
    public static LeakReport clean(ScopeId scope, Duration settled) {
        return new LeakReport(scope, List.of(), settled, 0, List.of());
    }

    /** Whether nothing was left behind. */
    public boolean isClean() {
        return leaks.isEmpty();
    }
}
