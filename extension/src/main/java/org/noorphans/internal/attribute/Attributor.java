/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.internal.observe.ProcessRecord.Origin;
import org.noorphans.model.Evidence;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ScopeKind;

/**
 * Says which scope owns a process. Pure: works on what was recorded.
 *
 * <p><b>Basic approach.</b> A process that was seen under another process inherits that one's owner; the chain through
 * living or recorded parents is the strongest fact there is, and a mark never overrules it. A process whose parent is, or
 * by adoption became, this JVM is decided by the mark it inherited; else by a group or session whose leader has an owner;
 * else by time: the scopes in which it may have started. If several scopes remain, none of which contains another, the
 * narrowest scope that contains them all owns it, and the evidence names them. The run owns only what it owns so: a process
 * that was started outside every class and test is nobody's.
 *
 * <p>One rule bends inheritance: what a fixture of a wider scope started during a test belongs to the fixture's scope as
 * long as its parent lives; once it is orphaned it belongs to the test during which it started.
 */
public final class Attributor {
    private final Collection<Scope> scopes;
    private final Function<ProcessId, Optional<ProcessRecord>> records;
    private final Function<Long, List<ProcessRecord>> recordsByPid;
    private final Map<ProcessId, Optional<Attribution>> known = new HashMap<>();
    private final Set<ProcessId> inProgress = new HashSet<>();

    /**
     * An attributor for one look.
     *
     * @param scopes all scopes that are open, and closed ones as long as they overlap with an open one
     * @param records what is known of a process
     * @param recordsByPid all processes that are known to have had a number
     */
    public Attributor(
            Collection<Scope> scopes,
            Function<ProcessId, Optional<ProcessRecord>> records,
            Function<Long, List<ProcessRecord>> recordsByPid) {
        this.scopes = List.copyOf(scopes);
        this.records = records;
        this.recordsByPid = recordsByPid;
    }

    /** The owner of a process; empty if no scope can have started it. */
    public Optional<Attribution> attribute(ProcessRecord process) {
        Optional<Attribution> before = known.get(process.id());
        if (before != null) {
            return before;
        }
        if (!inProgress.add(process.id())) {
            return Optional.empty(); // a cycle, which only a table torn between two moments can show
        }
        // A parent that nobody owns, because it was there before every scope, hands down just that.
        Optional<ProcessRecord> parent =
                process.origin() == Origin.CHILD_OF_PROCESS ? records.apply(process.firstParent()) : Optional.empty();
        Optional<Attribution> answer = parent.isPresent() ? inherited(process, parent.get()) : byMarkOrTime(process);
        inProgress.remove(process.id());
        known.put(process.id(), answer);
        return answer;
    }

    private Optional<Attribution> inherited(ProcessRecord process, ProcessRecord parent) {
        Optional<Attribution> fromParent = attribute(parent);
        boolean testOwnsParent =
                fromParent.filter(a -> a.owner().id().kind() == ScopeKind.TEST).isPresent();
        if (process.orphaned() && !testOwnsParent) {
            // An orphan of a fixture, or of a process that was there before every scope.
            List<Scope> tests = scopes.stream()
                    .filter(scope -> scope.id().kind() == ScopeKind.TEST && scope.mayHaveStarted(process))
                    .toList();
            Optional<Attribution> test = byMark(process, tests).or(() -> byTime(process, tests));
            if (test.isPresent()) {
                return test;
            }
        }
        return fromParent.map(attribution -> {
            List<Evidence> evidence = new ArrayList<>();
            markEvidence(process, attribution.owner()).ifPresent(evidence::add);
            evidence.add(
                    new Evidence.Descent(parent.id().pid(), parent.goneSince().isEmpty()));
            groupEvidence(process, attribution.owner()).ifPresent(evidence::add);
            addAdoption(process, evidence);
            return new Attribution(attribution.owner(), evidence);
        });
    }

    private Optional<Attribution> byMarkOrTime(ProcessRecord process) {
        List<Scope> possible =
                scopes.stream().filter(scope -> scope.mayHaveStarted(process)).toList();
        if (process.isAdopted()) {
            // The mark of a class or run on an orphan says only who started its fixture.
            List<Scope> tests = possible.stream()
                    .filter(scope -> scope.id().kind() == ScopeKind.TEST)
                    .toList();
            Optional<Attribution> test = byMark(process, tests).or(() -> byGroup(process, tests));
            if (test.isPresent()) {
                return test;
            }
            if (!tests.isEmpty()) {
                return byTime(process, tests);
            }
        }
        return byMark(process, possible).or(() -> byGroup(process, possible)).or(() -> byTime(process, possible));
    }

