/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.observe.ThreadMarks;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/**
 * A machine that exists in a test only: processes with parents, a clock that moves when somebody waits, signals that are
 * written down. Process 1 is init, process {@link #JVM} is this JVM, process {@link #BUILD_TOOL} its parent. A stamp is a
 * hundredth of a second, as on Linux.
 */
public final class FakeMachine implements ProcessTableReader {
    /** The number of this JVM. */
    public static final long JVM = 100;

    /** The number of the parent of this JVM. */
    public static final long BUILD_TOOL = 50;

    private static final long NANOS_PER_STAMP = 10_000_000;

    private final Map<Long, Fake> processes = new LinkedHashMap<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::at));
    private final List<String> signals = new ArrayList<>();
    private final Map<Long, String> threads = new HashMap<>();
    private final Map<Long, Integer> threadValues = new HashMap<>();
    private final boolean subreaper;
    private long nanos = 1_000 * NANOS_PER_STAMP;
    private long task = JVM + 1;
    private Runnable duringHasNoChild = () -> {};
    private Consumer<FakeMachine> duringLook = machine -> {};

    private record Event(long at, Runnable deed) {}

    private static final class Fake {
        private final ProcessId id;
        private long parent;
        private long group;
        private long session;
        private ProcessState state = ProcessState.SLEEPING;
        private String name;
        private TermHandling term = TermHandling.DEFAULT;
        private Optional<String> commandLine;
        private Duration dyingTakes = Duration.ZERO;
        private boolean permitted = true;
        private boolean termPending;
        private boolean hidden;
        private int slot;
        private long task = JVM;
        private Runnable onDeath = () -> {};

        Fake(ProcessId id, long parent, String name) {
            this.id = id;
            this.parent = parent;
            this.name = name;
            this.commandLine = Optional.of(name);
        }

        ProcessRow row() {
            return new ProcessRow(id, parent, OptionalLong.of(group), OptionalLong.of(session), state, name);
        }
    }

    /** Access to one process of the machine; every call changes it and returns this. */
    public final class Handle {
        private final Fake fake;

        private Handle(Fake fake) {
            this.fake = fake;
        }

        public ProcessId id() {
            return fake.id;
        }

        public ProcessRow row() {
            return fake.row();
        }

        public boolean isAlive() {
            return fake.state.isAlive() && processes.get(fake.id.pid()) == fake;
        }

        public Handle term(TermHandling handling) {
            fake.term = handling;
            return this;
        }

        /** From TERM, if it is handled, to the end. */
        public Handle dyingTakes(Duration duration) {
            fake.dyingTakes = duration;
            return this;
        }

        public Handle stopped() {
            fake.state = ProcessState.STOPPED;
            return this;
        }

        /** Waits inside the kernel: not even KILL ends it. */
        public Handle inDiskWait() {
            fake.state = ProcessState.UNINTERRUPTIBLE;
            return this;
        }

        public Handle foreign() {
            fake.permitted = false;
            return this;
        }

        public Handle marked(int slot) {
            fake.slot = slot;
            return this;
        }

        /** Listed under this task of the JVM. */
        public Handle underTask(long taskId) {
            fake.task = taskId;
            return this;
        }

        public Handle leader() {
            fake.group = fake.id.pid();
            fake.session = fake.id.pid();
            return this;
        }

        public Handle group(long group) {
            fake.group = group;
            return this;
        }

        public Handle named(String name) {
            fake.name = name;
            return this;
        }

        public Handle commandLine(String text) {
            fake.commandLine = Optional.of(text);
            return this;
        }

        public Handle onDeath(Runnable deed) {
            fake.onDeath = deed;
            return this;
        }

        /** Missing from what a look shows, though it is there. */
        public Handle hidden(boolean hidden) {
            fake.hidden = hidden;
            return this;
        }

        public void exit() {
            die(fake);
        }

        /** As {@link #exit}, and collected by its parent. */
        public void exitCollected() {
            die(fake);
            processes.remove(fake.id.pid(), fake);
        }
    }

    public FakeMachine() {
        this(true);
    }

    /** A machine on which the JVM does or does not adopt its orphans. */
    public FakeMachine(boolean subreaper) {
        this.subreaper = subreaper;
        add(1, 0, "init").leader();
        add(BUILD_TOOL, 1, "mvn").leader();
        add(JVM, BUILD_TOOL, "java").group(BUILD_TOOL);
        processes.get(JVM).session = BUILD_TOOL;
        threads.put(JVM, "java");
        threads.put(task, "test-1");
        nanos += NANOS_PER_STAMP;
    }

    /** A process that starts now, in the group and session of its parent. */
    public synchronized Handle start(long pid, long parent) {
        return add(pid, parent, "p" + pid);
    }

    private Handle add(long pid, long parent, String name) {
        Fake fake = new Fake(new ProcessId(pid, now()), parent, name);
        Fake from = processes.get(parent);
        if (from != null) {
            fake.group = from.group;
            fake.session = from.session;
            fake.slot = parent == JVM ? slotOf(threadValues.getOrDefault(task, 0)) : from.slot;
        }
        if (parent == JVM) {
            fake.task = task;
        }
        if (processes.putIfAbsent(pid, fake) != null) {
            throw new IllegalArgumentException("pid " + pid + " is taken");
        }
        return new Handle(fake);
    }

    /** The number passes on to a process that has nothing to do with the JVM. */
    public synchronized Handle reuse(long pid, long parent) {
        processes.remove(pid);
        advance(Duration.ofMillis(10));
        return start(pid, parent);
    }

    private void die(Fake fake) {
        if (!fake.state.isAlive()) {
            return;
        }
        fake.state = ProcessState.ZOMBIE;
        fake.commandLine = Optional.empty();
        for (Fake child : List.copyOf(processes.values())) {
            if (child.parent == fake.id.pid()) {
                adopt(child);
            }
        }
        if (fake.parent != JVM) {
            processes.remove(fake.id.pid(), fake);
        }
        fake.onDeath.run();
    }

    private void adopt(Fake orphan) {
        orphan.parent = subreaper && isBelowJvm(orphan.parent) ? JVM : 1;
        orphan.task = JVM;
        if (!orphan.state.isAlive() && orphan.parent == 1) {
            processes.remove(orphan.id.pid());
        }
    }

    private boolean isBelowJvm(long pid) {
        long up = pid;
        while (up > 1) {
            if (up == JVM) {
                return true;
            }
            Fake fake = processes.get(up);
            up = fake == null ? 0 : fake.parent;
        }
        return false;
    }

    /** What was sent, such as {@code TERM 200}, in order. */
    public synchronized List<String> signals() {
        return List.copyOf(signals);
    }

    /** Does something when the clock has moved on by this much. */
    public synchronized void after(Duration delay, Runnable deed) {
        events.add(new Event(nanos + delay.toNanos(), deed));
    }

    public synchronized void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        while (!events.isEmpty() && events.peek().at() <= end) {
            Event event = events.remove();
            nanos = Math.max(nanos, event.at());
            event.deed().run();
        }
        nanos = end;
    }

    /** The task that starts what {@link #start} puts below the JVM. */
    public synchronized void runOn(long taskId, String threadName) {
        task = taskId;
        threads.put(taskId, threadName);
    }

    /** What happens after the answer to {@link #hasNoChild} has been found and before it is given. */
    public void duringHasNoChild(Runnable deed) {
        duringHasNoChild = deed;
    }

    /** What happens right before each look. */
    public void duringLook(Consumer<FakeMachine> deed) {
        duringLook = deed;
    }

    /** What is alive below this JVM. */
    public synchronized List<ProcessRow> livingBelowJvm() {
        duringLook.accept(this);
        return whole().descendantsOf(JVM).stream().filter(ProcessRow::isAlive).toList();
    }

    private ProcessTable whole() {
        return ProcessTable.of(processes.values().stream()
                .filter(fake -> !fake.hidden)
                .map(Fake::row)
                .toList());
    }

    @Override
    public synchronized ProcessId self() {
        return processes.get(JVM).id;
    }

    @Override
    public boolean hasNoChild() {
        boolean answer;
        synchronized (this) {
            answer = processes.values().stream().noneMatch(fake -> fake.parent == JVM);
        }
        Runnable deed = duringHasNoChild;
        duringHasNoChild = () -> {};
        deed.run();
        return answer;
    }

    @Override
    public synchronized ProcessTable ownTree() {
        duringLook.accept(this);
        List<ProcessRow> rows = new ArrayList<>(List.of(processes.get(JVM).row()));
        rows.addAll(whole().descendantsOf(JVM));
        Map<Long, Long> tasks = new HashMap<>();
        for (ProcessRow row : rows) {
            if (row.parentPid() == JVM) {
                tasks.put(row.pid(), processes.get(row.pid()).task);
            }
        }
        return ProcessTable.of(rows, tasks);
    }

    @Override
    public synchronized ProcessTable wholeTable() {
        duringLook.accept(this);
        return whole();
    }

    @Override
    public synchronized Optional<ProcessRow> row(long pid) {
        return Optional.ofNullable(processes.get(pid)).map(Fake::row);
    }

    @Override
    public synchronized Optional<String> commandLine(long pid) {
        return Optional.ofNullable(processes.get(pid)).flatMap(fake -> fake.commandLine);
    }

    @Override
    public synchronized TermHandling termHandling(long pid) {
        return Optional.ofNullable(processes.get(pid)).map(fake -> fake.term).orElse(TermHandling.UNKNOWN);
    }

    @Override
    public synchronized Optional<String> threadName(long taskId) {
        return Optional.ofNullable(threads.get(taskId));
    }

    @Override
    public synchronized long now() {
        return nanos / NANOS_PER_STAMP;
    }

    @Override
    public Duration between(long earlierStamp, long laterStamp) {
        return Duration.ofNanos((laterStamp - earlierStamp) * NANOS_PER_STAMP);
    }

    @Override
    public long stamps(Duration duration) {
        return (duration.toNanos() + NANOS_PER_STAMP - 1) / NANOS_PER_STAMP;
    }

    @Override
    public synchronized Set<Long> selfAndAncestors() {
        Set<Long> pids = new HashSet<>(whole().ancestorsOf(JVM));
        pids.add(JVM);
        return pids;
    }

    @Override
    public synchronized OptionalLong currentTask() {
        return OptionalLong.of(task);
    }

    /** Sends a signal as the kernel would. */
    public synchronized Delivery send(ProcessId target, Signal signal) {
        if (target.pid() < 2 || target.pid() == JVM) {
            throw new IllegalArgumentException("refusing to send " + signal + " to " + target);
        }
        Fake fake = processes.get(target.pid());
        if (fake == null) {
            return Delivery.GONE;
        }
        if (!fake.id.equals(target)) {
            return Delivery.NOT_THE_SAME_PROCESS;
        }
        if (!fake.permitted) {
            signals.add("(refused) " + signal + " " + target.pid());
            return Delivery.NOT_PERMITTED;
        }
        signals.add(signal + " " + target.pid());
        switch (signal) {
            case TERM -> {
                if (fake.state.isStopped()) {
                    fake.termPending = true;
                } else {
                    onTerm(fake);
                }
            }
            case CONT -> {
                if (fake.state.isStopped()) {
                    fake.state = ProcessState.SLEEPING;
                    if (fake.termPending) {
                        fake.termPending = false;
                        onTerm(fake);
                    }
                }
            }
            case STOP -> {
                if (fake.state == ProcessState.SLEEPING || fake.state == ProcessState.RUNNING) {
                    fake.state = ProcessState.STOPPED;
                }
            }
            case KILL -> {
                if (fake.state != ProcessState.UNINTERRUPTIBLE) {
                    die(fake);
                }
            }
            default -> throw new IllegalArgumentException("nothing on this machine handles " + signal);
        }
        return Delivery.DELIVERED;
    }

    private void onTerm(Fake fake) {
        if (fake.term == TermHandling.DEFAULT && fake.dyingTakes.isZero()) {
            die(fake);
        } else if (fake.term != TermHandling.IGNORED && !fake.dyingTakes.isZero()) {
            after(fake.dyingTakes, () -> {
                if (!fake.state.isStopped()) {
                    die(fake);
                }
            });
        }
    }

    /** Time on this machine. */
    public Pacing pacing() {
        return new Pacing() {
            @Override
            public long nanoTime() {
                synchronized (FakeMachine.this) {
                    return nanos;
                }
            }

            @Override
            public void pause(long pauseNanos) {
                advance(Duration.ofNanos(pauseNanos));
            }
        };
    }

    /** Collects a zombie of the JVM. */
    public synchronized boolean reap(ProcessId id) {
        Fake fake = processes.get(id.pid());
        if (fake == null || fake.parent != JVM || fake.state != ProcessState.ZOMBIE) {
            return false;
        }
        if (!fake.id.equals(id)) {
            throw new AssertionError("the exit status of another process was taken: " + fake.id + " for " + id);
        }
        processes.remove(id.pid());
        return true;
    }

    private static int slotOf(int value) {
        return value >> 3;
    }

    /** Marks on the threads of this machine: a value is the slot times eight plus a level of 4. */
    public ThreadMarks marks() {
        return new ThreadMarks() {
            @Override
            public boolean isSupported() {
                return true;
            }

            @Override
            public int mark(int slot) {
                synchronized (FakeMachine.this) {
                    int before = threadValues.getOrDefault(task, 0);
                    threadValues.put(task, slot << 3 | 4);
                    return before;
                }
            }

            @Override
            public void restore(long taskId, int before) {
                synchronized (FakeMachine.this) {
                    threadValues.put(taskId == 0 ? task : taskId, before);
                }
            }

            @Override
            public int withoutSlot(int value) {
                return value & 7;
            }

            @Override
            public int slotOf(int value) {
                return FakeMachine.slotOf(value);
            }

            @Override
            public int slotOfTask(long pidOrTask) {
                synchronized (FakeMachine.this) {
                    Fake fake = processes.get(pidOrTask);
                    if (fake != null && pidOrTask != JVM) {
                        return fake.state.isAlive() ? fake.slot : 0;
                    }
                    return FakeMachine.slotOf(threadValues.getOrDefault(pidOrTask, 0));
                }
            }

            @Override
            public boolean[] slotsOnOwnThreads() {
                boolean[] carried = new boolean[LAST_SLOT + 1];
                synchronized (FakeMachine.this) {
                    threadValues.values().forEach(value -> carried[FakeMachine.slotOf(value)] = true);
                }
                return carried;
            }
        };
    }

    /** The adapters of this machine. */
    public Platform platform() {
        return new Platform("fake", this, this::send, marks(), this::reap, subreaper);
    }

    /** The adapters of this machine without marks, as on an old kernel. */
    public Platform platformWithoutMarks() {
        return new Platform("fake", this, this::send, ThreadMarks.NONE, this::reap, subreaper);
    }
}
