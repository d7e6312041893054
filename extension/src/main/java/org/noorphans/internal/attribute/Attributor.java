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
import org.noorphans.internal.observe.SpawnRecord;
import org.noorphans.model.Evidence;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ScopeKind;

/**
 * Says which scope owns a process. Pure: works on what was recorded.
 *
 * <p><b>Basic approach.</b> A process that was seen under another process inherits that one's owner; the chain through
 * living or recorded parents is the strongest fact there is, and a mark never overrules it. A process whose parent is, or
 * by adoption became, this JVM is decided by the first of these that tells the scopes apart in which it may have started:
 * the thread that started it is a scope's own; the mark it inherited, if no other scope comes into question beside the marked
 * one; the test method on the stack that started it; the mark, unless a thread that works for several scopes may have handed
 * it on; a group or session whose leader has an owner. If several
 * scopes remain, none of which contains another, the narrowest scope that contains them all owns it, and the evidence names
 * them. The run owns only what it owns so: a process that was started outside every class and test is nobody's.
 *
 * <p>One rule bends inheritance: what a fixture of a wider scope started during a test belongs to the fixture's scope as
 * long as its parent lives; once it is orphaned it belongs to the test during which it started.
 */
public final class Attributor {
    private final Collection<Scope> scopes;
    private final Function<ProcessId, Optional<ProcessRecord>> records;
    private final Function<Long, List<ProcessRecord>> recordsByPid;
    private final SharedThreads sharedThreads;
    private final Map<ProcessId, Optional<Attribution>> known = new HashMap<>();
    private final Set<ProcessId> inProgress = new HashSet<>();

    /** What is known of threads that work for several tests. */
    @FunctionalInterface
    public interface SharedThreads {
        /**
         * Whether a thread that may work for several scopes, and carries the mark of this one, may have started the process
         * or an ancestor of it. True where that is not known.
         */
        boolean mayHaveStarted(ProcessRecord process, Scope marked);
    }

