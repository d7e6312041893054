/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;

/**
 * Stops a tree: asks, waits, forces, verifies. One object for each purpose of one tree, so that a repeated stop goes on where
 * the one before broke off: with its deadlines, and without asking twice.
 *
 * <p><b>Basic approach.</b> Until the graceful deadline, each pass asks whom it has to ask and looks whether all is gone. After
 * it, everything is stopped (SIGSTOP) from the root inwards until a look shows nothing new, so that nobody replaces what is
 * killed; then all is killed, the innermost group first, that of the root last; and again, while a look shows something new.
 * The tree counts as gone when the root has exited and two looks in a row show nothing.
 *
 * <p>When anything goes wrong on the way, no group may be signalled any more, since nobody knows what it is by now. The handle
 * of the direct child is then the only authority left: it is ended within the same deadlines, and the stop fails all the same.
 */
final class StopProcedure {
    private static final Logger LOG = System.getLogger("org.noorphans");
    private static final long FIRST_PAUSE = Duration.ofMillis(2).toNanos();
    private static final long DIRECT_CHILD_POLL = Duration.ofMillis(25).toNanos();
    private static final int FREEZE_ROUNDS = 50;

    private final DirectChild root;
    private final @Nullable TreeOwner owner;
    private final Pacing pacing;
    private final long poll;
    private final boolean everything;
    private final StopRecord done = new StopRecord();
    private final Set<Long> refused = new HashSet<>();
    private boolean hasGracefulDeadline;
    private long gracefulDeadline;
    private boolean hasForcedDeadline;
    private long forcedDeadline;
    private boolean gracefulSent;
    private int looksBefore = -1;

    /**
     * A procedure.
     *
     * @param owner null where processes cannot be observed: then only the direct child is stopped
     * @param everything whether the preserved ones are stopped too
     */
    StopProcedure(DirectChild root, @Nullable TreeOwner owner, Pacing pacing, Duration poll, boolean everything) {
        this.root = root;
        this.owner = owner;
        this.pacing = pacing;
        this.poll = poll.toNanos();
        this.everything = everything;
    }

    /** Stops, within the deadlines of the first call. */
    TreeStop stop(Duration graceful, Duration forced) {
        begin(graceful);
        if (owner == null) {
            stopDirectChild(forced);
            return new TreeStop(List.of(), hasForcedDeadline, List.of(), 0, took());
        }
        try {
            stopTree(owner, forced);
        } catch (RuntimeException e) {
            undoFreeze(owner);
            throw incomplete(owner, e, forced);
        }
        return finish(owner);
    }

    /** A restart's stop: everything but the preserved is asked, at once and by name; nothing is ever killed. */
    TreeStop stopForRestart(TreeOwner tree, Duration graceful, BooleanSupplier interrupted) {
        begin(graceful);
        if (!gracefulSent) {
            look(tree);
            List<OwnedGroup> delivered =
                    tree.signal(Signal.TERM, group -> !tree.current().isPreserved(group));
            done.termSent(delivered);
            tree.cover(delivered);
            gracefulSent = true;
        }
        long pause = FIRST_PAUSE;
        while (!isStopped(tree)) {
            if (interrupted.getAsBoolean()) {
                throw new OwnedTreeException(TreeProblem.RESTART_INTERRUPTED);
            }
            if (pacing.nanoTime() - gracefulDeadline >= 0) {
                throw new OwnedTreeException(TreeProblem.NOT_RETIRED, left(tree.current()));
            }
            pause = pause(pause, gracefulDeadline);
        }
        return finish(tree);
    }

    private void begin(Duration graceful) {
        long now = pacing.nanoTime();
        done.begin(now);
        done.nextTry();
        if (looksBefore < 0) {
            looksBefore = owner == null ? 0 : owner.looks();
        }
        if (!hasGracefulDeadline) {
            hasGracefulDeadline = true;
            gracefulDeadline = now + graceful.toNanos();
        }
    }

    private Duration took() {
        return Duration.ofNanos(done.since(pacing.nanoTime()));
    }

    private TreeStop finish(TreeOwner tree) {
        Ownership last = tree.current();
        if (!everything && last.runner().isPresent()) {
            last.requireRunnerAlive();
        }
        return new TreeStop(
                done.terminations(),
                done.isEscalated(),
                List.copyOf(last.preserved()),
                tree.looks() - looksBefore,
                took());
    }

    private void stopTree(TreeOwner tree, Duration forced) {
        long pause = FIRST_PAUSE;
        do {
            List<OwnedGroup> delivered = tree.signalGracefully(everything, refused);
            done.seen(tree.current(), pacing.nanoTime());
            done.termSent(delivered);
            gracefulSent |= tree.directGraceDelivered();
            if (isStopped(tree)) {
                return;
            }
            pause = pause(pause, gracefulDeadline);
        } while (pacing.nanoTime() - gracefulDeadline < 0);
        force(tree, forced);
    }

    private void force(TreeOwner tree, Duration forced) {
        if (!done.isEscalated()) {
            done.escalated();
            LOG.log(
                    Level.WARNING,
                    "The tree of process {0} has not ended on request; what is left of it is killed.",
                    String.valueOf(root.pid()));
        }
        freezeAndKill(tree);
        startForcedDeadline(forced);
        long pause = FIRST_PAUSE;
        do {
            if (isStopped(tree)) {
                return;
            }
            pause = pause(pause, pacing.nanoTime() + poll);
            freezeAndKill(tree);
        } while (pacing.nanoTime() - forcedDeadline < 0);
        if (!isStopped(tree)) {
            throw new OwnedTreeException(TreeProblem.DESCENDANTS_REMAINED, left(tree.current()));
        }
    }

