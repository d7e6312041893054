/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * What is owned, as of one table. Immutable and pure: an observation makes a new one, or refuses and leaves the old one.
 *
 * <p><b>Basic approach.</b> A process is owned by proof only. The proofs are: it is the root, by number and start; it was owned
 * before, by number and start; it is below an owned process; it is in a group that is owned as a whole; it is in a session
 * that an owned process leads, since a session can be made but not joined. A number alone proves nothing. A group that was
 * owned, none of whose members is there any more, while others use its number, makes everything uncertain: then nothing may be
 * signalled until it is cleared up.
 *
 * <p>A group is owned as a whole when an owned process leads it, when everybody alive in it is owned, or when it was owned so
 * before and a member is still there: as long as one is, the kernel does not give out the number again. The caller's group is
 * never owned, and neither is one that others share; owned processes in such a group are owned one by one.
 */
final class Ownership {
    private final long rootPid;
    private final @Nullable ProcessId root;
    private final OptionalLong rootGroup;
    private final OptionalLong callerGroup;
    private final ProcessTable table;
    /** Owned processes, dead ones that are still listed included, with their depth. */
    private final Map<ProcessId, Integer> members;

    private final List<OwnedGroup> groups;
    private final Set<Long> sessions;
    private final Set<Long> covered;
    private final Set<ProcessId> preserved;
    private final @Nullable ProcessRow runner;
    /** Whether the root was started to lead a session of its own. */
    private final boolean leader;

    private Ownership(
            long rootPid,
            @Nullable ProcessId root,
            OptionalLong rootGroup,
            OptionalLong callerGroup,
            ProcessTable table,
            Map<ProcessId, Integer> members,
            List<OwnedGroup> groups,
            Set<Long> sessions,
            Set<Long> covered,
            Set<ProcessId> preserved,
            @Nullable ProcessRow runner,
            boolean leader) {
        this.rootPid = rootPid;
        this.root = root;
        this.rootGroup = rootGroup;
        this.callerGroup = callerGroup;
        this.table = table;
        this.members = members;
        this.groups = groups;
        this.sessions = sessions;
        this.covered = covered;
        this.preserved = preserved;
        this.runner = runner;
        this.leader = leader;
    }

    /** Nothing is owned yet; who the root is will be learnt from the first table in which it must be the root. */
    static Ownership of(long rootPid) {
        return of(rootPid, null, false);
    }

    /**
     * Owned from the start on: a process that was started a moment ago to lead a session of its own. Whoever is in that
     * session while it is young is owned, even if the root has gone by then.
     *
     * @param root who it is; null if it had gone before that could be read
     */
    static Ownership ofLeader(long rootPid, @Nullable ProcessId root) {
        return of(rootPid, root, true);
    }

    private static Ownership of(long rootPid, @Nullable ProcessId root, boolean leader) {
        return new Ownership(
                rootPid,
                root,
                OptionalLong.empty(),
                OptionalLong.empty(),
                ProcessTable.of(List.of()),
                Map.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Set.of(),
                null,
                leader);
    }

    /**
     * What is owned according to the next table.
     *
     * @param self the number of this JVM
     * @param rootMayBeIt whether the process that has the root's number in this table is the root for certain, because the
     *     root had not been collected when the table was complete; only then its start is learnt
     * @param young whether the root was started so short a time ago that its number cannot have come round again
     * @throws OwnedTreeException if nothing can be told from the table, or something owned became uncertain
     */
    Ownership observe(ProcessTable next, long self, boolean rootMayBeIt, boolean young) {
        OptionalLong nextCallerGroup = next.row(self).map(ProcessRow::groupId).orElse(OptionalLong.empty());
        if (nextCallerGroup.isEmpty()) {
            throw new OwnedTreeException(TreeProblem.CALLER_GROUP_UNKNOWN);
        }
        @Nullable ProcessId knownRoot = root;
        if (knownRoot == null && rootMayBeIt) {
            knownRoot = next.row(rootPid).map(ProcessRow::id).orElse(null);
        }
        if (knownRoot == null && leader && young) {
            // It ended before anybody could look; what is listed is its remains, still to be collected by this JVM.
            knownRoot = next.row(rootPid)
                    .filter(row -> row.parentPid() == self)
                    .map(ProcessRow::id)
                    .orElse(null);
        }
        return new Observation(next, self, nextCallerGroup.getAsLong(), knownRoot, leader && young).take();
    }

