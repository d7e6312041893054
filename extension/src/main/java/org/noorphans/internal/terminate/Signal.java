/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

/** The signals that this library sends, with their numbers on Linux (signal(7)); macOS differs for CONT, STOP, USR1 and USR2. */
public enum Signal {
    /** Asks to end. */
    TERM(15),
    /** The terminal has gone; many servers read their settings again. */
    HUP(1),
    /** Asks to break off, as Ctrl-C does. */
    INT(2),
    /** Asks to end at once, with a dump. */
    QUIT(3),
    /** Means what the program says it means. */
    USR1(10),
    /** Means what the program says it means. */
    USR2(12),
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