    /**
     * An attributor for one look.
     *
     * @param scopes all scopes that are open, and closed ones as long as they overlap with an open one
     * @param records what is known of a process
     * @param recordsByPid all processes that are known to have had a number
     * @param sharedThreads what is known of threads that work for several tests
     */
    public Attributor(
            Collection<Scope> scopes,
            Function<ProcessId, Optional<ProcessRecord>> records,
            Function<Long, List<ProcessRecord>> recordsByPid,
            SharedThreads sharedThreads) {
        this.scopes = List.copyOf(scopes);
        this.records = records;
        this.recordsByPid = recordsByPid;
        this.sharedThreads = sharedThreads;
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
        Optional<Attribution> answer = parent.isPresent() ? inherited(process, parent.get()) : ofRoot(process);
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
            List<Scope> tests = testsAmong(possible(process));
            if (!tests.isEmpty()) {
                return decide(process, tests);
            }
        }
        return fromParent.map(attribution -> {
            List<Evidence> evidence = new ArrayList<>();
            markEvidence(process, attribution.owner()).ifPresent(evidence::add);
            evidence.add(
                    new Evidence.Descent(parent.id().pid(), parent.goneSince().isEmpty()));
            groupEvidence(process, attribution.owner()).ifPresent(evidence::add);
            addAdoption(process, evidence);
            return new Attribution(attribution.owner(), attribution.candidates(), evidence);
        });
    }

    private Optional<Attribution> ofRoot(ProcessRecord process) {
        List<Scope> possible = possible(process);
        // The mark of a class on an orphan says only who started its fixture.
        List<Scope> tests = process.isAdopted() ? testsAmong(possible) : List.of();
        return decide(process, tests.isEmpty() ? possible : tests);
    }

    private List<Scope> possible(ProcessRecord process) {
        return scopes.stream().filter(scope -> scope.mayHaveStarted(process)).toList();
    }

    private static List<Scope> testsAmong(List<Scope> scopes) {
        return scopes.stream()
                .filter(scope -> scope.id().kind() == ScopeKind.TEST)
                .toList();
    }

    /** The scope among those possible; the strongest evidence that tells them apart decides. */
    private Optional<Attribution> decide(ProcessRecord process, List<Scope> possible) {
        List<Scope> own = innermost(possible.stream()
                .filter(scope -> scope.runsOn(process.startingTask()))
                .toList());
        if (own.size() == 1) {
            return certain(process, own.get(0));
        }
        Optional<Scope> marked =
                possible.stream().filter(scope -> isMarked(process, scope)).findFirst();
        if (marked.isPresent() && !hasRivals(marked.get(), innermost(possible))) {
            return certain(process, marked.get());
        }
        List<Scope> onStack = testsAmong(possible).stream()
                .filter(scope -> isOnStack(process, scope))
                .toList();
        if (onStack.size() == 1) {
            return certain(process, onStack.get(0));
        }
        if (marked.isPresent() && isProof(process, marked.get())) {
            return certain(process, marked.get());
        }
        Optional<Scope> byGroup = possible.stream()
                .filter(scope -> groupEvidence(process, scope).isPresent())
                .findFirst();
        return byGroup.isPresent()
                ? certain(process, byGroup.get())
                : byTime(process, innermost(onStack.isEmpty() ? possible : onStack), marked);
    }

    private static boolean isMarked(ProcessRecord process, Scope scope) {
        return scope.slot() != 0 && scope.slot() == process.mark();
    }

    private static boolean isOnStack(ProcessRecord process, Scope scope) {
        TestCode code = scope.code();
        return code != null
                && process.spawn().filter(spawn -> code.isOn(spawn.frames())).isPresent();
    }

    /** Whether a scope that neither contains the marked one nor lies inside it comes into question as well. */
    private static boolean hasRivals(Scope marked, List<Scope> candidates) {
        return candidates.stream().anyMatch(other -> !other.isWithin(marked.id()) && !marked.isWithin(other.id()));
    }

    /*
     * A mark says who created the thread that started the process. That is the same as whose work it did, unless the thread
     * belongs to a pool, or is virtual, so that scopes which run at the same time might have given it work.
     */
    private boolean isProof(ProcessRecord process, Scope marked) {
        return process.spawn().isPresent()
                ? !process.spawn().get().isShared()
                : !sharedThreads.mayHaveStarted(process, marked);
    }

    private Optional<Attribution> certain(ProcessRecord process, Scope owner) {
        List<Evidence> evidence = new ArrayList<>();
        markEvidence(process, owner).ifPresent(evidence::add);
        groupEvidence(process, owner).ifPresent(evidence::add);
        addOrigin(process, owner, evidence);
        if (evidence.isEmpty()) {
            evidence.add(new Evidence.StartedInside(List.of()));
        }
        return Optional.of(Attribution.certain(owner, evidence));
    }

    /** Without the run: what starts outside every class and test is nobody's. */
    private static List<Scope> innermost(List<Scope> scopes) {
        return scopes.stream()
                .filter(scope -> scope.id().kind() != ScopeKind.RUN)
                .filter(scope -> scopes.stream().noneMatch(other -> other.isInside(scope)))
                .toList();
    }

    private static Optional<Attribution> byTime(ProcessRecord process, List<Scope> candidates, Optional<Scope> marked) {
        if (candidates.isEmpty()) {
            return Optional.empty(); // started between guarded classes, by code that nobody guards
        }
        Scope owner = candidates.get(0);
        for (Scope scope : candidates) {
            // Two engines that run side by side in one JVM have nothing in common: then the first one's run answers.
            owner = owner.narrowestCommon(scope).orElse(owner.outermost());
        }
        List<Evidence> evidence = new ArrayList<>();
        addOrigin(process, owner, evidence);
        marked.filter(scope -> candidates.size() > 1)
                .ifPresent(scope -> evidence.add(new Evidence.Mark(process.mark(), scope.id(), false)));
        evidence.add(new Evidence.StartedInside(
                candidates.size() == 1
                        ? List.of()
                        : candidates.stream().map(scope -> scope.id().name()).toList()));
        return Optional.of(new Attribution(owner, candidates, evidence));
    }

    private static Optional<Evidence> markEvidence(ProcessRecord process, Scope owner) {
        return isMarked(process, owner) && owner.mayHaveStarted(process)
                ? Optional.of(new Evidence.Mark(process.mark(), owner.id(), true))
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
        if (process.spawn().isPresent()) {
            SpawnRecord spawn = process.spawn().get();
            evidence.add(new Evidence.Spawned(spawn.thread(), spawn.virtual(), isOnStack(process, scope)));
        } else {
            process.forkingThread().ifPresent(kernelName -> {
                boolean own = scope.runsOn(process.forkingTask());
                evidence.add(new Evidence.ForkingThread(own ? scope.thread() : kernelName, own));
            });
        }
        addAdoption(process, evidence);
    }

    private static void addAdoption(ProcessRecord process, List<Evidence> evidence) {
        if (process.isAdopted()) {
            evidence.add(new Evidence.Adopted(process.row().parentPid()));
        }
    }
}
