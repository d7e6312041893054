/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.time.Duration;

/** Checks of the times in a scenario. */
final class Times {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private Times() {}

    static void check(String what, Duration time, Duration shortest) {
        if (time.compareTo(shortest) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " must be " + text(shortest) + " to " + text(LONGEST) + ", but was " + text(time));
        }
    }

    private static String text(Duration time) {
        return time.toMillis() + " ms";
    }
}
