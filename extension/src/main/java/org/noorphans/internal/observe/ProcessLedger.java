/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessRecord.Origin;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/**
 * Everything that was seen below this JVM, kept after it has gone. Its records make the chain of parents in a report, and
 * tell an adopted process from one that this JVM started. Not thread-safe: the watch guards it.
 */
public final class ProcessLedger {
    /** How many processes that have gone are remembered; the oldest are forgotten first. */
    static final int REMEMBERED = 20_000;

    /** Start stamps are coarse, and the wall clock may be corrected. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMillis(100);

    /** The JVM notes a start when it is complete, which takes time on a busy machine. */
    private static final Duration LATEST_NOTE = Duration.ofSeconds(10);

    private final ProcessTableReader reader;
    private final ThreadMarks marks;
    private final boolean adopts;
    private final Map<ProcessId, Entry> entries = new LinkedHashMap<>();
    private final Set<Entry> alive = new LinkedHashSet<>();
    private long looks;
    private long newestStart = Long.MIN_VALUE;

    /** An empty ledger, to be filled with what the reader shows. */
    public ProcessLedger(ProcessTableReader reader, ThreadMarks marks) {
        this(reader, marks, true);
    }

    /**
     * The same.
     *
     * @param adopts whether this JVM adopts orphans; if not, whatever has it as parent was forked by it
     */
    public ProcessLedger(ProcessTableReader reader, ThreadMarks marks, boolean adopts) {
        this.adopts = adopts;
        this.reader = reader;
        this.marks = marks;
    }

    /** Takes in one picture of the own tree. A process that is missing from it, and was alive before, counts as gone. */
    public void record(ProcessTable tree) {
        looks++;
        long now = reader.now();
        ProcessId self = reader.self();
        @Nullable JavaReapers reapers = null;
        for (ProcessRow row : tree.rows()) {
            if (row.id().equals(self)) {
                continue;
            }
            Entry entry = entries.get(row.id());
            if (entry != null) {
                entry.update(row, now);
                if (entry.origin == Origin.UNKNOWN && row.isAlive() && row.parentPid() == self.pid()) {
                    // Right after an end, the JDK's waiting threads may not have told yet; later they have.
                    reapers = reapers == null ? JavaReapers.now() : reapers;
                    entry.origin = originOf(row, tree, tree.taskOf(row.pid()), self, reapers);
                }
                if (row.isAlive()) {
                    alive.add(entry); // a look may have missed it
                }
                continue;
            }
            if (row.parentPid() == self.pid() && reapers == null) {
                reapers = JavaReapers.now();
            }
            entry = firstSight(row, tree, self, reapers, now);
            entries.put(row.id(), entry);
            newestStart = Math.max(newestStart, row.id().startStamp());
            if (entry.goneSince < 0) {
                alive.add(entry);
            }
        }
        alive.removeIf(entry -> entry.endedBy(tree, now));
        forgetOldest();
    }

    /** Everything that was seen, alive or gone, and started at this stamp or later. */
    public Set<ProcessId> startedSince(long stamp) {
        if (newestStart < stamp) {
            return Set.of();
        }
        return entries.keySet().stream().filter(id -> id.startStamp() >= stamp).collect(Collectors.toUnmodifiableSet());
    }

    /** The number of looks that have been recorded. */
    public long looks() {
        return looks;
    }

    /** Whether nothing that was seen is alive, as far as is known. */
    public boolean isAllGone() {
        return alive.isEmpty();
    }

    private Entry firstSight(
            ProcessRow row, ProcessTable tree, ProcessId self, @Nullable JavaReapers reapers, long now) {
        Optional<Long> task = tree.taskOf(row.pid());
        Origin origin = originOf(row, tree, task, self, reapers);
        ProcessId parent = row.parentPid() == self.pid()
                ? self
                : tree.row(row.parentPid()).map(ProcessRow::id).orElse(self);
        Entry entry = new Entry(row, origin, parent, marks.slotOfTask(row.pid()), looks);
        if (origin == Origin.CHILD_OF_JVM && task.isPresent() && task.get() != self.pid()) {
            entry.forkingTask = task.get();
            entry.forkingThread =
                    reader.threadName(task.get()).map(JavaThreads::complete).orElse(null);
        }
        if (!row.isAlive()) {
            entry.goneSince = now;
        }
        return entry;
    }

    /*
     * A child is listed under the task that forked it; when that task ends, its children move to the main task, where
     * adopted processes are listed too. There the JDK's own waiting threads tell them apart: a child that Java started
     * and that still lives has one.
     */
    private Origin originOf(
            ProcessRow row, ProcessTable tree, Optional<Long> task, ProcessId self, @Nullable JavaReapers reapers) {
        if (row.parentPid() != self.pid()) {
            // Without a subreaper an orphan goes to a process that is not in the picture.
            return tree.row(row.parentPid()).isPresent() ? Origin.CHILD_OF_PROCESS : Origin.ADOPTED_UNSEEN;
        }
        if (!adopts || (task.isPresent() && task.get() != self.pid())) {
            return Origin.CHILD_OF_JVM;
        }
        if (reapers == null) {
            return Origin.UNKNOWN;
        }
        if (reapers.waitedFor().contains(row.pid())) {
            return Origin.CHILD_OF_JVM;
        }
        return row.isAlive() && reapers.isSettled() && task.isPresent() && JavaReapers.areNamed()
                ? Origin.ADOPTED_UNSEEN
                : Origin.UNKNOWN;
    }

