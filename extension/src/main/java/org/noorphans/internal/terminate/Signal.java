/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

/** The signals that this library sends, with their numbers on Linux (signal(7)); macOS differs for CONT and STOP. */
public enum Signal {
    /** Asks to end. */
    TERM(15),
    /** Continues a stopped process. */
    CONT(18),
    /** Stops a process; cannot be caught. */
    STOP(19),
    /** Ends a process; cannot be caught. */
    KILL(9);

    private final int linuxNumber;

    Signal(int linuxNumber) {
        this.linuxNumber = linuxNumber;
    }

    /** The number on Linux. */
    public int linuxNumber() {
        return linuxNumber;
    }
}