    /** One observation in the making. */
    private final class Observation {
        private final ProcessTable next;
        private final long ownGroup;
        private final OptionalLong ownSession;
        private final @Nullable ProcessId knownRoot;
        /** This JVM and what is above it: never owned, whatever a torn table says. */
        private final Set<Long> untouchable;

        private final Map<Long, ProcessRow> reached = new LinkedHashMap<>();
        private final ArrayDeque<ProcessRow> open = new ArrayDeque<>();
        private final Set<Long> whole = new LinkedHashSet<>();
        private final Set<Long> uncertain = new LinkedHashSet<>();
        private final Set<Long> led = new LinkedHashSet<>();

        private final boolean sessionIsCertain;

        Observation(
                ProcessTable next, long self, long ownGroup, @Nullable ProcessId knownRoot, boolean sessionIsCertain) {
            this.sessionIsCertain = sessionIsCertain;
            this.next = next;
            this.ownGroup = ownGroup;
            this.ownSession = next.row(self).map(ProcessRow::sessionId).orElse(OptionalLong.empty());
            this.knownRoot = knownRoot;
            this.untouchable = new HashSet<>(next.ancestorsOf(self));
            untouchable.add(self);
        }

        Ownership take() {
            List<OwnedGroup> wholeBefore = groups.stream()
                    .filter(group -> group.whole() && group.groupId() != ownGroup)
                    .toList();
            List<OwnedGroup> verified = Groups.revalidate(wholeBefore, next);
            for (OwnedGroup group : wholeBefore) {
                if (!verified.contains(group) && hasLiving(group.groupId())) {
                    uncertain.add(group.groupId());
                }
            }
            for (OwnedGroup group : Groups.refresh(verified, next)) {
                claim(group.groupId());
            }
            if (knownRoot != null) {
                next.row(knownRoot).ifPresent(this::reach);
            }
            members.keySet().forEach(member -> next.row(member).ifPresent(this::reach));
            sessions.stream().filter(this::isContinued).forEach(this::claimSession);
            if (sessionIsCertain
                    && next.row(rootPid).map(row -> row.id().equals(knownRoot)).orElse(true)) {
                claimSession(rootPid);
            }
            grow();
            clearUp();
            return result();
        }

        private boolean hasLiving(long groupId) {
            return next.group(groupId).stream().anyMatch(ProcessRow::isAlive);
        }

        /** A session number, too, is not given out again while somebody is in it. */
        private boolean isContinued(long session) {
            return next.session(session).stream().anyMatch(row -> members.containsKey(row.id()));
        }

        private void reach(ProcessRow row) {
            if (row.pid() > 1 && !untouchable.contains(row.pid()) && reached.putIfAbsent(row.pid(), row) == null) {
                open.add(row);
            }
        }

        private void claim(long groupId) {
            if (groupId > 1 && groupId != ownGroup && whole.add(groupId)) {
                next.group(groupId).forEach(this::reach);
            }
        }

        private void claimSession(long session) {
            if (session > 1 && (ownSession.isEmpty() || ownSession.getAsLong() != session) && led.add(session)) {
                next.session(session).forEach(this::reach);
            }
        }

        /** Follows everything that the proofs lead to, until nothing new turns up. */
        private void grow() {
            boolean grown = true;
            while (grown) {
                while (!open.isEmpty()) {
                    ProcessRow row = open.remove();
                    // A child is never older than its parent: an older one names a number that has passed on.
                    next.childrenOf(row.pid()).stream()
                            .filter(child -> child.id().startStamp() >= row.id().startStamp())
                            .forEach(this::reach);
                    if (leads(row, row.groupId()) && !uncertain.contains(row.pid())) {
                        claim(row.pid());
                    }
                    if (leads(row, row.sessionId())) {
                        claimSession(row.pid());
                    }
                }
                grown = false;
                for (long groupId : groupsReached()) {
                    if (!whole.contains(groupId)
                            && !uncertain.contains(groupId)
                            && groupId != ownGroup
                            && isReachedByAllLiving(groupId)) {
                        claim(groupId);
                        grown |= !open.isEmpty();
                    }
                }
            }
        }

        private static boolean leads(ProcessRow row, OptionalLong number) {
            return number.isPresent() && number.getAsLong() == row.pid();
        }

        private Set<Long> groupsReached() {
            Set<Long> ids = new LinkedHashSet<>();
            reached.values().forEach(row -> row.groupId().ifPresent(ids::add));
            return ids;
        }

        private boolean isReachedByAllLiving(long groupId) {
            return next.group(groupId).stream()
                    .filter(ProcessRow::isAlive)
                    .allMatch(row -> reached.containsKey(row.pid()));
        }

