/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.util.OptionalLong;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/**
 * A process of an owned tree, as it was last seen.
 *
 * @param id number and start
 * @param parentPid the number of its parent at that moment
 * @param groupId its process group; empty where the platform cannot tell
 * @param depth how far below the root it is, or was while its parents lived; 0 for the root
 * @param state what it was doing
 * @param kind which program, from a fixed list; {@code other} for everything else, whatever it calls itself
 */
public record OwnedProcess(
        ProcessId id, long parentPid, OptionalLong groupId, int depth, ProcessState state, String kind) {

    static OwnedProcess of(ProcessRow row, int depth) {
        return new OwnedProcess(
                row.id(), row.parentPid(), row.groupId(), depth, row.state(), ProcessKind.of(row.name()));
    }

    /** Short for {@code id().pid()}. */
    public long pid() {
        return id.pid();
    }

    /** Whether it is neither a zombie nor dead. */
    public boolean isAlive() {
        return state.isAlive();
    }

    /** Number, start, parent, group, state and kind in one line. */
    public String describe() {
        return id + ", parent " + parentPid
                + (groupId.isPresent() ? ", group " + groupId.getAsLong() : "") + ", depth " + depth + ", state "
                + state.letter() + ", " + kind;
    }
}
