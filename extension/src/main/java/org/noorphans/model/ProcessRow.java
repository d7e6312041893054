/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.util.OptionalLong;

/**
 * One process as a process table showed it at one moment.
 *
 * @param id who it is
 * @param parentPid the number of its parent at that moment; 0 for the first process of a pid namespace
 * @param groupId its process group; empty where the platform cannot tell
 * @param sessionId its session; empty where the platform cannot tell
 * @param state what it was doing
 * @param name the short name the kernel keeps (Linux: at most 15 bytes); chosen by the process itself, so it may
 *     contain any character
 */
public record ProcessRow(
        ProcessId id, long parentPid, OptionalLong groupId, OptionalLong sessionId, ProcessState state, String name) {

    /** Short for {@code id().pid()}. */
    public long pid() {
        return id.pid();
    }

    /** Whether the process was neither a zombie nor dead. */
    public boolean isAlive() {
        return state.isAlive();
    }
}
