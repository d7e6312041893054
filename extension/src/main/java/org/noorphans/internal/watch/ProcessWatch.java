/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.attribute.Attributor;
import org.noorphans.internal.attribute.Scope;
import org.noorphans.internal.attribute.TestCode;
import org.noorphans.internal.judge.Candidate;
import org.noorphans.internal.observe.ProcessLedger;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.SpawnRecord;
import org.noorphans.internal.observe.SpawnRecords;
import org.noorphans.internal.observe.ThreadMarks;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Terminator;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;

/**
 * The one watch of this JVM: what has been seen below it, which scopes are open, and on which processes a verdict has been
 * given. Thread-safe.
 */
public final class ProcessWatch {
    /** A zombie of unknown origin is collected only after this time. */
    private static final Duration ZOMBIE_PATIENCE = Duration.ofMillis(100);

    private final Platform platform;
    private final SpawnRecords spawnRecords;
    private final Pacing pacing;
    private final ProcessTableReader reader;
    private final ThreadMarks marks;
    private final ReentrantLock lock = new ReentrantLock();
    private final ProcessLedger ledger;
    private final Slots slots;
    private final Map<Long, Scope> scopes = new LinkedHashMap<>();
    private final Set<ProcessId> judged = new HashSet<>();

    @SuppressWarnings("ThreadLocalUsage") // there is one watch per JVM, and tests make their own
    private final ThreadLocal<@Nullable OrphanWatch> current = new ThreadLocal<>();

    private final Observer observer;
    private final long patience;
    private long scopeCount;
    private List<SpawnRecord> spawns = List.of();
    private volatile long spawnsReadAt = -1;

    /**
     * A watch over the processes that these adapters show.
     *
     * @param spawnRecords what the JVM notes of the processes that Java code starts
     * @param observerPeriod the longest pause between two looks of the observer thread
     */
    public ProcessWatch(Platform platform, SpawnRecords spawnRecords, Duration observerPeriod, Pacing pacing) {
        this.platform = platform;
        this.spawnRecords = spawnRecords;
        this.pacing = pacing;
        this.reader = platform.reader();
        this.marks = platform.marks();
        this.ledger = new ProcessLedger(reader, marks, platform.subreaper());
        this.slots = new Slots(this::carriedSlots);
        this.patience = reader.stamps(ZOMBIE_PATIENCE);
        // Started before any scope, so that it carries no scope's mark.
        this.observer = new Observer(this, observerPeriod);
    }

    /** Begins a scope on the calling thread: takes the baseline, then marks the thread. */
    OrphanWatch open(ScopeKind kind, String name, @Nullable TestCode code, @Nullable OrphanWatch parent) {
        OrphanWatch outer = current.get();
        while (outer != null && outer.isEnded()) { // ended by another thread
            outer = outer.outer();
        }
        OrphanWatch container = parent != null ? parent : outer;
        lock.lock();
        try {
            ScopeId id = new ScopeId(++scopeCount, kind, name);
            Set<ProcessId> present = isClean() ? Set.of() : look().ids();
            long opened = reader.now();
            // A stamp is coarse: what was seen before may have the stamp of this moment.
            Set<ProcessId> sameMoment = ledger.startedSince(opened);
            Set<ProcessId> baseline = sameMoment.isEmpty() ? present : union(present, sameMoment);
            // The run is not marked: what starts outside every class and test is nobody's.
            int slot = marks.isSupported() && kind != ScopeKind.RUN ? slots.take() : 0;
            Scope scope = new Scope(
                    id,
                    container == null ? null : container.scope(),
                    opened,
                    OptionalLong.empty(),
                    0,
                    slot,
                    reader.currentTask(),
                    Thread.currentThread().getName(),
                    baseline,
                    code);
            scopes.put(id.number(), scope);
            int before = slot == 0 ? 0 : marks.mark(slot);
            OrphanWatch watch = new OrphanWatch(this, id, before, outer);
            current.set(watch);
            observer.scopeOpened();
            return watch;
        } finally {
            lock.unlock();
        }
    }

    private static Set<ProcessId> union(Set<ProcessId> one, Set<ProcessId> other) {
        Set<ProcessId> both = new HashSet<>(one);
        both.addAll(other);
        return both;
    }

    /** Ends a scope for good: its thread loses the mark, what starts from now on is not its own. */
    void close(OrphanWatch watch) {
        lock.lock();
        try {
            Scope open = watch.scope();
            scopes.put(open.id().number(), open.closedAt(reader.now(), ledger.looks()));
            unmark(open, watch.markBefore());
            slots.release(open.slot());
            if (current.get() == watch) {
                OrphanWatch outer = watch.outer();
                if (outer == null) {
                    current.remove();
                } else {
                    current.set(outer);
                }
            }
            prune();
            observer.scopeClosed();
        } finally {
            lock.unlock();
        }
    }

