/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/**
 * The identity of one process: its number and the moment the kernel says it started.
 *
 * <p>A pid alone is never an identity, because the kernel hands freed numbers out again. Every
 * lookup and every signal in this library therefore takes a {@code ProcessId}.
 *
 * @param pid the process number; positive
 * @param startStamp the start time in the platform's own unit (Linux: field 22 of {@code /proc/PID/stat},
 *     clock ticks since boot, proc(5)); meaningful only for equality and order on one machine, and only
 *     until that machine reboots
 */
public record ProcessId(long pid, long startStamp) {
    public ProcessId {
        if (pid <= 0) {
            throw new IllegalArgumentException("pid must be positive, but was " + pid);
        }
    }

    @Override
    public String toString() {
        return "pid " + pid + " (start " + startStamp + ")";
    }
}
