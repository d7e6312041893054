/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import java.util.List;
import org.noorphans.model.ProcessId;

/**
 * A process group that may be signalled as a whole: its number, and the members by which it was verified.
 *
 * <p>kill(2) takes 0 for "my own group" and -1 for "everything". Neither can be said with this value: numbers below 2 and the
 * group of the caller are refused when it is made, and a sender refuses the caller's group once more.
 *
 * @param groupId the number of the group; 2 or more
 * @param members processes that were in the group in one fresh table; at least one
 * @param callerGroup the group of this JVM in the same table
 */
public record GroupTarget(long groupId, List<ProcessId> members, long callerGroup) {
    public GroupTarget {
        members = List.copyOf(members);
        if (groupId < 2 || groupId > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "refusing to name the group " + groupId + ": it is not a group of processes");
        }
        if (groupId == callerGroup) {
            throw new IllegalArgumentException(
                    "refusing to name the group " + groupId + ": it is the group of this JVM");
        }
        if (members.isEmpty()) {
            throw new IllegalArgumentException(
                    "refusing to name the group " + groupId + ": none of its members is verified");
        }
    }
}
