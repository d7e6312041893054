/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.util.Arrays;
import java.util.Optional;

/** The signals that an agent is ended by, or dies of. */
public enum Signal {
    /** Hang-up, 1. */
    HUP(1),
    /** Interrupt, 2. */
    INT(2),
    /** Abort, 6. */
    ABRT(6),
    /** Cannot be caught or ignored, 9. */
    KILL(9),
    /** Memory fault, 11. */
    SEGV(11),
    /** Wrote to a pipe that nobody reads, 13. */
    PIPE(13),
    /** The request to end, 15. */
    TERM(15);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /**
     * The signal that {@link Process#exitValue()} stands for. Java reports "killed by signal n" as 128 + n, the way a
     * shell does, so a program that really exits with 143 is taken for one that died of TERM.
     */
    static Optional<Signal> behind(int exitValue) {
        return Arrays.stream(values())
                .filter(signal -> exitValue == 128 + signal.number)
                .findFirst();
    }

    /** The name with its prefix, as in "SIGTERM". */
    @Override
    public String toString() {
        return "SIG" + name();
    }
}
