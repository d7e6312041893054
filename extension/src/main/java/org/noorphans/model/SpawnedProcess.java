/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/**
 * A process that a scope started, directly or through others.
 *
 * @param row how it was last seen
 * @param commandLine its command line when it was last read, or its short name in brackets
 * @param isAlive whether it was alive at the last look; a zombie is not
 */
public record SpawnedProcess(ProcessRow row, String commandLine, boolean isAlive) {
    /** Short for {@code row().id()}. */
    public ProcessId id() {
        return row.id();
    }

    /** Short for {@code row().pid()}. */
    public long pid() {
        return row.pid();
    }
}
