/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a fact, on the calling thread and for a bounded time. */
public final class Eventually {
    private static final Duration AT_MOST = Duration.ofSeconds(20);
    private static final long PAUSE = Duration.ofMillis(2).toNanos();

    private Eventually() {}

    /** Returns as soon as the fact holds; an interrupt does not end the wait. */
    public static void that(String fact, BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > AT_MOST.toNanos()) {
                throw new AssertionError("after " + AT_MOST.toSeconds() + " s it is still not so that " + fact);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }
}
