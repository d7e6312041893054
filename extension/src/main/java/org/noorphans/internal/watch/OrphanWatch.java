/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.attribute.Scope;
import org.noorphans.internal.attribute.TestCode;
import org.noorphans.internal.judge.Candidate;
import org.noorphans.internal.judge.Judge;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.internal.observe.ProcessRecord.Origin;
import org.noorphans.internal.terminate.Terminator;
import org.noorphans.model.Ancestor;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.SpawnSite;
import org.noorphans.model.SpawnedProcess;
import org.noorphans.model.Survivor;
import org.noorphans.model.Termination;
import org.noorphans.model.Termination.Outcome;

/** One scope, from its begin to the verdict. Ends once, by {@link #endIfClean} or {@link #end}. */
public final class OrphanWatch {
    private static final long FIRST_PAUSE = Duration.ofMillis(1).toNanos();
    /** How long a verdict is put off at most because it cannot yet be told whether a process was adopted. */
    private static final long DECISION = Duration.ofMillis(500).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofMillis(50).toNanos();

    private final ProcessWatch watch;
    private ScopeId id;
    private final int markBefore;
    private final @Nullable OrphanWatch outer;
    private boolean ended;

    OrphanWatch(ProcessWatch watch, ScopeId id, int markBefore, @Nullable OrphanWatch outer) {
        this.watch = watch;
        this.id = id;
        this.markBefore = markBefore;
        this.outer = outer;
    }

    /**
     * Begins a scope on the calling thread. What this thread, and every thread that it creates, starts from now on is the
     * scope's; what was there before is not.
     *
     * @param code the test method that the scope runs; null for a class or the run
     * @param container the scope that this one is part of; null for the one that is open on the calling thread, if any
     */
    public static OrphanWatch open(
            ProcessWatch watch, ScopeKind kind, String name, @Nullable TestCode code, @Nullable OrphanWatch container) {
        return watch.open(kind, name, code, container);
    }

    /** Which scope. */
    public ScopeId id() {
        return id;
    }

    /** Gives the scope its name and code, where those become known only after its begin. */
    public void rename(String name, @Nullable TestCode code) {
        id = watch.rename(id, name, code);
    }

    Scope scope() {
        return watch.scope(id);
    }

    int markBefore() {
        return markBefore;
    }

    @Nullable
    OrphanWatch outer() {
        return outer;
    }

    /** Whether the scope has ended. */
    public boolean isEnded() {
        return ended;
    }

    /**
     * The fast look: ends the scope if nothing of it is alive. Waits for nothing.
     *
     * @return whether the scope has ended
     */
    public boolean endIfClean() {
        if (!ended && (watch.isClean() || freshLook().isClean())) {
            finish();
        }
        return ended;
    }

    /** Gives the scope up without a verdict: what it started is left to the scope around it. */
    public void abandon() {
        if (!ended) {
            finish();
        }
    }

    private void finish() {
        ended = true;
        watch.close(this);
    }

    /**
     * The final look: waits for survivors to end by themselves, judges, ends them if the policy says so, and ends the scope.
     *
     * @return what was left behind; clean if the scope had ended before
     */
    public LeakReport end(Policy policy) {
        if (ended) {
            return LeakReport.clean(id, Duration.ZERO);
        }
        try {
            long begin = watch.pacing().nanoTime();
            List<Candidate> survivors = settle(policy.settle(), begin);
            Duration settled = Duration.ofNanos(watch.pacing().nanoTime() - begin);
            return survivors.isEmpty() ? LeakReport.clean(id, settled) : report(survivors, settled, policy);
        } finally {
            finish();
        }
    }

    /** The verdict is taken from the last look, never from an earlier one. */
    private List<Candidate> settle(Duration settle, long begin) {
        Finding finding = freshLook();
        long pause = FIRST_PAUSE;
        while (!finding.isClean()) {
            long limit = finding.survivors().isEmpty() ? DECISION : settle.toNanos();
            long left = limit - (watch.pacing().nanoTime() - begin);
            if (left <= 0) {
                break;
            }
            watch.pacing().pause(Math.min(pause, left));
            pause = Math.min(pause * 2, LONGEST_PAUSE);
            finding = freshLook();
        }
        return finding.survivors();
    }

