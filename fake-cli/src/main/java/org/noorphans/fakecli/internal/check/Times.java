/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.check;

import java.time.Duration;

/** Checks of the times in a scenario. */
public final class Times {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private Times() {}

    /** Refuses a time that is shorter, or longer than ten minutes. */
    public static void check(String what, Duration time, Duration shortest) {
        if (time.compareTo(shortest) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " must be " + text(shortest) + " to " + text(LONGEST) + ", but was " + text(time));
        }
    }

    private static String text(Duration time) {
        return time.toMillis() + " ms";
    }
}