    /**
     * Joins the JVM's own records to the processes they speak of: same number, noted at or shortly after the start of the
     * process. A process with a record is a child of this JVM, whatever else could be told.
     */
    public void join(List<SpawnRecord> spawns) {
        for (Entry entry : entries.values()) {
            if (entry.spawn != null || entry.origin == Origin.CHILD_OF_PROCESS) {
                continue;
            }
            Instant started = reader.wallClock(entry.row.id().startStamp());
            spawns.stream()
                    .filter(spawn -> spawn.pid() == entry.row.pid())
                    .filter(spawn -> spawn.at().isAfter(started.minus(CLOCK_TOLERANCE))
                            && spawn.at().isBefore(started.plus(LATEST_NOTE)))
                    .findFirst()
                    .ifPresent(spawn -> {
                        entry.spawn = spawn;
                        entry.origin = Origin.CHILD_OF_JVM;
                    });
        }
    }

    /** What is known of this process. */
    public Optional<ProcessRecord> find(ProcessId id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::toRecord);
    }

    /** All processes with this number that are remembered, oldest first. */
    public List<ProcessRecord> findByPid(long pid) {
        return entries.values().stream()
                .filter(entry -> entry.row.pid() == pid)
                .map(Entry::toRecord)
                .toList();
    }

    /** Everything that was alive at the last look. */
    public List<ProcessRecord> living() {
        return alive.stream().map(Entry::toRecord).toList();
    }

    /** Everything that is remembered, in the order of first sight. */
    public List<ProcessRecord> all() {
        return entries.values().stream().map(Entry::toRecord).toList();
    }

    /**
     * The dead children of this JVM that may be collected: adopted for certain, never one that Java code waits for.
     *
     * <p>Two proofs are accepted. The process was seen alive, or dead, under another parent before: then this JVM did not
     * fork it. Or it has been a zombie for {@code patience} or longer, is listed under the main task, and no waiting thread
     * of the JDK is named after it, while no such thread is still to take its name: the JDK starts that thread before
     * {@code ProcessBuilder.start} returns, and until then the child is listed under the task that called it.
     *
     * @param tree a picture that has just been recorded
     * @param patience in stamps
     */
    public List<ProcessId> collectable(ProcessTable tree, long patience) {
        long now = reader.now();
        long self = reader.self().pid();
        List<ProcessId> proven = new ArrayList<>();
        @Nullable JavaReapers reapers = null;
        for (ProcessRow row : tree.rows()) {
            if (row.state() != ProcessState.ZOMBIE || row.parentPid() != self) {
                continue;
            }
            Entry entry = entries.get(row.id());
            if (entry == null) {
                continue;
            }
            if (entry.origin == Origin.CHILD_OF_PROCESS) {
                proven.add(row.id());
                continue;
            }
            boolean underMainTask =
                    tree.taskOf(row.pid()).filter(task -> task == self).isPresent();
            boolean longDead = entry.goneSince >= 0 && now - entry.goneSince >= patience;
            if (!underMainTask || !longDead || entry.origin == Origin.CHILD_OF_JVM || !JavaReapers.areNamed()) {
                continue;
            }
            if (reapers == null) {
                reapers = JavaReapers.now();
            }
            if (reapers.isSettled() && !reapers.waitedFor().contains(row.pid())) {
                proven.add(row.id());
            }
        }
        return proven;
    }

    private void forgetOldest() {
        int gone = entries.size() - alive.size();
        if (gone <= REMEMBERED) {
            return;
        }
        Iterator<Entry> oldestFirst = entries.values().iterator();
        while (gone > REMEMBERED / 2 && oldestFirst.hasNext()) {
            if (oldestFirst.next().goneSince >= 0) {
                oldestFirst.remove();
                gone--;
            }
        }
    }

    private final class Entry {
        private ProcessRow row;
        private Origin origin;
        private final ProcessId firstParent;
        private final int mark;
        private final long firstLook;
        private long forkingTask = -1;
        private @Nullable String forkingThread;
        private @Nullable SpawnRecord spawn;
        private @Nullable String commandLine;
        private int commandLineReads;
        private boolean orphaned;
        private long goneSince = -1;

        Entry(ProcessRow row, Origin origin, ProcessId firstParent, int mark, long firstLook) {
            this.row = row;
            this.origin = origin;
            this.firstParent = firstParent;
            this.mark = mark;
            this.firstLook = firstLook;
            readCommandLine();
        }

        void update(ProcessRow seen, long now) {
            boolean renamed = !seen.name().equals(row.name());
            row = seen;
            orphaned |= seen.parentPid() != firstParent.pid();
            if (seen.isAlive()) {
                goneSince = -1;
                // For an instant a new child still carries the command line of its parent, so the first reading is not
                // the last word.
                if (renamed || commandLineReads < 3) {
                    readCommandLine();
                }
            } else if (goneSince < 0) {
                goneSince = now;
            }
        }

        boolean endedBy(ProcessTable tree, long now) {
            if (goneSince < 0 && tree.row(row.id()).isEmpty()) {
                goneSince = now;
            }
            return goneSince >= 0;
        }

        private void readCommandLine() {
            commandLineReads++;
            reader.commandLine(row.pid()).ifPresent(read -> commandLine = read);
        }

        ProcessRecord toRecord() {
            return new ProcessRecord(
                    row,
                    origin,
                    firstParent,
                    forkingTask < 0 ? OptionalLong.empty() : OptionalLong.of(forkingTask),
                    Optional.ofNullable(forkingThread),
                    Optional.ofNullable(spawn),
                    mark,
                    Optional.ofNullable(commandLine),
                    orphaned,
                    firstLook,
                    goneSince < 0 ? OptionalLong.empty() : OptionalLong.of(goneSince));
        }
    }
}
