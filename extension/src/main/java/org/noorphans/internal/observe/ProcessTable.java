/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/** An immutable picture of processes at one moment: of the whole machine, or of one tree with its root. */
public final class ProcessTable {
    private final Map<Long, ProcessRow> byPid;
    private final Map<Long, Long> taskByPid;

    /** Made when it is first asked for; several threads may make it, each the same. */
    private volatile @Nullable Index index;

    private ProcessTable(Map<Long, ProcessRow> byPid, Map<Long, Long> taskByPid) {
        this.byPid = byPid;
        this.taskByPid = taskByPid;
    }

    /** A picture made of these rows; of two rows with one pid the later counts. */
    public static ProcessTable of(Collection<ProcessRow> rows) {
        return of(rows, Map.of());
    }

    /**
     * A picture that also knows under which task the kernel listed the children of this JVM.
     *
     * @param taskByPid for children of this JVM: the number of the task (thread) that they were listed under
     */
    public static ProcessTable of(Collection<ProcessRow> rows, Map<Long, Long> taskByPid) {
        Map<Long, ProcessRow> byPid = new LinkedHashMap<>();
        for (ProcessRow row : rows) {
            byPid.put(row.pid(), row);
        }
        return new ProcessTable(Collections.unmodifiableMap(byPid), Map.copyOf(taskByPid));
    }

    /** All rows, in the order in which they were read. */
    public Collection<ProcessRow> rows() {
        return byPid.values();
    }

    /** The process that has this number in this picture. */
    public Optional<ProcessRow> row(long pid) {
        return Optional.ofNullable(byPid.get(pid));
    }

    /** The row of exactly this process; empty if it is not there, or if another one has its number. */
    public Optional<ProcessRow> row(ProcessId id) {
        return row(id.pid()).filter(row -> row.id().equals(id));
    }

    /** Whether exactly this process is in the picture and neither a zombie nor dead. */
    public boolean isAlive(ProcessId id) {
        return row(id).filter(ProcessRow::isAlive).isPresent();
    }

    /** The task (thread) of this JVM that the kernel listed the process under; empty for all but its children. */
    public Optional<Long> taskOf(long pid) {
        return Optional.ofNullable(taskByPid.get(pid));
    }

    /** The identities of all rows. */
    public Set<ProcessId> ids() {
        return byPid.values().stream().map(ProcessRow::id).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Everything below a process, breadth first, without the process itself. Cycles, which a picture that was not taken
     * in one moment may show, are followed once.
     */
    public List<ProcessRow> descendantsOf(long pid) {
        Map<Long, ProcessRow> found = new LinkedHashMap<>();
        ArrayDeque<Long> open = new ArrayDeque<>(List.of(pid));
        while (!open.isEmpty()) {
            for (ProcessRow child : childrenOf(open.remove())) {
                if (child.pid() != pid && found.putIfAbsent(child.pid(), child) == null) {
                    open.add(child.pid());
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** The rows that name this process as their parent, in the order in which they were read. */
    public List<ProcessRow> childrenOf(long pid) {
        return index().children.getOrDefault(pid, List.of());
    }

    /** The rows of a process group, dead ones included, in the order in which they were read. */
    public List<ProcessRow> group(long groupId) {
        return index().groups.getOrDefault(groupId, List.of());
    }

    /** The rows of a session, dead ones included, in the order in which they were read. */
    public List<ProcessRow> session(long sessionId) {
        return index().sessions.getOrDefault(sessionId, List.of());
    }

    private Index index() {
        Index made = index;
        if (made == null) {
            made = new Index(byPid.values());
            index = made;
        }
        return made;
    }

    private static final class Index {
        private final Map<Long, List<ProcessRow>> children = new HashMap<>();
        private final Map<Long, List<ProcessRow>> groups = new HashMap<>();
        private final Map<Long, List<ProcessRow>> sessions = new HashMap<>();

        Index(Collection<ProcessRow> rows) {
            for (ProcessRow row : rows) {
                add(children, row.parentPid(), row);
                row.groupId().ifPresent(group -> add(groups, group, row));
                row.sessionId().ifPresent(session -> add(sessions, session, row));
            }
        }

        private static void add(Map<Long, List<ProcessRow>> index, long key, ProcessRow row) {
            index.computeIfAbsent(key, absent -> new ArrayList<>()).add(row);
        }
    }

    /** The numbers of the living ancestors of a process, nearest first, without the process itself; cycle-safe. */
    public List<Long> ancestorsOf(long pid) {
        Map<Long, Boolean> seen = new LinkedHashMap<>();
        Optional<ProcessRow> row = row(pid);
        while (row.isPresent()) {
            long parent = row.get().parentPid();
            if (parent == 0 || parent == pid || seen.putIfAbsent(parent, true) != null) {
                break;
            }
            row = row(parent);
        }
        return List.copyOf(seen.keySet());
    }
}