    private static Optional<Attribution> byMark(ProcessRecord process, List<Scope> possible) {
        return possible.stream()
                .filter(scope -> scope.slot() != 0 && scope.slot() == process.mark())
                .findFirst()
                .map(scope -> {
                    List<Evidence> evidence = new ArrayList<>();
                    evidence.add(new Evidence.Mark(process.mark(), scope.id()));
                    addOrigin(process, scope, evidence);
                    return new Attribution(scope, evidence);
                });
    }

    private Optional<Attribution> byGroup(ProcessRecord process, List<Scope> possible) {
        for (Scope scope : possible) {
            Optional<Evidence> shared = groupEvidence(process, scope);
            if (shared.isPresent()) {
                List<Evidence> evidence = new ArrayList<>(List.of(shared.get()));
                addOrigin(process, scope, evidence);
                return Optional.of(new Attribution(scope, evidence));
            }
        }
        return Optional.empty();
    }

    private static Optional<Attribution> byTime(ProcessRecord process, List<Scope> possible) {
        List<Scope> innermost = possible.stream()
                .filter(scope -> scope.id().kind() != ScopeKind.RUN)
                .filter(scope -> possible.stream().noneMatch(other -> other.isInside(scope)))
                .toList();
        if (innermost.isEmpty()) {
            return Optional.empty(); // started between guarded classes, by code that nobody guards
        }
        Scope owner = innermost.get(0);
        for (Scope scope : innermost) {
            // Two engines that run side by side in one JVM have nothing in common: then the first one's run answers.
            owner = owner.narrowestCommon(scope).orElse(owner.outermost());
        }
        List<Evidence> evidence = new ArrayList<>();
        addOrigin(process, owner, evidence);
        evidence.add(new Evidence.StartedInside(
                innermost.size() == 1
                        ? List.of()
                        : innermost.stream().map(scope -> scope.id().name()).toList()));
        return Optional.of(new Attribution(owner, evidence));
    }

    private static Optional<Evidence> markEvidence(ProcessRecord process, Scope owner) {
        return owner.slot() != 0 && owner.slot() == process.mark() && owner.mayHaveStarted(process)
                ? Optional.of(new Evidence.Mark(process.mark(), owner.id()))
                : Optional.empty();
    }

    /** Whether the leader of the group or session of the process, another process, is owned by the scope itself. */
    private Optional<Evidence> groupEvidence(ProcessRecord process, Scope owner) {
        return leaderOwnedBy(process, process.row().sessionId(), owner)
                .<Evidence>map(id -> new Evidence.SharedGroup(id, true))
                .or(() -> leaderOwnedBy(process, process.row().groupId(), owner)
                        .map(id -> new Evidence.SharedGroup(id, false)));
    }

    private Optional<Long> leaderOwnedBy(ProcessRecord process, OptionalLong group, Scope owner) {
        if (group.isEmpty() || group.getAsLong() == process.id().pid()) {
            return Optional.empty();
        }
        // A leader that had gone before the process started gave its number to nobody: a number is not handed out while
        // it names a group. So a leader that is recorded with this number, and is not younger, is the one.
        return recordsByPid.apply(group.getAsLong()).stream()
                .filter(leader -> leader.id().startStamp() <= process.id().startStamp())
                .filter(leader -> leader.row().groupId().equals(group)
                        || leader.row().sessionId().equals(group))
                .filter(leader -> attribute(leader)
                        .filter(a -> a.owner().id().number() == owner.id().number())
                        .isPresent())
                .findFirst()
                .map(leader -> leader.id().pid());
    }

    private static void addOrigin(ProcessRecord process, Scope scope, List<Evidence> evidence) {
        if (process.origin() == Origin.CHILD_OF_JVM) {
            evidence.add(new Evidence.ChildOfJvm());
        }
        process.forkingThread().ifPresent(kernelName -> {
            boolean own = process.forkingTask().equals(scope.task());
            evidence.add(new Evidence.ForkingThread(own ? scope.thread() : kernelName, own));
        });
        addAdoption(process, evidence);
    }

    private static void addAdoption(ProcessRecord process, List<Evidence> evidence) {
        if (process.isAdopted()) {
            evidence.add(new Evidence.Adopted());
        }
    }
}
