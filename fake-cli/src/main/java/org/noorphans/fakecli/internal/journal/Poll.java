/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.journal;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Looking again until there is an answer. */
public final class Poll {
    private static final long PAUSE_MILLIS = 2;

    private Poll() {}

    /**
     * The first answer, or empty if there is none when the time is over. Looks at least once, and once more after the
     * end, so that a machine that stood still does not fail a wait.
     *
     * @throws IllegalStateException if the thread is interrupted; its interrupt flag stays set
     */
    public static <T> Optional<T> until(Duration timeout, Supplier<Optional<T>> look) {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            boolean last = System.nanoTime() - end >= 0;
            Optional<T> answer = look.get();
            if (answer.isPresent() || last) {
                return answer;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting", e);
            }
        }
    }
}
