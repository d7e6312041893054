/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.noorphans.model.ProcessId;

/**
 * An owned tree as one look showed it.
 *
 * @param members the owned processes that were alive, the root first if it was one of them
 * @param groups the groups that are owned as a whole and have a living member, in the order in which they would be ended: the
 *     innermost first, that of the root last
 * @param preserved those of the members that are to survive a stop: the admitted runner and its tree
 */
public record TreeView(List<OwnedProcess> members, List<Long> groups, Set<ProcessId> preserved) {
    private static final int DESCRIBED = 64;

    public TreeView {
        members = List.copyOf(members);
        groups = List.copyOf(groups);
        preserved = Set.copyOf(preserved);
    }

    /** The member that has this number. */
    public Optional<OwnedProcess> member(long pid) {
        return members.stream().filter(member -> member.pid() == pid).findFirst();
    }

    /** Whether nothing is alive. */
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /** One line for each member, 64 at most, with nothing in it that a process chose itself. */
    public String describe() {
        String lines = members.stream()
                .limit(DESCRIBED)
                .map(member -> "  " + member.describe() + (preserved.contains(member.id()) ? ", preserved" : ""))
                .collect(Collectors.joining("\n"));
        return members.size() > DESCRIBED ? lines + "\n  and " + (members.size() - DESCRIBED) + " more" : lines;
    }
}