    private List<Candidate> freshSurvivors() {
        return freshLook().survivors();
    }

    /**
     * What one look shows.
     *
     * @param survivors the processes that the scope answers for
     * @param undecided whether something that the scope may have started cannot yet be told from a child that Java code forked
     */
    private record Finding(List<Candidate> survivors, boolean undecided) {
        boolean isClean() {
            return survivors.isEmpty() && !undecided;
        }
    }

    private Finding freshLook() {
        watch.look();
        long readAt = watch.spawnRecordsReadAt();
        List<Candidate> living = watch.living();
        List<Candidate> ambiguous = living.stream()
                .filter(candidate -> candidate.attribution().isAmbiguous())
                .toList();
        if (!ambiguous.isEmpty()) {
            // Only parallel tests get here: the JVM's own records may tell them apart.
            if (ambiguous.stream().map(Candidate::record).anyMatch(watch::isNewerThanSpawnRecords)) {
                watch.readSpawnRecords();
            }
            if (readAt != watch.spawnRecordsReadAt()) { // read here, or meanwhile by another test
                living = watch.living();
            }
        }
        Set<ProcessId> judged = new HashSet<>();
        living.stream().map(Candidate::record).filter(watch::isJudged).forEach(record -> judged.add(record.id()));
        Scope scope = scope();
        boolean undecided = living.stream()
                .map(Candidate::record)
                .anyMatch(record -> record.origin() == Origin.UNKNOWN && scope.mayHaveStarted(record));
        return new Finding(Judge.survivors(scope, living, judged), undecided);
    }

    private LeakReport report(List<Candidate> survivors, Duration settled, Policy policy) {
        if (survivors.stream().map(Candidate::record).anyMatch(watch::isNewerThanSpawnRecords)) {
            watch.readSpawnRecords();
        }
        List<Survivor> described = freshEvidence(survivors).stream()
                .sorted(Comparator.comparingLong(
                                (Candidate c) -> c.record().id().startStamp())
                        .thenComparingLong(c -> c.record().id().pid()))
                .map(this::describe)
                .toList();
        List<ProcessId> targets = described.stream().map(Survivor::id).toList();
        Map<ProcessId, Termination> terminations = new HashMap<>();
        int latecomers = 0;
        Optional<String> problem = Optional.empty();
        if (policy.kill()) {
            try {
                Terminator.Result result = watch.terminator().terminate(targets, this::endable, policy.grace());
                result.terminations().forEach(t -> terminations.put(t.id(), t));
                // One that could not be ended is left for the scope around this one to report.
                List<ProcessId> gone = result.latecomers().stream()
                        .filter(late -> late.outcome().isGone())
                        .map(Termination::id)
                        .toList();
                latecomers = gone.size();
                watch.judged(gone);
            } catch (RuntimeException e) {
                problem = Optional.of("ending broke off: " + e); // what was found is reported all the same
            }
        }
        Outcome otherwise = problem.isPresent() ? Outcome.STILL_THERE : Outcome.LEFT_ALONE;
        Optional<String> whatBroke = problem;
        watch.judged(targets);
        List<Leak> leaks = described.stream()
                .map(survivor -> new Leak(
                        survivor,
                        terminations.getOrDefault(
                                survivor.id(),
                                new Termination(survivor.id(), otherwise, Duration.ZERO, false, whatBroke))))
                .toList();
        List<String> notes =
                watch
                        .spawnRecordsMissingBecause()
                        .map(reason -> "Spawn sites are missing because " + reason + ".")
                        .stream()
                        .toList();
        return new LeakReport(id, leaks, settled, latecomers, notes);
    }

