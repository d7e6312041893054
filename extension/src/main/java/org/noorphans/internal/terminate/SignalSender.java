/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import org.noorphans.model.ProcessId;

/**
 * The door through which signals go. It takes one exact process; there is no way to name a group, everything, or a number
 * without its start stamp.
 */
@FunctionalInterface
public interface SignalSender {
    /** What came of a signal. */
    enum Delivery {
        /** The kernel accepted it. A zombie accepts signals too. */
        DELIVERED,
        /** There is no such process any more. */
        GONE,
        /** The number belongs to another process by now; nothing was sent. */
        NOT_THE_SAME_PROCESS,
        /** The system refused it (EPERM). */
        NOT_PERMITTED
    }

    /**
     * Sends a signal, after the identity of the target has been compared.
     *
     * @throws IllegalArgumentException if the target is process 1, or this JVM
     */
    Delivery send(ProcessId target, Signal signal);
}
