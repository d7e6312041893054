/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import org.noorphans.fakecli.internal.proc.ProcTable;

/**
 * Who a process is, as it recorded itself.
 *
 * @param pid its number
 * @param ppid its parent's number when it recorded itself
 * @param pgid its process group then
 * @param sid its session then
 * @param startTicks when it started, in clock ticks since boot; with the pid its identity
 */
public record ProcessIds(long pid, long ppid, long pgid, long sid, long startTicks) {
    /**
     * Whether this very process is alive now: listed with the same start time, and neither a zombie nor dead. A look at
     * the process table at each call.
     */
    public boolean isAlive() {
        return ProcTable.isAlive(pid, startTicks);
    }
}