    private void startForcedDeadline(Duration forced) {
        if (!hasForcedDeadline) {
            hasForcedDeadline = true;
            forcedDeadline = pacing.nanoTime() + forced.toNanos();
        }
    }

    /** Kills what is alive and has not been killed yet. */
    private void freezeAndKill(TreeOwner tree) {
        if (!freeze(tree)) {
            return;
        }
        tree.withCurrent(seen -> {
            for (OwnedGroup group : seen.terminationOrder(targets(seen))) {
                if (group.members().stream().filter(seen.table()::isAlive).allMatch(done::isKilled)) {
                    continue;
                }
                Delivery delivery = tree.deliver(seen, group, Signal.KILL);
                if (delivery == Delivery.DELIVERED) {
                    done.killed(group);
                } else if (delivery == Delivery.NOT_PERMITTED) {
                    done.killed(group); // once is enough; the verdict tells
                    group.members().forEach(done::refused);
                }
            }
            return seen;
        });
    }

    /** Stops, outermost first, until a look shows nothing new; returns whether there is anything to be killed. */
    private boolean freeze(TreeOwner tree) {
        for (int round = 0; round < FREEZE_ROUNDS; round++) {
            look(tree);
            boolean grown = tree.withCurrent(seen -> {
                boolean news = false;
                List<OwnedGroup> order = new ArrayList<>(seen.terminationOrder(targets(seen)));
                for (int i = order.size() - 1; i >= 0; i--) {
                    OwnedGroup group = order.get(i);
                    boolean hasNew = false;
                    for (ProcessId id : group.members()) {
                        hasNew |= seen.table().isAlive(id) && !done.isKilled(id) && done.freeze(id);
                    }
                    if (hasNew) {
                        tree.deliver(seen, group, Signal.STOP);
                        news = true;
                    }
                }
                return news;
            });
            if (!grown) {
                break;
            }
        }
        return tree.withCurrent(seen -> targets(seen).stream()
                .flatMap(group -> group.members().stream())
                .anyMatch(id -> seen.table().isAlive(id) && !done.isKilled(id)));
    }

    /** Whoever has been stopped and was not killed, because the clean-up broke off, goes on as before. */
    private void undoFreeze(TreeOwner tree) {
        for (ProcessId id : done.frozen()) {
            if (!done.isKilled(id)) {
                try {
                    tree.sendTo(id, Signal.CONT);
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, "Could not continue process " + id.pid(), e);
                }
            }
        }
        done.frozen().clear();
    }

    private List<OwnedGroup> targets(Ownership seen) {
        return everything ? seen.liveGroups() : seen.cleanupGroups();
    }

    private List<OwnedProcess> left(Ownership seen) {
        return seen.livingMembers().stream()
                .filter(member -> everything || !seen.preserved().contains(member.id()))
                .toList();
    }

    private void look(TreeOwner tree) {
        tree.observe();
        done.seen(tree.current(), pacing.nanoTime());
    }

    private boolean isStopped(TreeOwner tree) {
        for (int empty = 0; empty < 2; empty++) {
            look(tree);
            if (!root.hasExited() || !targets(tree.current()).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private long pause(long pause, long deadline) {
        long left = deadline - pacing.nanoTime();
        if (left > 0) {
            pacing.pause(Math.min(pause, left));
        }
        return Math.min(pause * 2, poll);
    }

    private OwnedTreeException incomplete(TreeOwner tree, RuntimeException first, Duration forced) {
        gracefulSent |= tree.directGraceDelivered();
        StringBuilder detail = new StringBuilder(String.valueOf(first.getMessage()));
        @Nullable RuntimeException second = null;
        try {
            stopDirectChild(forced);
        } catch (RuntimeException e) {
            second = e;
            detail.append("; ").append(e.getMessage());
        }
        List<OwnedProcess> about = first instanceof OwnedTreeException known ? known.processes() : List.of();
        OwnedTreeException failure = OwnedTreeException.about(
                TreeProblem.CLEANUP_INCOMPLETE, detail.toString(), about, done.terminations(), first);
        if (second != null) {
            failure.addSuppressed(second);
        }
        return failure;
    }

    private void stopDirectChild(Duration forced) {
        if (!root.hasExited() && !gracefulSent) {
            gracefulSent = root.ask();
        }
        awaitExit(gracefulDeadline);
        if (root.hasExited()) {
            return;
        }
        root.force();
        startForcedDeadline(forced);
        pacing.pause(DIRECT_CHILD_POLL); // death takes a moment, and the deadline may be that of an earlier stop
        awaitExit(forcedDeadline);
        if (!root.hasExited()) {
            throw new OwnedTreeException(TreeProblem.DIRECT_CHILD_REMAINED, "pid " + root.pid(), List.of(), null);
        }
    }

    private void awaitExit(long deadline) {
        while (!root.hasExited()) {
            long left = deadline - pacing.nanoTime();
            if (left <= 0) {
                return;
            }
            pacing.pause(Math.min(left, DIRECT_CHILD_POLL));
        }
    }
}