        /** A group without a verified member stays ours only if everybody alive in it is owned on other grounds. */
        private void clearUp() {
            List<ProcessRow> strangers = new ArrayList<>();
            for (long groupId : uncertain) {
                if (isReachedByAllLiving(groupId)) {
                    claim(groupId);
                } else {
                    next.group(groupId).stream().filter(ProcessRow::isAlive).forEach(strangers::add);
                }
            }
            if (!strangers.isEmpty()) {
                throw new OwnedTreeException(
                        TreeProblem.IDENTITY_UNCERTAIN,
                        strangers.stream().map(row -> OwnedProcess.of(row, 0)).toList());
            }
            grow();
        }

        private Ownership result() {
            Map<ProcessId, Integer> depths = depths();
            List<OwnedGroup> found = grouped(depths);
            Optional<ProcessRow> rootRow = knownRoot == null ? Optional.empty() : next.row(knownRoot);
            return new Ownership(
                    rootPid,
                    knownRoot,
                    rootRow.map(ProcessRow::groupId)
                            .filter(OptionalLong::isPresent)
                            .orElse(rootGroup),
                    OptionalLong.of(ownGroup),
                    next,
                    depths,
                    found,
                    Set.copyOf(led),
                    coveredOf(found),
                    preservedOf(),
                    runner,
                    leader);
        }

        /*
         * The root, or an owned process whose parent is not owned (any more), keeps the depth it had; below it, depth counts
         * on. So an orphan stays as deep as it was, and looking again changes nothing.
         */
        private Map<ProcessId, Integer> depths() {
            Map<ProcessId, Integer> depths = new LinkedHashMap<>();
            ArrayDeque<ProcessRow> todo = new ArrayDeque<>();
            for (ProcessRow row : reached.values()) {
                boolean isRoot = row.id().equals(knownRoot);
                if (isRoot || !reached.containsKey(row.parentPid()) || row.parentPid() == row.pid()) {
                    depths.put(row.id(), isRoot ? 0 : depthBefore(row));
                    todo.add(row);
                }
            }
            countOn(depths, todo);
            for (ProcessRow row : reached.values()) {
                if (depths.putIfAbsent(row.id(), depthBefore(row)) == null) { // in a cycle
                    todo.add(row);
                    countOn(depths, todo);
                }
            }
            return depths;
        }

        private void countOn(Map<ProcessId, Integer> depths, ArrayDeque<ProcessRow> todo) {
            while (!todo.isEmpty()) {
                ProcessRow parent = todo.remove();
                int depth = depths.getOrDefault(parent.id(), 0) + 1;
                for (ProcessRow child : next.childrenOf(parent.pid())) {
                    if (reached.containsKey(child.pid()) && depths.putIfAbsent(child.id(), depth) == null) {
                        todo.add(child);
                    }
                }
            }
        }

        private int depthBefore(ProcessRow row) {
            Integer known = members.get(row.id());
            if (known != null) {
                return known;
            }
            // Found without a parent: as deep as the group it is in, or just below the root.
            return groups.stream()
                    .filter(group -> row.groupId().isPresent()
                            && group.groupId() == row.groupId().getAsLong())
                    .map(OwnedGroup::depth)
                    .findFirst()
                    .orElse(1);
        }

        private List<OwnedGroup> grouped(Map<ProcessId, Integer> depths) {
            Map<Long, List<ProcessId>> ids = new LinkedHashMap<>();
            Map<Long, Integer> deepest = new LinkedHashMap<>();
            Map<Long, Integer> tops = new LinkedHashMap<>();
            groups.forEach(group -> tops.put(group.groupId(), group.top()));
            for (ProcessRow row : reached.values()) {
                long groupId = row.groupId().orElse(ownGroup); // not told: then it is signalled alone
                ids.computeIfAbsent(groupId, absent -> new ArrayList<>()).add(row.id());
                deepest.merge(groupId, depths.getOrDefault(row.id(), 0), Math::max);
                tops.merge(groupId, depths.getOrDefault(row.id(), 0), Math::min);
            }
            List<OwnedGroup> found = new ArrayList<>();
            ids.forEach((groupId, inIt) -> found.add(new OwnedGroup(
                    groupId,
                    deepest.getOrDefault(groupId, 0),
                    tops.getOrDefault(groupId, 0),
                    inIt,
                    whole.contains(groupId))));
            return List.copyOf(found);
        }

