/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.util.List;
import org.noorphans.model.ProcessId;

/**
 * The owned processes of one process group.
 *
 * @param groupId the number of the group
 * @param depth how far below the root its deepest member is
 * @param top how far below the root it begins: the least depth that any member of it ever had
 * @param members the owned processes in it, shallow first
 * @param whole whether the group is owned as such, so that everybody in it is ours and it may be signalled as a group; if
 *     not, its owned members are signalled one by one and the others are none of our business
 */
record OwnedGroup(long groupId, int depth, int top, List<ProcessId> members, boolean whole) {
    OwnedGroup {
        members = List.copyOf(members);
    }

    OwnedGroup withMembers(List<ProcessId> others) {
        return new OwnedGroup(groupId, depth, top, others, whole);
    }
}
