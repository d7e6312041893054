/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reports silence once.
 *
 * <p>Basic approach: activity only notes the time, because it may come with every byte. The timer, when due, looks how
 * long the silence has lasted and sets itself again for what is left of the limit.
 */
final class Watchdog {

    private final ScheduledExecutorService timer;
    private final Duration limit;
    private final Runnable onSilence;
    private volatile long lastActivity = System.nanoTime();
    private boolean stopped;
    private @Nullable ScheduledFuture<?> pending;

    /** Not running yet; with a limit of zero it never will. */
    Watchdog(ScheduledExecutorService timer, Duration limit, Runnable onSilence) {
        this.timer = timer;
        this.limit = limit;
        this.onSilence = onSilence;
        this.stopped = limit.isZero();
    }

    /** Counts from now. */
    void start() {
        restart();
        checkIn(limit.toNanos());
    }

    /** Something was heard: counts from now. */
    void restart() {
        lastActivity = System.nanoTime();
    }

    /** Reports nothing any more, unless a report is under way. */
    synchronized void stop() {
        stopped = true;
        if (pending != null) {
            pending.cancel(false);
        }
    }

    private synchronized void checkIn(long nanos) {
        if (!stopped) {
            pending = timer.schedule(this::check, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void check() {
        long left = limit.toNanos() - (System.nanoTime() - lastActivity);
        if (left > 0) {
            checkIn(left);
        } else if (stopForReport()) {
            onSilence.run();
        }
    }

    private synchronized boolean stopForReport() {
        boolean first = !stopped;
        stopped = true;
        return first;
    }
}