        /** A group that turns up below a covered one is covered too: the owner above it has been asked. */
        private Set<Long> coveredOf(List<OwnedGroup> found) {
            Set<Long> known = new HashSet<>();
            groups.forEach(group -> known.add(group.groupId()));
            Set<Long> now = new HashSet<>();
            for (OwnedGroup group : found) {
                long id = group.groupId();
                if (covered.contains(id) || (!known.contains(id) && isBelow(group, covered))) {
                    now.add(id);
                }
            }
            return Set.copyOf(now);
        }

        private boolean isBelow(OwnedGroup group, Set<Long> others) {
            return !others.isEmpty()
                    && group.members().stream()
                            .anyMatch(member -> hasAncestorIn(next, member, group.groupId(), others));
        }

        /** The preserved processes that are still there, and what is below them or in their groups. */
        private Set<ProcessId> preservedOf() {
            if (preserved.isEmpty()) {
                return Set.of();
            }
            Map<Long, ProcessRow> kept = new LinkedHashMap<>();
            ArrayDeque<ProcessRow> todo = new ArrayDeque<>();
            preserved.forEach(id -> next.row(id).ifPresent(todo::add));
            while (!todo.isEmpty()) {
                ProcessRow row = todo.remove();
                if (!reached.containsKey(row.pid())
                        || row.groupId().equals(rootGroup)
                        || kept.putIfAbsent(row.pid(), row) != null) {
                    continue;
                }
                todo.addAll(next.childrenOf(row.pid()));
                row.groupId().ifPresent(groupId -> {
                    if (whole.contains(groupId)) {
                        todo.addAll(next.group(groupId));
                    }
                });
            }
            Set<ProcessId> ids = new LinkedHashSet<>();
            kept.values().forEach(row -> ids.add(row.id()));
            return ids;
        }
    }

    private static boolean hasAncestorIn(ProcessTable table, ProcessId member, long ownGroupId, Set<Long> groupIds) {
        for (long ancestor : table.ancestorsOf(member.pid())) {
            OptionalLong group = table.row(ancestor).map(ProcessRow::groupId).orElse(OptionalLong.empty());
            if (group.isPresent() && group.getAsLong() != ownGroupId && groupIds.contains(group.getAsLong())) {
                return true;
            }
        }
        return false;
    }

    ProcessTable table() {
        return table;
    }

    Optional<ProcessId> root() {
        return Optional.ofNullable(root);
    }

    OptionalLong callerGroup() {
        return callerGroup;
    }

    Optional<ProcessRow> runner() {
        return Optional.ofNullable(runner);
    }

    /** How far below the root an owned process is. */
    int depthOf(ProcessId id) {
        return members.getOrDefault(id, 0);
    }

    /** Every owned process that is alive, the root first, in the order in which it was reached. */
    List<OwnedProcess> livingMembers() {
        List<OwnedProcess> living = new ArrayList<>();
        members.forEach((id, depth) -> table.row(id)
                .filter(ProcessRow::isAlive)
                .ifPresent(row -> living.add(row.id().equals(root) ? 0 : living.size(), OwnedProcess.of(row, depth))));
        return List.copyOf(living);
    }

    /** The owned groups in which somebody is alive. */
    List<OwnedGroup> liveGroups() {
        return groups.stream()
                .filter(group -> group.members().stream().anyMatch(table::isAlive))
                .toList();
    }

    /** All owned groups, those in which nobody is alive included. */
    List<OwnedGroup> groups() {
        return groups;
    }

    /** The live groups that do not belong to the admitted runner. */
    List<OwnedGroup> cleanupGroups() {
        return liveGroups().stream().filter(group -> !isPreserved(group)).toList();
    }

    boolean isPreserved(OwnedGroup group) {
        return group.members().stream().anyMatch(preserved::contains);
    }

    Set<ProcessId> preserved() {
        return preserved;
    }

    /** The order in which these groups are ended. */
    List<OwnedGroup> terminationOrder(Collection<OwnedGroup> selected) {
        // Of two groups that reach equally deep the one that begins deeper is the inner one.
        List<OwnedGroup> innerFirst = selected.stream()
                .sorted(Comparator.comparingInt(OwnedGroup::top).reversed())
                .toList();
        return Groups.terminationOrder(innerFirst, rootGroup, callerGroup);
    }

