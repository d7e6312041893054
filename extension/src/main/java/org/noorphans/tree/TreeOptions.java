/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;

/**
 * How a tree is owned. Every value has a default; a wither changes one.
 *
 * @param graceful how long {@link OwnedProcessTree#close} lets processes end after TERM
 * @param forced how long it waits after KILL
 * @param observeEvery the period of observation in the background
 * @param pollEvery the longest pause between two looks of a stop
 * @param inspectionLimit how long one look may take; then it counts as failed
 * @param askRootOnly whether TERM for the root's group goes to the root alone, for servers that pass it on themselves
 */
public record TreeOptions(
        Duration graceful,
        Duration forced,
        Duration observeEvery,
        Duration pollEvery,
        Duration inspectionLimit,
        boolean askRootOnly) {
    /** 45 s to end after TERM, 5 s after KILL, observed every 250 ms, polled every 50 ms, 5 s for one look. */
    public static final TreeOptions DEFAULT = new TreeOptions(
            Duration.ofSeconds(45),
            Duration.ofSeconds(5),
            Duration.ofMillis(250),
            Duration.ofMillis(50),
            Duration.ofSeconds(5),
            false);

    public TreeOptions {
        notNegative("graceful", graceful);
        notNegative("forced", forced);
        positive("observeEvery", observeEvery);
        positive("pollEvery", pollEvery);
        positive("inspectionLimit", inspectionLimit);
    }

    static Duration notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " cannot be negative, but is " + value);
        }
        return value;
    }

    private static void positive(String name, Duration value) {
        if (notNegative(name, value).isZero()) {
            throw new IllegalArgumentException(name + " must be positive, but is " + value);
        }
    }

    /** With other bounds for {@link OwnedProcessTree#close}. */
    public TreeOptions stopWithin(Duration newGraceful, Duration newForced) {
        return new TreeOptions(newGraceful, newForced, observeEvery, pollEvery, inspectionLimit, askRootOnly);
    }

    /** With another period of observation. */
    public TreeOptions observeEvery(Duration period) {
        return new TreeOptions(graceful, forced, period, pollEvery, inspectionLimit, askRootOnly);
    }

    /** With another pause between two looks of a stop. */
    public TreeOptions pollEvery(Duration pause) {
        return new TreeOptions(graceful, forced, observeEvery, pause, inspectionLimit, askRootOnly);
    }

    /** With another limit for one look. */
    public TreeOptions inspectionLimit(Duration limit) {
        return new TreeOptions(graceful, forced, observeEvery, pollEvery, limit, askRootOnly);
    }

    /** With TERM for the root alone, not for its group. KILL still goes to the group. */
    public TreeOptions askingRootOnly() {
        return new TreeOptions(graceful, forced, observeEvery, pollEvery, inspectionLimit, true);
    }
}