    private void unmark(Scope scope, int before) {
        if (scope.slot() == 0) {
            return;
        }
        int slotBefore = marks.slotOf(before);
        boolean stillHeld = scopes.values().stream().anyMatch(s -> s.slot() == slotBefore && !s.isClosed());
        int value = stillHeld ? before : marks.withoutSlot(before);
        long task = scope.task().orElse(0);
        // A scope may be closed by another thread; its own may have gone, and its number may be another thread's.
        if (task != 0 && marks.slotOfTask(task) == scope.slot()) {
            marks.restore(task, value);
        }
    }

    /** Forgets closed scopes that can own nothing that is alive, and verdicts on processes that have gone. */
    private void prune() {
        List<ProcessRecord> living = ledger.living();
        Set<Long> needed = new HashSet<>();
        for (Scope scope : scopes.values()) {
            if (!scope.isClosed() || living.stream().anyMatch(scope::mayHaveStarted)) {
                for (@Nullable Scope up = scope; up != null; up = up.parent()) {
                    needed.add(up.id().number());
                }
            }
        }
        scopes.keySet().retainAll(needed);
        Set<ProcessId> alive = new HashSet<>();
        living.forEach(record -> alive.add(record.id()));
        judged.retainAll(alive);
    }

    ScopeId rename(ScopeId id, String name, @Nullable TestCode code) {
        lock.lock();
        try {
            ScopeId renamed = new ScopeId(id.number(), id.kind(), name);
            scopes.put(id.number(), scope(id).named(renamed, code));
            return renamed;
        } finally {
            lock.unlock();
        }
    }