    /**
     * Those of the given groups that are asked to end: the root's, while somebody is alive in it; after that the outermost,
     * none of whose members has an ancestor in another of them. Their wrappers still have to pass the signal on.
     */
    List<OwnedGroup> gracefulRoots(Collection<OwnedGroup> candidates) {
        List<OwnedGroup> ofRoot = candidates.stream().filter(this::isOfRoot).toList();
        if (!ofRoot.isEmpty()) {
            return ofRoot;
        }
        Set<Long> ids = new HashSet<>();
        candidates.forEach(group -> ids.add(group.groupId()));
        return candidates.stream()
                .filter(group -> group.members().stream()
                        .noneMatch(member -> hasAncestorIn(table, member, group.groupId(), ids)))
                .toList();
    }

    boolean isOfRoot(OwnedGroup group) {
        return rootGroup.isPresent() && rootGroup.getAsLong() == group.groupId();
    }

    boolean isCovered(OwnedGroup group) {
        return covered.contains(group.groupId());
    }

    /** The same, after TERM was delivered to a group: it and everything below it is never asked again. */
    Ownership covering(OwnedGroup delivered) {
        Set<Long> more = new HashSet<>(covered);
        more.add(delivered.groupId());
        for (ProcessId member : delivered.members()) {
            for (OwnedGroup below : Groups.observe(table, member.pid()).groups()) {
                more.add(below.groupId());
            }
        }
        groups.stream().filter(this::isPreserved).forEach(group -> {
            if (group.groupId() != delivered.groupId()) {
                more.remove(group.groupId());
            }
        });
        return new Ownership(
                rootPid,
                root,
                rootGroup,
                callerGroup,
                table,
                members,
                groups,
                sessions,
                Set.copyOf(more),
                preserved,
                runner,
                leader);
    }

    /**
     * The same, with an admitted runner.
     *
     * @param rootExited whether the root has exited
     * @param startedAt the wall-clock time of a row's start
     * @throws OwnedTreeException if the runner cannot be admitted
     */
    Ownership admitting(RunnerIdentity identity, boolean rootExited, Function<ProcessRow, Instant> startedAt) {
        if (runner != null || rootExited || root == null) {
            throw new OwnedTreeException(TreeProblem.ADMISSION_TOO_LATE);
        }
        ProcessRow candidate = Groups.observe(table, rootPid).members().stream()
                .map(Groups.Member::row)
                .filter(row -> row.pid() == identity.pid())
                .findFirst()
                .filter(ProcessRow::isAlive)
                .filter(row -> row.groupId().equals(OptionalLong.of(identity.groupId())))
                .filter(row -> identity.groupId() != rootPid && !row.groupId().equals(rootGroup))
                .filter(row -> identity.start().matches(row.id().startStamp(), startedAt.apply(row)))
                .filter(row -> identity.program().isEmpty()
                        || ProcessKind.isKernelNameOf(identity.program().get(), row.name()))
                .filter(row -> members.containsKey(row.id()))
                .orElseThrow(() -> new OwnedTreeException(
                        TreeProblem.NOT_THE_OWNED_RUNNER,
                        table.row(identity.pid()).stream()
                                .map(row -> OwnedProcess.of(row, 0))
                                .toList()));
        Groups.Tree tree = Groups.observe(table, candidate.pid());
        Set<ProcessId> ids = new LinkedHashSet<>();
        tree.members().forEach(member -> ids.add(member.row().id()));
        List<OwnedProcess> strangers = tree.groups().stream()
                .flatMap(group -> table.group(group.groupId()).stream())
                .filter(row -> row.isAlive() && !ids.contains(row.id()))
                .map(row -> OwnedProcess.of(row, 0))
                .toList();
        if (!strangers.isEmpty()) {
            throw new OwnedTreeException(TreeProblem.RUNNER_SHARES_GROUP, strangers);
        }
        return new Ownership(
                rootPid,
                root,
                rootGroup,
                callerGroup,
                table,
                members,
                groups,
                sessions,
                covered,
                Set.copyOf(ids),
                candidate,
                leader);
    }

    /**
     * Makes sure that the admitted runner is alive in this table: the same number, start and group.
     *
     * @throws OwnedTreeException if it is not, or if none was admitted
     */
    void requireRunnerAlive() {
        @Nullable ProcessRow admitted = runner;
        if (admitted == null) {
            throw new OwnedTreeException(TreeProblem.RUNNER_DIED, "none was admitted", List.of(), null);
        }
        boolean alive = table.row(admitted.id())
                .filter(ProcessRow::isAlive)
                .filter(row -> row.groupId().equals(admitted.groupId()))
                .isPresent();
        if (!alive) {
            throw new OwnedTreeException(TreeProblem.RUNNER_DIED, List.of(OwnedProcess.of(admitted, 0)));
        }
    }
}
