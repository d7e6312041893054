/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import org.noorphans.model.ProcessId;

/**
 * The door through which signals go. It takes one exact process, or a group whose members have been verified; there is no way
 * to name everything, the group of this JVM, or a number without start stamps.
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

    /**
     * Sends a signal to all members of a group, after the identity of at least one member has been compared: as long as a
     * process is in a group, the number of the group is not given out again. This default, for systems that cannot do so,
     * sends to each verified member, one after the other.
     *
     * @return delivered if at least one process got it; else not permitted if one refused it; else why nobody got it
     * @throws IllegalArgumentException if the group is that of this JVM
     */
    default Delivery send(GroupTarget target, Signal signal) {
        Delivery best = Delivery.GONE;
        for (ProcessId member : target.members()) {
            Delivery delivery = send(member, signal);
            if (delivery == Delivery.DELIVERED || (delivery == Delivery.NOT_PERMITTED && best != Delivery.DELIVERED)) {
                best = delivery;
            }
        }
        return best;
    }
}
