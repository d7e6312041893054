/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** A signal that a scenario can name. */
public enum Signal {
    /** Hang-up. */
    HUP(1),
    /** Interrupt, as from the keyboard. */
    INT(2),
    /** Quit, as from the keyboard. */
    QUIT(3),
    /** Illegal instruction. */
    ILL(4),
    /** Abort. */
    ABRT(6),
    /** Bus error. */
    BUS(7),
    /** Arithmetic error. */
    FPE(8),
    /** Force the end; cannot be ignored. */
    KILL(9),
    /** First user-defined signal. */
    USR1(10),
    /** Invalid memory reference. */
    SEGV(11),
    /** Second user-defined signal. */
    USR2(12),
    /** Write to a pipe without reader. */
    PIPE(13),
    /** Timer. */
    ALRM(14),
    /** Request to end. */
    TERM(15);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    /** Its number on Linux. */
    public int number() {
        return number;
    }

    /** Whether a process can ignore this signal; false for {@link #KILL} alone. */
    public boolean canBeIgnored() {
        return this != KILL;
    }
}