    Scope scope(ScopeId id) {
        lock.lock();
        try {
            Scope scope = scopes.get(id.number());
            if (scope == null) {
                throw new IllegalStateException("the scope " + id + " has been closed and forgotten");
            }
            return scope;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is certain, at the price of one system call, that nothing that was started below this JVM is alive. */
    boolean isClean() {
        if (!platform.subreaper() || !reader.hasNoChild()) {
            return false;
        }
        lock.lock();
        try {
            if (!ledger.isAllGone()) {
                // Another thread may have seen a new process since.
                if (!reader.hasNoChild()) {
                    return false;
                }
                ledger.record(ProcessTable.of(List.of()));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Looks afresh, records what is seen, collects what was adopted and has died. */
    ProcessTable look() {
        lock.lock();
        try {
            ProcessTable tree = platform.subreaper() ? reader.ownTree() : treeAndStrays();
            ledger.record(tree);
            for (ProcessId zombie : ledger.collectable(tree, patience)) {
                platform.reaper().reap(zombie);
            }
            return tree;
        } finally {
            lock.unlock();
        }
    }

    /*
     * Without a subreaper an orphan leaves the tree and goes to an ancestor of this JVM: process 1 or a subreaper above. It is
     * found again by its record, by the mark of a scope, or by the group of a living process that was recorded; then also what
     * is below it. A mark alone is no reason: another guarded JVM on this machine may use the same number for its own.
     */
    private ProcessTable treeAndStrays() {
        ProcessTable whole = reader.wholeTable();
        Map<Long, ProcessRow> found = new LinkedHashMap<>();
        whole.row(reader.self()).ifPresent(row -> found.put(row.pid(), row));
        whole.descendantsOf(reader.self().pid()).forEach(row -> found.put(row.pid(), row));
        long earliest = scopes.values().stream().mapToLong(Scope::opened).min().orElse(Long.MAX_VALUE);
        Set<Integer> held = new HashSet<>();
        scopes.values().stream().map(Scope::slot).filter(slot -> slot != 0).forEach(held::add);
        Set<Long> untouchable = reader.selfAndAncestors();
        long ownGroup =
                whole.row(reader.self()).map(row -> row.groupId().orElse(0)).orElse(0L);
        Set<ProcessId> known = new HashSet<>();
        Set<Long> groups = new HashSet<>();
        for (ProcessRecord record : ledger.living()) {
            known.add(record.id());
            record.row().groupId().ifPresent(groups::add);
        }
        groups.remove(ownGroup);
        for (ProcessRow row : whole.rows()) {
            if (found.containsKey(row.pid()) || untouchable.contains(row.pid())) {
                continue;
            }
            boolean adopted = untouchable.contains(row.parentPid());
            boolean stray = known.contains(row.id())
                    || (adopted
                            && row.id().startStamp() >= earliest
                            && (held.contains(marks.slotOfTask(row.pid()))
                                    || groups.contains(row.groupId().orElse(-1))));
            if (stray) {
                found.put(row.pid(), row);
                whole.descendantsOf(row.pid()).stream()
                        .filter(below -> !untouchable.contains(below.pid()))
                        .forEach(below -> found.putIfAbsent(below.pid(), below));
            }
        }
        return ProcessTable.of(found.values());
    }

    /** Everything that was alive at the last look, with its owner. What no scope can have started is left out. */
    List<Candidate> living() {
        lock.lock();
        try {
            Attributor attributor = attributor();
            List<Candidate> candidates = new ArrayList<>();
            for (ProcessRecord record : ledger.living()) {
                attributor.attribute(record).ifPresent(owner -> candidates.add(new Candidate(record, owner)));
            }
            return candidates;
        } finally {
            lock.unlock();
        }
    }

    /** Everything that is remembered, alive or gone, and owned by this scope or one inside it. */
    List<ProcessRecord> everythingOf(ScopeId scope) {
        lock.lock();
        try {
            Attributor attributor = attributor();
            return ledger.all().stream()
                    .filter(record -> attributor.attribute(record).stream()
                            .anyMatch(a -> a.owner().isWithin(scope)))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private Attributor attributor() {
        return new Attributor(scopes.values(), ledger::find, ledger::findByPid, this::sharedThreadMayHaveStarted);
    }

    /** Reads the JVM's records of what Java code started, and joins them to what was seen. */
    void readSpawnRecords() {
        List<SpawnRecord> read = spawnRecords.read();
        lock.lock();
        try {
            spawns = read;
            spawnsReadAt = ledger.looks();
            ledger.join(read);
        } finally {
            lock.unlock();
        }
    }

    /** Changes whenever the JVM's records have been read. */
    long spawnRecordsReadAt() {
        return spawnsReadAt;
    }

    /** Whether a process was first seen after the JVM's records were read. */
    boolean isNewerThanSpawnRecords(ProcessRecord process) {
        return process.firstLook() > spawnsReadAt;
    }

    Optional<String> spawnRecordsMissingBecause() {
        return spawnRecords.missingBecause();
    }

    /*
     * An orphan whose parents had gone unseen, or a child without a record: did a pool thread that carries the mark of this
     * scope start anything that may be its ancestor? The mark of the thread is that of its child, if that was seen, or else
     * that of the thread, if it still lives.
     */
    private boolean sharedThreadMayHaveStarted(ProcessRecord process, Scope marked) {
        if (spawnRecords.missingBecause().isPresent() || isNewerThanSpawnRecords(process)) {
            return true; // nobody knows, or not yet: doubt makes the watch read the records
        }
        Instant scopeBegan = reader.wallClock(marked.opened());
        Instant processBegan = reader.wallClock(process.id().startStamp() + 1);
        return spawns.stream()
                .filter(SpawnRecord::isShared)
                // A parallel test runs on a pool thread of JUnit's, which is its own while it runs.
                .filter(spawn -> scopes.values().stream().noneMatch(scope -> scope.runsOn(spawn.task())))
                .filter(spawn -> spawn.at().isAfter(scopeBegan.minusMillis(100))
                        && spawn.at().isBefore(processBegan.plusSeconds(1)))
                .anyMatch(spawn -> {
                    Optional<ProcessRecord> child = ledger.findByPid(spawn.pid()).stream()
                            .filter(record ->
                                    record.spawn().filter(spawn::equals).isPresent())
                            .findFirst();
                    if (child.isPresent()) {
                        return child.get().mark() == marked.slot();
                    }
                    int onThread = spawn.task().isPresent()
                            ? marks.slotOfTask(spawn.task().getAsLong())
                            : 0;
                    return onThread == 0 || onThread == marked.slot();
                });
    }

    /**
     * The name of the thread of this JVM that forked a process. The kernel knows threads by 15 bytes, and the main thread as
     * {@code java}; where the thread runs a scope, its Java name is known.
     */
    Optional<String> threadOf(ProcessRecord process) {
        lock.lock();
        try {
            return scopes.values().stream()
                    .filter(scope ->
                            process.forkingTask().isPresent() && scope.task().equals(process.forkingTask()))
                    .map(Scope::thread)
                    .findFirst()
                    .or(process::forkingThread);
        } finally {
            lock.unlock();
        }
    }

    Optional<ProcessRecord> record(ProcessId id) {
        lock.lock();
        try {
            return ledger.find(id);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a verdict has been given on this process, or on one that it descends from. */
    boolean isJudged(ProcessRecord process) {
        lock.lock();
        try {
            Set<ProcessId> seen = new HashSet<>();
            Optional<ProcessRecord> up = Optional.of(process);
            while (up.isPresent() && seen.add(up.get().id())) {
                if (judged.contains(up.get().id())) {
                    return true;
                }
                up = ledger.find(up.get().firstParent());
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    void judged(Iterable<ProcessId> processes) {
        lock.lock();
        try {
            processes.forEach(judged::add);
        } finally {
            lock.unlock();
        }
    }

    Terminator terminator() {
        return new Terminator(platform.sender(), reader::termHandling, reader.selfAndAncestors(), pacing);
    }

    ProcessTableReader reader() {
        return reader;
    }

    Pacing pacing() {
        return pacing;
    }

    private boolean[] carriedSlots() {
        boolean[] carried = marks.slotsOnOwnThreads();
        for (ProcessRecord record : ledger.living()) {
            carried[record.mark()] = true;
            carried[marks.slotOfTask(record.id().pid())] = true;
        }
        return carried;
    }
}
