/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import java.util.concurrent.locks.LockSupport;

/** Time as the waiting parts see it, so that tests can move it. */
public interface Pacing {
    /** A clock that only moves forward, in nanoseconds. */
    long nanoTime();

    /** Waits; does not end early when the thread is interrupted, and keeps the interrupt for the caller. */
    void pause(long nanos);

    /** The machine's time. */
    Pacing REAL = new Pacing() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) {
            long end = System.nanoTime() + nanos;
            boolean interrupted = false;
            for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    };
}
