/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one survivor.
 *
 * @param id which process
 * @param outcome how it ended, or why it did not
 * @param after the time from the first signal of the whole clean-up until it was seen to be gone; zero where nothing was sent
 * @param termSent whether TERM was sent to this very process; false if only its owner got it, or nobody
 * @param problem what went wrong with a signal, beyond what the outcome says; empty if nothing did
 */
public record Termination(ProcessId id, Outcome outcome, Duration after, boolean termSent, Optional<String> problem) {

    /** How a process ended, or why it did not. */
    public enum Outcome {
        /** It was gone before anything was sent to it or to its owner. */
        EXITED_BY_ITSELF,
        /** It ended after TERM, within the grace. */
        EXITED_ON_REQUEST,
        /** It needed KILL. */
        ENDED_BY_FORCE,
        /** It was alive when the time for ending it was over. */
        STILL_THERE,
        /** The system refused the signal (EPERM): the process belongs to another user. */
        NOT_PERMITTED,
        /** The number belongs to another process by now, so nothing was sent: the survivor itself is gone. */
        NOT_THE_SAME_PROCESS,
        /** Ending was switched off ({@code kill = false}). */
        LEFT_ALONE;

        /** Whether the survivor is certainly gone. */
        public boolean isGone() {
            return this == EXITED_BY_ITSELF
                    || this == EXITED_ON_REQUEST
                    || this == ENDED_BY_FORCE
                    || this == NOT_THE_SAME_PROCESS;
        }
    }
}
