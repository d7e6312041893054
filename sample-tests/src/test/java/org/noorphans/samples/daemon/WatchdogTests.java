/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** S1-31, S1-33. Nothing here relies on an upper bound: a busy machine only makes silences longer. */
class WatchdogTests {

    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer();
    private final Queue<Long> reports = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop_the_timer() {
        timer.shutdownNow();
    }

    @Test
    void reports_silence_once_and_not_before_the_limit() {
        Watchdog watchdog = watchdog(LIMIT);
        long begun = System.nanoTime();
        watchdog.start();

        await().atMost(LONG).until(() -> !reports.isEmpty());

        assertThat(reports.element() - begun).isGreaterThanOrEqualTo(LIMIT.toNanos());
        watchdog.restart();
        assertThat(timer.getQueue()).isEmpty();
        assertThat(reports).hasSize(1);
    }

    @Test
    void looks_again_when_the_last_restart_was_too_recent() {
        try (var handTimer = new HandTimer()) {
            var watchdog = new Watchdog(handTimer, LONG, () -> reports.add(System.nanoTime()));
            watchdog.start();
            await().pollDelay(LIMIT).until(() -> true);
            watchdog.restart();
            long restarted = System.nanoTime();

            handTimer.runNext();

            assertThat(reports).isEmpty();
            assertThat(handTimer.nextDelay).isGreaterThanOrEqualTo(LONG.toNanos() - (System.nanoTime() - restarted));
        }
    }

    @Test
    void does_not_count_anew_without_a_restart() {
        try (var handTimer = new HandTimer()) {
            new Watchdog(handTimer, LONG, () -> reports.add(System.nanoTime())).start();
            await().pollDelay(LIMIT).until(() -> true);

            handTimer.runNext();

            assertThat(handTimer.nextDelay)
                    .isLessThanOrEqualTo(LONG.minus(LIMIT).toNanos());
        }
    }

    @Test
    void waits_for_nothing_once_stopped() {
        Watchdog watchdog = watchdog(LONG);
        watchdog.start();
        assertThat(timer.getQueue()).hasSize(1);

        watchdog.stop();

        assertThat(timer.getQueue()).isEmpty();
        assertThat(reports).isEmpty();
    }

    @Test
    void waits_for_nothing_with_a_limit_of_zero() {
        watchdog(Duration.ZERO).start();
        assertThat(timer.getQueue()).isEmpty();
    }

    private Watchdog watchdog(Duration limit) {
        return new Watchdog(timer, limit, () -> reports.add(System.nanoTime()));
    }

    /** Runs its task when it is told to, however early. */
    private static final class HandTimer extends ScheduledThreadPoolExecutor implements AutoCloseable {
        private Runnable next = () -> {};
        private long nextDelay;

        HandTimer() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            next = task;
            nextDelay = unit.toNanos(delay);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        void runNext() {
            next.run();
        }

        @Override
        public void close() {
            shutdownNow();
        }
    }
}
