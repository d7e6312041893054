/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/**
 * Processes, a clock and the two doors, all in memory. The caller is process 10 in group 10; a stamp is a millisecond. A
 * process ends on TERM and KILL unless it is told otherwise. What has ended vanishes, and its children go to process 1.
 */
final class FakeSystem implements ProcessTableReader, SignalSender, Pacing {
    static final long CALLER = 10;

    private final Map<Long, Fake> processes = new TreeMap<>();
    private final List<String> signals = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(event -> event.at));
    private long nanos = Duration.ofSeconds(1).toNanos();
    private long stamps = 1000;
    private int reads;
    private Runnable onRead = () -> {};
    private Runnable onPause = () -> {};
    private Optional<Supplier<ProcessTable>> instead = Optional.empty();

    private record Event(long at, Runnable deed) {}

    FakeSystem() {
        add(1, 0, 1);
        add(CALLER, 1, CALLER);
    }

    /** One process. */
    static final class Fake {
        final ProcessId id;
        private long parent;
        private long group;
        private ProcessState state = ProcessState.SLEEPING;
        private String name = "node";
        private Optional<Duration> takes = Optional.of(Duration.ZERO);
        private boolean immortal;
        private boolean foreign;
        private Runnable onTerm = () -> {};
        private OptionalLong session = OptionalLong.empty();

        Fake(ProcessId id, long parent, long group) {
            this.id = id;
            this.parent = parent;
            this.group = group;
        }

        ProcessRow row() {
            return new ProcessRow(id, parent, OptionalLong.of(group), session, state, name);
        }

        Fake named(String newName) {
            name = newName;
            return this;
        }

        Fake inSession(long number) {
            session = OptionalLong.of(number);
            return this;
        }

        Fake inState(ProcessState newState) {
            state = newState;
            return this;
        }

        Fake ignoringTerm() {
            takes = Optional.empty();
            return this;
        }

        Fake endingAfterTerm(Duration duration) {
            takes = Optional.of(duration);
            return this;
        }

        /** Not even KILL ends it. */
        Fake immortal() {
            immortal = true;
            return ignoringTerm();
        }

        Fake mortal() {
            immortal = false;
            return this;
        }

        Fake ofAnotherUser() {
            foreign = true;
            return this;
        }

        Fake onTerm(Runnable deed) {
            onTerm = deed;
            return this;
        }
    }

    /** A new process; another one that has the number is gone then. */
    Fake add(long pid, long parent, long group) {
        if (processes.containsKey(pid)) {
            remove(pid);
        }
        Fake fake = new Fake(new ProcessId(pid, stamps++), parent, group);
        processes.put(pid, fake);
        return fake;
    }

    Fake get(long pid) {
        return processes.get(pid);
    }

    boolean has(long pid) {
        return processes.containsKey(pid) && processes.get(pid).state.isAlive();
    }

    void remove(long pid) {
        processes.remove(pid);
        processes.values().stream().filter(other -> other.parent == pid).forEach(other -> other.parent = 1);
    }

    void zombie(long pid) {
        processes.get(pid).state = ProcessState.ZOMBIE;
        processes.values().stream().filter(other -> other.parent == pid).forEach(other -> other.parent = 1);
    }

    void moveToGroup(long pid, long group) {
        processes.get(pid).group = group;
    }

    void after(Duration duration, Runnable deed) {
        events.add(new Event(nanos + duration.toNanos(), deed));
    }

    void advance(Duration duration) {
        pause(duration.toNanos());
    }

    /** Everything that was sent: the signal, and the group or {@code pid} and the number. */
    List<String> signals() {
        return List.copyOf(signals);
    }

    /** Only these, and without STOP and CONT, which a stop uses on the way. */
    List<String> requests() {
        return signals.stream()
                .filter(signal -> !signal.startsWith("STOP") && !signal.startsWith("CONT"))
                .toList();
    }

    void forgetSignals() {
        signals.clear();
    }

    int reads() {
        return reads;
    }

    void onRead(Runnable deed) {
        onRead = deed;
    }

    void onPause(Runnable deed) {
        onPause = deed;
    }

    /** Tables come from there, until {@link #readsWell}. */
    void readsInstead(Supplier<ProcessTable> other) {
        instead = Optional.of(other);
    }

    void readsWell() {
        instead = Optional.empty();
    }

    ProcessTable table() {
        return ProcessTable.of(processes.values().stream().map(Fake::row).toList());
    }

    /** The started process. */
    DirectChild child(long pid) {
        ProcessId id = processes.containsKey(pid) ? processes.get(pid).id : new ProcessId(pid, 0);
        return new DirectChild() {
            @Override
            public long pid() {
                return pid;
            }

            @Override
            public boolean hasExited() {
                return !holdsItsNumber() || !has(pid);
            }

            @Override
            public boolean holdsItsNumber() {
                return processes.containsKey(pid) && get(pid).id.equals(id);
            }

            @Override
            public boolean ask() {
                signals.add("TERM child " + pid);
                if (holdsItsNumber()) {
                    receive(get(pid), Signal.TERM);
                }
                return true;
            }

            @Override
            public void force() {
                signals.add("KILL child " + pid);
                if (holdsItsNumber()) {
                    receive(get(pid), Signal.KILL);
                }
            }
        };
    }

    OwnedProcessTree own(long pid) {
        return own(pid, TreeOptions.DEFAULT);
    }

    OwnedProcessTree own(long pid, TreeOptions options) {
        return OwnedProcessTree.of(child(pid), this, this, this, options, false);
    }

    private void receive(Fake fake, Signal signal) {
        if (signal == Signal.TERM) {
            fake.onTerm.run();
            fake.takes.ifPresent(takes -> {
                if (takes.isZero()) {
                    end(fake);
                } else {
                    after(takes, () -> end(fake));
                }
            });
        } else if (signal == Signal.KILL && !fake.immortal) {
            end(fake);
        } else if (signal == Signal.STOP) {
            fake.state = ProcessState.STOPPED;
        } else if (signal == Signal.CONT) {
            fake.state = ProcessState.SLEEPING;
        }
    }

    private void end(Fake fake) {
        if (processes.get(fake.id.pid()) == fake) {
            remove(fake.id.pid());
        }
    }

    @Override
    public Delivery send(ProcessId target, Signal signal) {
        Fake fake = processes.get(target.pid());
        signals.add(signal + " pid " + target.pid());
        if (fake == null) {
            return Delivery.GONE;
        }
        if (!fake.id.equals(target)) {
            return Delivery.NOT_THE_SAME_PROCESS;
        }
        if (fake.foreign) {
            return Delivery.NOT_PERMITTED;
        }
        receive(fake, signal);
        return Delivery.DELIVERED;
    }

    @Override
    public Delivery send(GroupTarget target, Signal signal) {
        signals.add(signal + " " + target.groupId());
        boolean verified = target.members().stream()
                .anyMatch(id -> row(id.pid()).filter(row -> row.id().equals(id)).isPresent());
        List<Fake> members = processes.values().stream()
                .filter(fake -> fake.group == target.groupId())
                .toList();
        if (!verified || members.isEmpty()) {
            return Delivery.GONE;
        }
        if (members.stream().allMatch(fake -> fake.foreign)) {
            return Delivery.NOT_PERMITTED;
        }
        members.stream().filter(fake -> !fake.foreign).forEach(fake -> receive(fake, signal));
        return Delivery.DELIVERED;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public void pause(long duration) {
        long end = nanos + duration;
        while (!events.isEmpty() && events.peek().at <= end) {
            Event event = events.remove();
            nanos = Math.max(nanos, event.at);
            event.deed.run();
        }
        nanos = end;
        onPause.run();
    }

    @Override
    public ProcessId self() {
        return processes.containsKey(CALLER) ? processes.get(CALLER).id : new ProcessId(CALLER, 0);
    }

    @Override
    public boolean hasNoChild() {
        return false;
    }

    @Override
    public ProcessTable ownTree() {
        return table();
    }

    @Override
    public ProcessTable wholeTable() {
        reads++;
        onRead.run();
        return instead.map(Supplier::get).orElseGet(this::table);
    }

    @Override
    public Optional<ProcessRow> row(long pid) {
        return Optional.ofNullable(processes.get(pid)).map(Fake::row);
    }

    @Override
    public Optional<String> commandLine(long pid) {
        return row(pid).map(ProcessRow::name);
    }

    @Override
    public TermHandling termHandling(long pid) {
        return TermHandling.UNKNOWN;
    }

    @Override
    public Optional<String> threadName(long taskId) {
        return Optional.empty();
    }

    @Override
    public long now() {
        return stamps;
    }

    @Override
    public Duration between(long earlierStamp, long laterStamp) {
        return Duration.ofMillis(laterStamp - earlierStamp);
    }

    @Override
    public Instant instantOf(long stamp) {
        return Instant.ofEpochMilli(1_700_000_000_000L + stamp);
    }

    @Override
    public long stamps(Duration duration) {
        return duration.toMillis();
    }

    @Override
    public Set<Long> selfAndAncestors() {
        return Set.of(1L, CALLER);
    }

    @Override
    public OptionalLong currentTask() {
        return OptionalLong.empty();
    }
}
