/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/** What a process is doing, as the kernel tells it: the state letter of {@code /proc/PID/stat} and of {@code ps}. */
public enum ProcessState {
    /** Running or waiting for a processor. */
    RUNNING('R', "running"),
    /** Waiting for an event; signals wake it. */
    SLEEPING('S', "sleeping"),
    /** Waiting inside the kernel, usually for a disk; signals, KILL included, take effect only afterwards. */
    UNINTERRUPTIBLE('D', "in uninterruptible sleep"),
    /** Stopped by a signal; acts on TERM only once it is continued. */
    STOPPED('T', "stopped"),
    /** Stopped by a debugger or tracer. */
    TRACED('t', "stopped by a tracer"),
    /** Dead, waiting for its parent to collect the exit status. Not alive. */
    ZOMBIE('Z', "zombie"),
    /** Dead, on the way out of the table. Not alive. */
    DEAD('X', "dead"),
    /** An idle kernel thread. */
    IDLE('I', "idle"),
    /** The system does not tell, or uses a letter this library does not know. Counts as alive. */
    UNKNOWN('?', "in an unknown state");

    private final char letter;
    private final String words;

    ProcessState(char letter, String words) {
        this.letter = letter;
        this.words = words;
    }

    /** The state for a letter as {@code /proc/PID/stat} prints it; a letter that is not known gives {@link #UNKNOWN}. */
    public static ProcessState ofLetter(char letter) {
        for (ProcessState state : values()) {
            if (state.letter == letter) {
                return state;
            }
        }
        // Linux up to 3.13 also printed x (dead), K (wakekill), W (waking), P (parked): proc(5).
        return letter == 'x' ? DEAD : UNKNOWN;
    }

    /** The letter of {@code ps} and {@code /proc/PID/stat}; {@code ?} for {@link #UNKNOWN}. */
    public char letter() {
        return letter;
    }

    /** The state in words, to complete "the process is …". */
    public String words() {
        return words;
    }

    /** Whether a process in this state still lives: neither a zombie nor dead. */
    public boolean isAlive() {
        return this != ZOMBIE && this != DEAD;
    }

    /** Whether the process has been stopped and must be continued before it can act on TERM. */
    public boolean isStopped() {
        return this == STOPPED || this == TRACED;
    }
}