    /** The same survivors with what the JVM's records add; the verdict stays. */
    private List<Candidate> freshEvidence(List<Candidate> survivors) {
        Map<ProcessId, Candidate> now = new HashMap<>();
        watch.living().forEach(candidate -> now.put(candidate.record().id(), candidate));
        return survivors.stream()
                .map(before -> Optional.ofNullable(now.get(before.record().id()))
                        .filter(after -> after.attribution()
                                .owner()
                                .id()
                                .equals(before.attribution().owner().id()))
                        .orElse(before))
                .toList();
    }

    private List<ProcessRow> endable() {
        return freshSurvivors().stream()
                .map(candidate -> candidate.record().row())
                .toList();
    }

    private Survivor describe(Candidate candidate) {
        ProcessRecord record = candidate.record();
        long now = watch.reader().now();
        List<Ancestor> chain = new ArrayList<>();
        Set<ProcessId> seen = new HashSet<>(Set.of(record.id()));
        ProcessRecord last = record;
        while (last.origin() == Origin.CHILD_OF_PROCESS && seen.add(last.firstParent())) {
            Optional<ProcessRecord> parent = watch.record(last.firstParent());
            if (parent.isEmpty()) {
                break;
            }
            last = parent.get();
            Optional<Duration> endedAgo = last.goneSince().isPresent()
                    ? Optional.of(watch.reader().between(last.goneSince().getAsLong(), now))
                    : Optional.empty();
            chain.add(new Ancestor(last.id(), commandLineOf(last), endedAgo));
        }
        boolean complete = last.origin() == Origin.CHILD_OF_JVM;
        ProcessRecord root = last;
        Optional<SpawnSite> site = root.spawn().map(spawn -> new SpawnSite(spawn.thread(), spawn.at(), spawn.frames()));
        return new Survivor(
                record.row(),
                watch.reader().commandLine(record.id().pid()).orElseGet(() -> commandLineOf(record)),
                watch.reader().between(record.id().startStamp(), now),
                candidate.attribution().owner().id(),
                chain,
                complete,
                site.map(SpawnSite::thread).or(() -> watch.threadOf(root)),
                site,
                candidate.attribution().evidence());
    }

    private static String commandLineOf(ProcessRecord record) {
        return record.commandLine().orElse("[" + record.row().name() + "]");
    }

    /** What the scope has started, as far as it was seen, in the order of first sight; alive and gone. Looks afresh. */
    public List<SpawnedProcess> spawned() {
        watch.look();
        return watch.everythingOf(id).stream()
                .map(record -> new SpawnedProcess(
                        record.row(),
                        commandLineOf(record),
                        record.goneSince().isEmpty() && record.row().isAlive()))
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * Takes a process, and everything that it starts, out of the verdict: neither is reported, nor ended.
     *
     * @throws IllegalArgumentException if the scope did not start it, or it is not alive
     */
    public void preserve(ProcessId process) {
        if (spawned().stream().noneMatch(known -> known.isAlive() && known.id().equals(process))) {
            throw new IllegalArgumentException(
                    process + " cannot be preserved: it is not alive, or was not started by " + id.name());
        }
        watch.judged(List.of(process));
    }

    /** Whether the verdict on this process, or on one that it descends from, is no longer open. */
    public boolean isSettled(ProcessId process) {
        return watch.record(process).filter(watch::isJudged).isPresent();
    }

    /**
     * Waits until nothing of the scope is alive but what is to be preserved.
     *
     * @return whether that came true in time
     */
    public boolean awaitNone(Duration atMost, Duration lookEvery) {
        long begin = watch.pacing().nanoTime();
        while (spawned().stream().anyMatch(process -> process.isAlive() && !isSettled(process.id()))) {
            long left = atMost.toNanos() - (watch.pacing().nanoTime() - begin);
            if (left <= 0) {
                return false;
            }
            watch.pacing().pause(Math.min(left, lookEvery.toNanos()));
        }
        return true;
    }
}
