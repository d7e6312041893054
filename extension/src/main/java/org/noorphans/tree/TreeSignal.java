/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import org.noorphans.internal.terminate.Signal;

/** A signal that an owner may send to its tree. */
public enum TreeSignal {
    /** Asks to end. */
    TERM(Signal.TERM),
    /** Asks to break off, as Ctrl-C does. */
    INT(Signal.INT),
    /** The terminal has gone; many servers read their settings again. */
    HUP(Signal.HUP),
    /** Asks to end at once, with a dump. */
    QUIT(Signal.QUIT),
    /** Means what the program says it means. */
    USR1(Signal.USR1),
    /** Means what the program says it means. */
    USR2(Signal.USR2),
    /** Stops; cannot be caught. */
    STOP(Signal.STOP),
    /** Continues what was stopped. */
    CONT(Signal.CONT),
    /** Ends; cannot be caught. */
    KILL(Signal.KILL);

    private final Signal signal;

    TreeSignal(Signal signal) {
        this.signal = signal;
    }

    Signal signal() {
        return signal;
    }
}
