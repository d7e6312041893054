/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.Termination;
import org.noorphans.model.Termination.Outcome;

/**
 * Ends processes: asks first, then forces, then makes sure.
 *
 * <p><b>Basic approach.</b> A fresh look before every decision. TERM goes to the outermost process of each branch only, so
 * that a wrapper can end its own children in its own way; CONT follows if the process is stopped. A process below such an
 * owner gets a TERM of its own only when the owner has gone and the process is known to be at the default handling of TERM:
 * then it cannot have been told by the owner, or it would be gone. (A process with a handler may be closing already; a
 * second TERM could cut that short.) An owner that is itself at the default handling dies of TERM without telling anybody, so
 * what is below it is asked in its turn, handler or not. When the grace is over, everything that is left is stopped first, until a look shows nothing new, so that no parent replaces a killed child; then all are killed, the
 * innermost first. Two looks in a row must find nothing; rounds and time are bounded.
 *
 * <p>A process that refuses the signal is left alone and told; it stops nothing else.
 */
public final class Terminator {
    private static final long POLL = Duration.ofMillis(10).toNanos();
    private static final int STOP_ROUNDS = 50;
    private static final int KILL_ROUNDS = 20;

    /** How long killed processes may take to leave: a process in a disk wait dies only after it. */
    private static final Duration FORCED = Duration.ofSeconds(5);

    private final SignalSender sender;
    private final LongFunction<TermHandling> termHandling;
    private final Set<Long> untouchable;
    private final Pacing pacing;

    /**
     * A terminator.
     *
     * @param termHandling what a process does on TERM, by pid
     * @param untouchable numbers that are never signalled, whatever a look says: this JVM and its ancestors
     */
    public Terminator(
            SignalSender sender, LongFunction<TermHandling> termHandling, Set<Long> untouchable, Pacing pacing) {
        this.sender = sender;
        this.termHandling = termHandling;
        this.untouchable = Set.copyOf(untouchable);
        this.pacing = pacing;
    }

    /**
     * What came of ending.
     *
     * @param terminations one for each process that was to be ended, in the given order
     * @param latecomers processes that turned up while the others were being ended, and were ended too
     */
    public record Result(List<Termination> terminations, List<Termination> latecomers) {}

    /**
     * Ends the given processes, and whatever else the looks show.
     *
     * @param targets what is to be ended
     * @param look a fresh look: everything alive that may be signalled, the targets included
     * @param grace how long the processes may take after TERM, all together
     */
    public Result terminate(Collection<ProcessId> targets, Supplier<List<ProcessRow>> look, Duration grace) {
        return new Run(targets, look).end(grace);
    }

    private static final class Progress {
        private boolean termSent;
        private boolean killed;
        private boolean covered;
        private @Nullable Outcome outcome;
        private @Nullable String problem;
        private long nanos;
    }

    private final class Run {
        private final Supplier<List<ProcessRow>> look;
        private final Map<ProcessId, Progress> progress = new LinkedHashMap<>();
        private final Set<ProcessId> targets;
        private final long begin = pacing.nanoTime();
        private List<ProcessRow> living = List.of();

        Run(Collection<ProcessId> targets, Supplier<List<ProcessRow>> look) {
            this.look = look;
            this.targets = Set.copyOf(targets);
            targets.forEach(id -> progress.put(id, new Progress()));
        }

        Result end(Duration grace) {
            ask(grace);
            force();
            List<Termination> wanted = new ArrayList<>();
            List<Termination> late = new ArrayList<>();
            progress.forEach((id, p) -> (targets.contains(id) ? wanted : late).add(termination(id, p)));
            return new Result(List.copyOf(wanted), List.copyOf(late));
        }

        private Termination termination(ProcessId id, Progress p) {
            Outcome outcome = p.outcome == null ? Outcome.STILL_THERE : p.outcome;
            boolean untouched = outcome == Outcome.EXITED_BY_ITSELF || outcome == Outcome.NOT_THE_SAME_PROCESS;
            return new Termination(
                    id, outcome, Duration.ofNanos(untouched ? 0 : p.nanos), p.termSent, Optional.ofNullable(p.problem));
        }

        /** Asks, and waits until all are gone or the grace is over. */
        private void ask(Duration grace) {
            look();
            while (!living.isEmpty()) {
                askOutermost();
                if (pacing.nanoTime() - begin >= grace.toNanos()) {
                    return;
                }
                pacing.pause(POLL);
                look();
            }
        }

        private void askOutermost() {
            Map<Long, ProcessRow> byPid = new HashMap<>();
            living.forEach(row -> byPid.put(row.pid(), row));
            List<ProcessRow> asked = new ArrayList<>();
            for (ProcessRow row : living) {
                Progress p = progressOf(row.id());
                if (p.termSent || byPid.containsKey(row.parentPid())) {
                    continue;
                }
                TermHandling handling = termHandling.apply(row.pid());
                if (!p.covered || handling == TermHandling.DEFAULT) {
                    if (send(row.id(), Signal.TERM) == Delivery.DELIVERED) {
                        p.termSent = true;
                        if (handling != TermHandling.DEFAULT) {
                            asked.add(row);
                        }
                    }
                    if (row.state().isStopped()) {
                        send(row.id(), Signal.CONT);
                    }
                }
            }
            if (!asked.isEmpty()) {
                cover(asked);
            }
        }

