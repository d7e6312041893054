/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/** Process groups of a tree: found, verified, followed, put in order. Pure. */
final class Groups {
    private Groups() {}

    /**
     * A process of a tree.
     *
     * @param row as the table showed it
     * @param depth the number of generations below the root
     */
    record Member(ProcessRow row, int depth) {}

    /**
     * A tree in one table.
     *
     * @param members breadth first, the root first
     * @param groups one for each group number, the deepest first
     */
    record Tree(List<Member> members, List<OwnedGroup> groups) {}

    /**
     * The tree below a process: the process and everything that leads to it through parents, each once; cycles are followed
     * once. Empty if the table does not show the process, even if others name it as their parent.
     */
    static Tree observe(ProcessTable table, long rootPid) {
        Map<Long, Member> found = new LinkedHashMap<>();
        Optional<ProcessRow> root = table.row(rootPid);
        root.ifPresent(row -> found.put(rootPid, new Member(row, 0)));
        ArrayDeque<Member> open = new ArrayDeque<>(found.values());
        while (!open.isEmpty()) {
            Member parent = open.remove();
            for (ProcessRow row : table.childrenOf(parent.row().pid())) {
                Member child = new Member(row, parent.depth() + 1);
                if (found.putIfAbsent(row.pid(), child) == null) {
                    open.add(child);
                }
            }
        }
        List<Member> members = List.copyOf(found.values());
        return new Tree(members, group(members));
    }

    private static List<OwnedGroup> group(List<Member> members) {
        Map<Long, List<ProcessId>> ids = new LinkedHashMap<>();
        Map<Long, Integer> depths = new LinkedHashMap<>();
        Map<Long, Integer> tops = new LinkedHashMap<>();
        for (Member member : members) {
            OptionalLong group = member.row().groupId();
            if (group.isPresent()) {
                ids.computeIfAbsent(group.getAsLong(), absent -> new ArrayList<>())
                        .add(member.row().id());
                depths.merge(group.getAsLong(), member.depth(), Math::max);
                tops.putIfAbsent(group.getAsLong(), member.depth());
            }
        }
        return deepestFirst(ids.entrySet().stream()
                .map(entry -> new OwnedGroup(
                        entry.getKey(),
                        depths.getOrDefault(entry.getKey(), 0),
                        tops.getOrDefault(entry.getKey(), 0),
                        entry.getValue(),
                        true))
                .toList());
    }

    /** Stable: of two groups of one depth the one that came first stays first. */
    private static List<OwnedGroup> deepestFirst(List<OwnedGroup> groups) {
        return groups.stream()
                .sorted(Comparator.comparingInt(OwnedGroup::depth).reversed())
                .toList();
    }

    /** The groups of which at least one member is still there: the same number, the same start, in the same group. */
    static List<OwnedGroup> revalidate(List<OwnedGroup> groups, ProcessTable table) {
        return groups.stream()
                .filter(group -> group.members().stream().anyMatch(member -> isIn(group.groupId(), member, table)))
                .toList();
    }

    private static boolean isIn(long groupId, ProcessId member, ProcessTable table) {
        return table.row(member)
                .filter(row -> row.groupId().isPresent() && row.groupId().getAsLong() == groupId)
                .isPresent();
    }

    /**
     * The groups with everybody who is in them now. Only for groups that {@link #revalidate} has just kept: while a member
     * lives, the number means the same group, so whoever is in it joined it.
     */
    static List<OwnedGroup> refresh(List<OwnedGroup> revalidated, ProcessTable table) {
        return revalidated.stream()
                .map(group -> group.withMembers(table.group(group.groupId()).stream()
                        .map(ProcessRow::id)
                        .toList()))
                .filter(group -> !group.members().isEmpty())
                .toList();
    }

    /**
     * The order in which groups are ended: the deepest first, that of the root last; each number once, with its greatest depth.
     * Numbers that must not be signalled as a group are left out, that of the caller among them. If the caller's group is
     * unknown, nobody may be signalled.
     */
    static List<OwnedGroup> terminationOrder(
            List<OwnedGroup> groups, OptionalLong rootGroup, OptionalLong callerGroup) {
        if (callerGroup.isEmpty()) {
            return List.of();
        }
        Map<Long, OwnedGroup> deepest = new LinkedHashMap<>();
        for (OwnedGroup group : groups) {
            boolean mayBeSignalled =
                    !group.whole() || (group.groupId() > 1 && group.groupId() != callerGroup.getAsLong());
            if (mayBeSignalled) {
                deepest.merge(group.groupId(), group, (one, other) -> one.depth() >= other.depth() ? one : other);
            }
        }
        List<OwnedGroup> ordered = new ArrayList<>(deepestFirst(List.copyOf(deepest.values())));
        if (rootGroup.isPresent()) {
            OwnedGroup root = deepest.get(rootGroup.getAsLong());
            if (root != null && ordered.remove(root)) {
                ordered.add(root);
            }
        }
        return List.copyOf(ordered);
    }
}
