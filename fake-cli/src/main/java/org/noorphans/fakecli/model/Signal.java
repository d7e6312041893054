/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** A signal that a scenario can name. */
public enum Signal {
    /** Hang-up. */
    HUP,
    /** Interrupt, as from the keyboard. */
    INT,
    /** Quit, as from the keyboard. */
    QUIT,
    /** Illegal instruction. */
    ILL,
    /** Abort. */
    ABRT,
    /** Bus error. */
    BUS,
    /** Arithmetic error. */
    FPE,
    /** Force the end; cannot be ignored. */
    KILL,
    /** First user-defined signal. */
    USR1,
    /** Invalid memory reference. */
    SEGV,
    /** Second user-defined signal. */
    USR2,
    /** Write to a pipe without reader. */
    PIPE,
    /** Timer. */
    ALRM,
    /** Request to end. */
    TERM;

    /** Whether a process can ignore this signal; false for {@link #KILL} alone. */
    public boolean canBeIgnored() {
        return this != KILL;
    }
}
