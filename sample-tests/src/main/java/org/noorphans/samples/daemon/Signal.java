/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.util.Arrays;
import java.util.Optional;

/** The signals that the daemon ends agents with. */
public enum Signal {
    /** The request to end; a process may ignore it. */
    TERM(15),
    /** The end. */
    KILL(9);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /**
     * The signal that {@link Process#exitValue()} stands for, if it is one of these. Java reports "killed by signal n" as
     * 128 + n, the way a shell does, so a program that really exits with 143 is taken for one that died of TERM.
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
