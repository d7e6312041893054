/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import org.noorphans.model.ProcessId;

/** The door through which the exit status of an adopted process is collected. Takes one exact process, never "any". */
@FunctionalInterface
public interface ZombieReaper {
    /**
     * Collects a dead child of this JVM, so that it leaves the process table. Does not wait.
     *
     * @param id a zombie that is provably not a child that Java code started
     * @return whether it was collected
     */
    boolean reap(ProcessId id);

    /** A reaper for systems on which this JVM adopts nothing. */
    ZombieReaper NONE = id -> false;
}
