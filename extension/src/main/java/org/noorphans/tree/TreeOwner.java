/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Observes one tree and signals it. Every signal follows a fresh, complete picture; what to signal is chosen, and the signals
 * are sent, under one lock, so that nothing changes in between. Thread-safe.
 *
 * <p>Pictures are taken on a daemon thread of its own, one at a time: who asks while one is being taken gets that one. A picture
 * that takes too long counts as failed, and its late result is thrown away; until it has come back there is no other.
 */
final class TreeOwner {
    /*
     * Numbers are given out in a circle of 32768 or more, so none comes round within a second of normal life. That long the
     * session of a started leader is known by its number alone, and a wrapper may end between two looks.
     */
    private static final long YOUNG = TimeUnit.SECONDS.toNanos(1);

    /** How often a picture is taken anew that lacks a process which is there for certain. */
    private static final int ATTEMPTS = 3;

    private final DirectChild root;
    private final ProcessTableReader reader;
    private final SignalSender sender;
    private final TreeOptions options;
    private final Object lock = new Object();
    private final ScheduledThreadPoolExecutor worker;

    private final long created = System.nanoTime();

    private Ownership state;
    private @Nullable Look inFlight;
    private @Nullable ScheduledFuture<?> periodic;
    private int looks;
    private boolean graceComplete;
    private boolean directGraceDelivered;

    /** A picture that is being taken. */
    private static final class Look {
        private final CompletableFuture<Ownership> answer = new CompletableFuture<>();
    }