        /** What is below a process that has been asked may be ended by it. */
        private void cover(List<ProcessRow> asked) {
            Set<Long> owners = new HashSet<>();
            asked.forEach(row -> owners.add(row.pid()));
            boolean grown = true;
            while (grown) {
                grown = false;
                for (ProcessRow row : living) {
                    if (owners.contains(row.parentPid()) && owners.add(row.pid())) {
                        progressOf(row.id()).covered = true;
                        grown = true;
                    }
                }
            }
        }

        private void force() {
            long deadline = pacing.nanoTime() + FORCED.toNanos();
            int emptyLooks = 0;
            for (int round = 0; round < KILL_ROUNDS && emptyLooks < 2 && pacing.nanoTime() < deadline; round++) {
                look();
                if (living.isEmpty()) {
                    emptyLooks++;
                    continue;
                }
                emptyLooks = 0;
                stopAll(deadline);
                killAll();
                while (!living.isEmpty() && pacing.nanoTime() < deadline && !hasNew()) {
                    pacing.pause(POLL / 10);
                    look();
                }
            }
        }

        private boolean hasNew() {
            return living.stream().anyMatch(row -> !progressOf(row.id()).killed);
        }

        private void stopAll(long deadline) {
            Set<ProcessId> stopped = new HashSet<>();
            for (int round = 0; round < STOP_ROUNDS && pacing.nanoTime() < deadline; round++) {
                boolean grown = false;
                for (ProcessRow row : living) {
                    if (stopped.add(row.id())) {
                        grown = true;
                        send(row.id(), Signal.STOP);
                    }
                }
                if (!grown) {
                    return;
                }
                look();
            }
        }

        private void killAll() {
            for (ProcessRow row : innermostFirst()) {
                if (send(row.id(), Signal.KILL) == Delivery.DELIVERED) {
                    progressOf(row.id()).killed = true;
                }
            }
            look();
        }

        private List<ProcessRow> innermostFirst() {
            Map<Long, ProcessRow> byPid = new HashMap<>();
            living.forEach(row -> byPid.put(row.pid(), row));
            Map<ProcessRow, Integer> depth = new HashMap<>();
            for (ProcessRow row : living) {
                int steps = 0;
                ProcessRow up = byPid.get(row.parentPid());
                while (up != null && steps < living.size()) {
                    steps++;
                    up = byPid.get(up.parentPid());
                }
                depth.put(row, steps);
            }
            return living.stream()
                    .sorted(Comparator.comparing(depth::get, Comparator.reverseOrder()))
                    .toList();
        }

        private Progress progressOf(ProcessId id) {
            return progress.computeIfAbsent(id, unknown -> new Progress());
        }

        private Delivery send(ProcessId id, Signal signal) {
            Progress p = progressOf(id);
            Delivery delivery;
            try {
                delivery = sender.send(id, signal);
            } catch (RuntimeException e) {
                // Told in the report; the others are ended all the same.
                p.problem = String.valueOf(e.getMessage());
                return Delivery.NOT_PERMITTED;
            }
            switch (delivery) {
                case NOT_PERMITTED -> settle(p, Outcome.NOT_PERMITTED);
                case NOT_THE_SAME_PROCESS -> settle(p, Outcome.NOT_THE_SAME_PROCESS);
                case DELIVERED, GONE -> {
                    // The next look tells.
                }
            }
            return delivery;
        }

        private void settle(Progress p, Outcome outcome) {
            if (p.outcome == null) {
                p.outcome = outcome;
                p.nanos = pacing.nanoTime() - begin;
            }
        }

        /** Looks afresh; what is missing has ended. Left out: the untouchable, and what is settled. */
        private void look() {
            List<ProcessRow> seen = look.get();
            Set<ProcessId> alive = new HashSet<>();
            List<ProcessRow> open = new ArrayList<>();
            for (ProcessRow row : seen) {
                if (!row.isAlive()) {
                    continue;
                }
                alive.add(row.id());
                if (untouchable.contains(row.pid())) {
                    if (targets.contains(row.id())) {
                        progressOf(row.id()).problem = "it is this JVM or an ancestor of it and is never signalled";
                    }
                } else if (progressOf(row.id()).outcome == null) {
                    open.add(row);
                }
            }
            progress.forEach((id, p) -> {
                if (p.outcome == null && !alive.contains(id)) {
                    settle(p, howEnded(p));
                }
            });
            living = List.copyOf(open);
        }

        private Outcome howEnded(Progress p) {
            if (p.killed) {
                return Outcome.ENDED_BY_FORCE;
            }
            return p.termSent || p.covered ? Outcome.EXITED_ON_REQUEST : Outcome.EXITED_BY_ITSELF;
        }
    }
}
