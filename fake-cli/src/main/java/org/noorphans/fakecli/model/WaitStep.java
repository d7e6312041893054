/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.time.Duration;
import java.util.OptionalInt;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.internal.check.Times;

/** Steps that let time pass while something goes on. */
public sealed interface WaitStep extends Step {
    /**
     * Prints the same line again and again, one each time after waiting.
     *
     * @param every the wait before each line; 1 ms to ten minutes
     * @param out the line
     * @param count how many; empty: until the fake is ended from outside
     */
    record Heartbeat(Duration every, String out, OptionalInt count) implements WaitStep {
        public Heartbeat {
            Times.check("heartbeat", every, Duration.ofMillis(1));
            Texts.checkLine("heartbeat", out);
            if (count.isPresent() && count.getAsInt() < 1) {
                throw new IllegalArgumentException("heartbeat count must be 1 or more, but was " + count.getAsInt());
            }
        }

        @Override
        public boolean ends() {
            return count.isEmpty();
        }
    }

    /**
     * Uses one CPU without a word.
     *
     * @param time at least this long, at most 20 ms longer
     */
    record Busy(Duration time) implements WaitStep {
        public Busy {
            Times.check("busy", time, Duration.ZERO);
        }
    }

    /**
     * From here on delays, heartbeats and busy times of this attempt take the given part of their time.
     *
     * @param factor 2 is twice as fast; 0.01 to 1000
     */
    record Speed(double factor) implements WaitStep {
        public Speed {
            if (!(factor >= 0.01 && factor <= 1000)) {
                throw new IllegalArgumentException("speed must be 0.01 to 1000, but was " + factor);
            }
        }
    }
}