    TreeOwner(DirectChild root, Ownership begin, ProcessTableReader reader, SignalSender sender, TreeOptions options) {
        this.root = root;
        this.reader = reader;
        this.sender = sender;
        this.options = options;
        this.state = begin;
        this.worker = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "noorphans-tree-" + root.pid());
            thread.setDaemon(true);
            return thread;
        });
        worker.setRemoveOnCancelPolicy(true);
        worker.setKeepAliveTime(1, TimeUnit.SECONDS);
        worker.allowCoreThreadTimeOut(true);
    }

    /** Observes at once, then periodically, until {@link #stopObserving} or until nobody refers to this owner any more. */
    void startObserving() {
        WeakReference<TreeOwner> reference = new WeakReference<>(this);
        ScheduledThreadPoolExecutor own = worker;
        long period = options.observeEvery().toNanos();
        ScheduledFuture<?> started = own.scheduleWithFixedDelay(
                () -> {
                    TreeOwner owner = reference.get();
                    if (owner == null) {
                        own.shutdownNow();
                    } else {
                        owner.observeInBackground();
                    }
                },
                0,
                period,
                TimeUnit.NANOSECONDS);
        synchronized (lock) {
            periodic = started;
        }
    }

    /** In the first moments a wrapper may come and go within the period: some looks more, ever less often. */
    void lookOftenAtFirst() {
        WeakReference<TreeOwner> reference = new WeakReference<>(this);
        for (long delay = 2;
                TimeUnit.MILLISECONDS.toNanos(delay) < options.observeEvery().toNanos();
                delay *= 2) {
            var unused = worker.schedule( // a look tells its failure to those who wait for it
                    () -> {
                        TreeOwner owner = reference.get();
                        if (owner != null) {
                            owner.observeInBackground();
                        }
                    },
                    delay,
                    TimeUnit.MILLISECONDS);
        }
    }

    void stopObserving() {
        ScheduledFuture<?> running;
        synchronized (lock) {
            running = periodic;
            periodic = null;
        }
        if (running != null) {
            running.cancel(false);
        }
    }

    private void observeInBackground() {
        Look look;
        synchronized (lock) {
            if (inFlight != null) {
                return;
            }
            look = new Look();
            inFlight = look;
        }
        take(look); // a failure is told to whoever waits; a stop looks for itself
    }

    /**
     * Looks afresh.
     *
     * @throws OwnedTreeException if nothing can be told; what was known before is kept
     */
    Ownership observe() {
        Look look;
        boolean isMine = false;
        synchronized (lock) {
            if (inFlight == null) {
                inFlight = new Look();
                isMine = true;
            } else if (inFlight.answer.isDone()) {
                throw new OwnedTreeException(
                        TreeProblem.NO_TABLE, "the inspection before has not come back yet", List.of(), null);
            }
            look = inFlight;
        }
        if (isMine) {
            Look mine = look;
            worker.execute(() -> take(mine));
        }
        return await(look);
    }

    private Ownership await(Look look) {
        long deadline = System.nanoTime() + options.inspectionLimit().toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return look.answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true; // an interrupt must not leave a tree half stopped; the wait is bounded
                } catch (TimeoutException e) {
                    look.answer.completeExceptionally(new OwnedTreeException(
                            TreeProblem.NO_TABLE,
                            "no answer within " + options.inspectionLimit().toMillis() + " ms",
                            List.of(),
                            null));
                    deadline = Long.MAX_VALUE / 2; // it has an answer now: this one, or the real one just before it
                } catch (ExecutionException e) {
                    throw failure(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof OwnedTreeException known) {
            // Thrown again by each thread that waited; its stack says where the picture was taken.
            return known;
        }
        return new OwnedTreeException(TreeProblem.NO_TABLE, String.valueOf(cause), List.of(), cause);
    }

    private void take(Look look) {
        try {
            ProcessTable table = readComplete();
            boolean rootMayBeIt = root.holdsItsNumber();
            synchronized (lock) {
                inFlight = null;
                if (look.answer.isDone()) {
                    return; // too late
                }
                state = state.observe(table, reader.self().pid(), rootMayBeIt, System.nanoTime() - created < YOUNG);
                look.answer.complete(state);
            }
        } catch (RuntimeException | Error e) {
            synchronized (lock) {
                inFlight = null;
                look.answer.completeExceptionally(e);
            }
        }
    }

    /*
     * A table is trusted only if nothing is missing that can be seen by its number: otherwise an owned process would be taken
     * for gone, and forgotten.
     */
    private ProcessTable readComplete() {
        Optional<ProcessRow> missing = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ProcessTable table;
            synchronized (lock) {
                looks++;
            }
            table = reader.wholeTable();
            missing = missingFrom(table);
            if (missing.isEmpty()) {
                return table;
            }
        }
        throw new OwnedTreeException(
                TreeProblem.NO_TABLE,
                "it is incomplete",
                missing.stream().map(row -> OwnedProcess.of(row, 0)).toList(),
                null);
    }

    private Optional<ProcessRow> missingFrom(ProcessTable table) {
        List<ProcessId> known = new ArrayList<>();
        current().livingMembers().forEach(member -> known.add(member.id()));
        for (ProcessId id : known) {
            if (table.row(id).isEmpty()) {
                Optional<ProcessRow> there =
                        reader.row(id.pid()).filter(row -> row.id().equals(id) && row.isAlive());
                if (there.isPresent()) {
                    return there;
                }
            }
        }
        if (table.row(root.pid()).isEmpty() && root.holdsItsNumber()) {
            return reader.row(root.pid()).filter(ProcessRow::isAlive);
        }
        return Optional.empty();
    }

    /** What the last good picture showed. */
    Ownership current() {
        synchronized (lock) {
            return state;
        }
    }

    int looks() {
        synchronized (lock) {
            return looks;
        }
    }

    boolean directGraceDelivered() {
        synchronized (lock) {
            return directGraceDelivered;
        }
    }

    /** Notes that these groups, and everything below them, have been asked. */
    void cover(List<OwnedGroup> delivered) {
        synchronized (lock) {
            for (OwnedGroup group : delivered) {
                directGraceDelivered |= state.isOfRoot(group);
                state = state.covering(group);
            }
        }
    }

    /** From now on preserved processes may be asked too, though everything else has been. */
    void restartGrace() {
        synchronized (lock) {
            graceComplete = false;
        }
    }

    /**
     * Looks afresh and signals live groups in the order of termination.
     *
     * @param selected which of them; it restricts, never extends
     * @return the groups that got the signal, in this order
     * @throws OwnedTreeException if the look failed, or if the system refused; the remaining groups get nothing then
     */
    List<OwnedGroup> signal(Signal signal, Predicate<OwnedGroup> selected) {
        observe();
        synchronized (lock) {
            Ownership seen = state;
            List<OwnedGroup> chosen = seen.terminationOrder(seen.liveGroups()).stream()
                    .filter(selected)
                    .toList();
            List<OwnedGroup> delivered = new ArrayList<>();
            for (OwnedGroup group : chosen) {
                Delivery delivery = deliver(seen, group, signal);
                if (delivery == Delivery.NOT_PERMITTED) {
                    throw new OwnedTreeException(TreeProblem.SIGNAL_REFUSED, processes(seen, group));
                }
                if (delivery == Delivery.DELIVERED) {
                    delivered.add(group);
                }
            }
            return List.copyOf(delivered);
        }
    }

    /**
     * Looks afresh and sends TERM to those that are to be asked and have not been; once they all got it, later calls do
     * nothing. A group that was gone when its turn came is not counted as asked: the next call may choose what is left of its
     * branch.
     *
     * @param everything whether the preserved ones are asked too
     * @param refused the numbers of groups that have refused, which are passed over; those that refuse now are added. Without
     *     it a refusal is thrown
     */
    List<OwnedGroup> signalGracefully(boolean everything, @Nullable Set<Long> refused) {
        synchronized (lock) {
            if (graceComplete) {
                return List.of();
            }
        }
        observe();
        synchronized (lock) {
            Ownership seen = state;
            List<OwnedGroup> candidates = (everything ? seen.liveGroups() : seen.cleanupGroups())
                    .stream()
                            .filter(group -> refused == null || !refused.contains(group.groupId()))
                            .toList();
            List<OwnedGroup> selected = seen.terminationOrder(seen.gracefulRoots(candidates).stream()
                    .filter(group -> !seen.isCovered(group))
                    .toList());
            List<OwnedGroup> delivered = new ArrayList<>();
            for (OwnedGroup group : selected) {
                Delivery delivery = deliverTerm(seen, group);
                if (delivery == Delivery.NOT_PERMITTED && refused == null) {
                    throw new OwnedTreeException(TreeProblem.SIGNAL_REFUSED, processes(seen, group));
                }
                if (delivery == Delivery.NOT_PERMITTED && refused != null) {
                    refused.add(group.groupId());
                }
                if (delivery == Delivery.DELIVERED) {
                    directGraceDelivered |= seen.isOfRoot(group);
                    delivered.add(group);
                    state = state.covering(group);
                }
            }
            graceComplete = !selected.isEmpty() && delivered.size() == selected.size();
            return List.copyOf(delivered);
        }
    }

    private Delivery deliverTerm(Ownership seen, OwnedGroup group) {
        Optional<ProcessId> alone = options.askRootOnly() && seen.isOfRoot(group)
                ? seen.root().filter(seen.table()::isAlive)
                : Optional.empty();
        return alone.isPresent() ? sendWithCont(seen, alone.get(), Signal.TERM) : deliver(seen, group, Signal.TERM);
    }

    /** Sends to everybody in the group, as this table shows it. What is stopped is continued after TERM, to act on it. */
    Delivery deliver(Ownership seen, OwnedGroup group, Signal signal) {
        List<ProcessId> there =
                group.members().stream().filter(seen.table()::isAlive).toList();
        if (there.isEmpty()) {
            return Delivery.GONE;
        }
        if (!group.whole()) {
            return deliverOneByOne(seen, there, signal);
        }
        // Zombies too: they hold the number of the group, and the leader may be one.
        List<ProcessId> members = group.members().stream()
                .filter(id -> seen.table().row(id).isPresent())
                .toList();
        GroupTarget target =
                new GroupTarget(group.groupId(), members, seen.callerGroup().orElseThrow());
        Delivery delivery = sender.send(target, signal);
        if (signal == Signal.TERM && there.stream().anyMatch(id -> isStopped(seen, id))) {
            sender.send(target, Signal.CONT);
        }
        return delivery;
    }

    private Delivery deliverOneByOne(Ownership seen, List<ProcessId> members, Signal signal) {
        Delivery best = Delivery.GONE;
        List<ProcessId> deepestFirst = members.stream()
                .sorted(Comparator.comparing(seen::depthOf, Comparator.reverseOrder()))
                .toList();
        for (ProcessId member : deepestFirst) {
            Delivery delivery = sendWithCont(seen, member, signal);
            if (delivery == Delivery.DELIVERED || (delivery == Delivery.NOT_PERMITTED && best != Delivery.DELIVERED)) {
                best = delivery;
            }
        }
        return best;
    }

    private Delivery sendWithCont(Ownership seen, ProcessId id, Signal signal) {
        Delivery delivery = sender.send(id, signal);
        if (signal == Signal.TERM && isStopped(seen, id)) {
            sender.send(id, Signal.CONT);
        }
        return delivery;
    }

    private static boolean isStopped(Ownership seen, ProcessId id) {
        return seen.table().row(id).filter(row -> row.state().isStopped()).isPresent();
    }

    private static List<OwnedProcess> processes(Ownership seen, OwnedGroup group) {
        return seen.livingMembers().stream()
                .filter(member -> group.members().contains(member.id()))
                .toList();
    }

    /** Sends to one exact process. */
    Delivery sendTo(ProcessId id, Signal signal) {
        return sender.send(id, signal);
    }

    /** Runs something with the last picture, while nothing changes. */
    <T> T withCurrent(Function<Ownership, T> use) {
        synchronized (lock) {
            return use.apply(state);
        }
    }

    /** Looks afresh and admits a runner. */
    Ownership preserve(RunnerIdentity identity) {
        observe();
        synchronized (lock) {
            state = state.admitting(
                    identity, root.hasExited(), row -> reader.instantOf(row.id().startStamp()));
            return state;
        }
    }
}
