/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.QuietPlatform;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Owns one started process and everything below it. Needs no JUnit.
 *
 * <pre>{@code
 * try (OwnedProcessTree server = OwnedProcessTree.start(new ProcessBuilder("node", "server.js"))) {
 *     …
 *     server.stop(Duration.ofSeconds(45), Duration.ofSeconds(5));
 * }
 * }</pre>
 *
 * <h2>What is owned</h2>
 *
 * <p>The process, what it started, and what those started, also after their parents have gone: members are known by number and
 * start, followed every 250 ms on a daemon thread, and found again through the groups and sessions that they made. A process
 * that leaves the tree between two looks, by a session of its own and the end of its parent, is not seen. A number alone is
 * never proof of anything: if the number of an owned group turns up on processes that cannot be verified, every signal is
 * refused until it is cleared up.
 *
 * <h2>What is signalled</h2>
 *
 * <p>A group that is all ours is signalled as a group; members of other groups, that of this JVM among them, one by one.
 * Nobody else is ever signalled: no other child of this JVM, no ancestor, no process that only looks alike. Each signal follows
 * a fresh picture, and identities are compared again right before it goes.
 *
 * <h2>Stopping</h2>
 *
 * <p>TERM goes to the group of the root; when the root has gone, to the outermost groups that are left and have not been asked.
 * What is below someone who was asked is not asked again: ending it is that one's business. At the deadline all that is left is
 * killed, from the inside out. Every wait is bounded; a repeated stop goes on with the deadlines of the first, a concurrent
 * one gets the same result. If the processes cannot be inspected on the way, only the direct child is ended, and the stop fails.
 *
 * <h2>Where</h2>
 *
 * <p>On Linux. On other systems nothing is observed, and stopping means the direct child alone.
 */
public final class OwnedProcessTree implements AutoCloseable {
    private static final Duration LEADS_WITHIN = Duration.ofSeconds(5);
    private static final long LEADS_POLL = Duration.ofMillis(1).toNanos();
    private static final AtomicLong COUNT = new AtomicLong();

    private final long number = COUNT.incrementAndGet();
    private final @Nullable Process process;
    private final DirectChild root;
    private final @Nullable TreeOwner owner;
    private final TreeOptions options;
    private final ReentrantLock oneStopAtATime = new ReentrantLock();
    private final SharedStop ordinary;
    private final SharedStop everything;
    private final SharedStop restart;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean finalStop;

    private OwnedProcessTree(
            @Nullable Process process,
            DirectChild root,
            @Nullable TreeOwner owner,
            Pacing pacing,
            TreeOptions options) {
        this.process = process;
        this.root = root;
        this.owner = owner;
        this.options = options;
        StopProcedure stop = new StopProcedure(root, owner, pacing, options.pollEvery(), false);
        this.ordinary = new SharedStop(stop::stop);
        StopProcedure last = new StopProcedure(root, owner, pacing, options.pollEvery(), true);
        this.everything = new SharedStop(last::stop);
        StopProcedure retire = new StopProcedure(root, owner, pacing, options.pollEvery(), false);
        this.restart =
                new SharedStop((graceful, forced) -> retire.stopForRestart(required(), graceful, () -> finalStop));
    }

    /** For tests: no process, no thread unless asked for. */
    static OwnedProcessTree of(
            DirectChild root,
            @Nullable ProcessTableReader reader,
            SignalSender sender,
            Pacing pacing,
            TreeOptions options,
            boolean observing) {
        TreeOwner owner =
                reader == null ? null : new TreeOwner(root, Ownership.of(root.pid()), reader, sender, options);
        if (owner != null && observing) {
            owner.startObserving();
        }
        return new OwnedProcessTree(null, root, owner, pacing, options);
    }

    /** Starts a process that leads a session and a group of its own, and owns it, with the default options. */
    public static OwnedProcessTree start(ProcessBuilder builder) throws IOException {
        return start(builder, TreeOptions.DEFAULT);
    }

    /**
     * Starts a process that leads a session and a group of its own, and owns it. The command is handed to the utility
     * {@code setsid}, unless it is one already; the number of the process stays the same. Where there is no such utility the
     * process stays in the group of this JVM, and it and what it starts are signalled one by one. The builder is not changed.
     *
     * @throws IOException if it cannot be started, or does not lead its group within 5 s, in which case it is ended
     * @throws IllegalArgumentException if the command is a {@code setsid} with the option to fork
     */
    public static OwnedProcessTree start(ProcessBuilder builder, TreeOptions options) throws IOException {
        Optional<Platform> platform = QuietPlatform.get();
        @Nullable Path setsid = platform.isPresent() ? Leader.utility().orElse(null) : null;
        boolean leads = setsid != null || Leader.isSetsid(builder.command());
        Process process = Leader.leading(builder, setsid).start();
        if (platform.isEmpty() || !leads) {
            return own(process, options);
        }
        ProcessTableReader reader = platform.get().reader();
        DirectChild child = DirectChild.of(process);
        Optional<ProcessId> id = identify(child, reader);
        boolean inTime = awaitLeadership(process, reader);
        TreeOwner owner = new TreeOwner(
                child,
                Ownership.ofLeader(process.pid(), id.orElse(null)),
                reader,
                platform.get().sender(),
                options);
        OwnedProcessTree tree = new OwnedProcessTree(process, child, owner, Pacing.REAL, options);
        if (!inTime) {
            process.destroyForcibly();
            throw new IOException("process " + process.pid() + " did not lead a group of its own within "
                    + LEADS_WITHIN.toSeconds() + " s; it has been ended");
        }
        tree.observeOnce();
        owner.lookOftenAtFirst();
        owner.startObserving();
        return tree;
    }

    private static Optional<ProcessId> identify(DirectChild child, ProcessTableReader reader) {
        Optional<ProcessId> id = reader.row(child.pid()).map(ProcessRow::id);
        return child.holdsItsNumber() ? id : Optional.empty(); // if not, the first look may tell
    }

    private static boolean awaitLeadership(Process process, ProcessTableReader reader) {
        long deadline = System.nanoTime() + LEADS_WITHIN.toNanos();
        while (process.isAlive()) {
            boolean leads = reader.row(process.pid())
                    .filter(row -> row.groupId().orElse(0) == row.pid())
                    .isPresent();
            if (leads) {
                return true;
            }
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            Pacing.REAL.pause(LEADS_POLL);
        }
        return true;
    }

    /** Owns a process that is running already, with the default options. */
    public static OwnedProcessTree own(Process process) {
        return own(process, TreeOptions.DEFAULT);
    }

    /**
     * Owns a process that is running already, and what is below it now. If it is in the group of this JVM, as children of a
     * JVM are, it and those below it that stay there are signalled one by one.
     */
    public static OwnedProcessTree own(Process process, TreeOptions options) {
        DirectChild child = DirectChild.of(process);
        Optional<Platform> platform = QuietPlatform.get();
        if (platform.isEmpty()) {
            return new OwnedProcessTree(process, child, null, Pacing.REAL, options);
        }
        TreeOwner owner = new TreeOwner(
                child,
                Ownership.of(child.pid()),
                platform.get().reader(),
                platform.get().sender(),
                options);
        OwnedProcessTree tree = new OwnedProcessTree(process, child, owner, Pacing.REAL, options);
        tree.observeOnce();
        owner.lookOftenAtFirst();
        owner.startObserving();
        return tree;
    }

    /** A failure is swallowed as those of the background are; a stop will tell. */
    private void observeOnce() {
        try {
            required().observe();
        } catch (OwnedTreeException e) {
            // told when it matters
        }
    }

    private TreeOwner required() {
        if (owner == null) {
            throw new OwnedTreeException(TreeProblem.NO_TABLE, "this system is not supported", List.of(), null);
        }
        return owner;
    }

    /** The started process: its streams and its exit code. */
    public Process process() {
        if (process == null) {
            throw new IllegalStateException("there is no process");
        }
        return process;
    }

    /** The number of the started process. */
    public long pid() {
        return root.pid();
    }

    /**
     * Looks afresh.
     *
     * @throws OwnedTreeException {@link TreeProblem#NO_TABLE}, {@link TreeProblem#CALLER_GROUP_UNKNOWN} or
     *     {@link TreeProblem#IDENTITY_UNCERTAIN}; what was known before is kept then
     */
    public TreeView observe() {
        if (owner == null) {
            return new TreeView(List.of(), List.of(), Set.of());
        }
        return view(owner.observe());
    }

    /** What the last good look showed. */
    public TreeView lastSeen() {
        return owner == null ? new TreeView(List.of(), List.of(), Set.of()) : view(owner.current());
    }

    private static TreeView view(Ownership ownership) {
        List<Long> groups = ownership.terminationOrder(ownership.liveGroups()).stream()
                .filter(OwnedGroup::whole)
                .map(OwnedGroup::groupId)
                .toList();
        List<OwnedProcess> members = ownership.livingMembers();
        return new TreeView(
                members,
                groups,
                members.stream()
                        .map(OwnedProcess::id)
                        .filter(ownership.preserved()::contains)
                        .collect(Collectors.toSet()));
    }

    /** A picture for a log: who is there, at most 64 of them, without any name that a process chose; or why there is none. */
    public String diagnosis() {
        try {
            TreeView view = observe();
            return view.isEmpty() ? "nothing owned is alive" : view.describe();
        } catch (OwnedTreeException e) {
            return e.problem().text();
        }
    }

    /**
     * Looks afresh and sends a signal to every live group, the innermost first, that of the root last.
     *
     * @return the groups that got it, in this order
     * @throws OwnedTreeException if the look failed, then nothing was sent; or {@link TreeProblem#SIGNAL_REFUSED}, then the
     *     remaining groups got nothing
     */
    public List<Long> signal(TreeSignal signal) {
        return signal(signal, group -> true);
    }

    /** The same, for some of the live groups only. A selection restricts; a group that is not owned is not signalled. */
    public List<Long> signal(TreeSignal signal, Set<Long> groupIds) {
        return signal(signal, group -> groupIds.contains(group.groupId()));
    }

    private List<Long> signal(TreeSignal signal, Predicate<OwnedGroup> selected) {
        return numbers(required().signal(signal.signal(), selected));
    }

    /**
     * Looks afresh and sends TERM to those that are to be asked and have not been: the group of the root, or, when the root's
     * group has gone, the outermost groups. Once all that were chosen in one call got it, later calls do nothing.
     *
     * @return the groups that got it in this call
     */
    public List<Long> signalGracefully() {
        return numbers(required().signalGracefully(false, null));
    }

    private static List<Long> numbers(List<OwnedGroup> groups) {
        return groups.stream().map(OwnedGroup::groupId).toList();
    }

    /**
     * Admits a durable runner: it and what is below it survive {@link #stop} and {@link #close}, and only that. Must be called
     * once, while the started process lives. Signals nothing.
     *
     * @throws OwnedTreeException {@link TreeProblem#ADMISSION_TOO_LATE}, {@link TreeProblem#NOT_THE_OWNED_RUNNER} or
     *     {@link TreeProblem#RUNNER_SHARES_GROUP}
     */
    public void preserve(RunnerIdentity runner) {
        required().preserve(runner);
    }

    /** Admits a durable runner that leads a group of its own. */
    public void preserve(ProcessId runner) {
        preserve(RunnerIdentity.of(runner));
    }

    /**
     * Looks afresh and makes sure that the admitted runner lives: the same number, start and group.
     *
     * @throws OwnedTreeException {@link TreeProblem#RUNNER_DIED} if it does not, or none was admitted
     */
    public void requireRunnerAlive() {
        required().observe().requireRunnerAlive();
    }

    /** Stops the tree within the bounds of the options. */
    public TreeStop stop() {
        return stop(options.graceful(), options.forced());
    }

    /**
     * Stops everything but an admitted runner and what is below it. Also to be called after the started process has ended by
     * itself: it may have left something.
     *
     * @param graceful how long after the first call processes may take to end on TERM; one pass is made even if it is zero
     * @param forced how long they may take to vanish after KILL
     * @return what became of each process; the same result for concurrent and later calls, and that of
     *     {@link #stopEverything} if that has stopped all
     * @throws OwnedTreeException {@link TreeProblem#CLEANUP_INCOMPLETE}, with the cause; or {@link TreeProblem#RUNNER_DIED}.
     *     A later call tries again, with the deadlines of the first
     */
    public TreeStop stop(Duration graceful, Duration forced) {
        TreeStop last = everything.success();
        if (last != null) {
            return last;
        }
        return ordinary.run(TreeOptions.notNegative("graceful", graceful), TreeOptions.notNegative("forced", forced));
    }

    /** The same, for an admitted runner too: nothing of the tree survives. */
    public TreeStop stopEverything(Duration graceful, Duration forced) {
        TreeOptions.notNegative("graceful", graceful);
        TreeOptions.notNegative("forced", forced);
        if (owner == null || owner.current().runner().isEmpty()) {
            return stop(graceful, forced);
        }
        if (!finalStop) {
            finalStop = true;
            owner.restartGrace();
        }
        return everything.run(graceful, forced);
    }

    boolean isStoppingEverything() {
        return finalStop;
    }

    /**
     * The stop of a restart: TERM for everything but the admitted runner and its tree. Kills nothing.
     *
     * @throws OwnedTreeException {@link TreeProblem#RUNNER_DIED}, before anything is signalled if none was admitted;
     *     {@link TreeProblem#NOT_RETIRED} if something is left at the deadline; {@link TreeProblem#RESTART_INTERRUPTED} if
     *     meanwhile {@link #stopEverything} was called
     */
    public TreeStop stopForRestart(Duration graceful) {
        TreeOptions.notNegative("graceful", graceful);
        requireRunnerAlive();
        return restart.run(graceful, Duration.ZERO);
    }

    /**
     * Stops several trees with all that is in them, admitted runners included, the one that was owned last first. All share one
     * deadline; each is attempted, whatever became of the others.
     *
     * @throws OwnedTreeException if some could not be stopped; the failures of the others are suppressed under the first
     */
    public static List<TreeStop> stopAll(Collection<OwnedProcessTree> trees, Duration graceful, Duration forced) {
        return stopAll(trees, graceful, forced, Pacing.REAL);
    }

    static List<TreeStop> stopAll(
            Collection<OwnedProcessTree> trees, Duration graceful, Duration forced, Pacing pacing) {
        long begin = pacing.nanoTime();
        List<TreeStop> stops = new ArrayList<>();
        List<OwnedTreeException> failures = new ArrayList<>();
        List<OwnedProcessTree> newestFirst = trees.stream()
                .sorted(Comparator.comparingLong((OwnedProcessTree tree) -> tree.number)
                        .reversed())
                .toList();
        for (OwnedProcessTree tree : newestFirst) {
            long left = graceful.toNanos() - (pacing.nanoTime() - begin);
            try {
                stops.add(tree.stopEverything(Duration.ofNanos(Math.max(0, left)), forced));
            } catch (OwnedTreeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            OwnedTreeException first = failures.get(0);
            failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
            throw first;
        }
        return List.copyOf(stops);
    }

    /** Ends the periodic observation. {@link #observe} and everything else still work, and look for themselves. */
    public void stopObserving() {
        if (owner != null) {
            owner.stopObserving();
        }
    }

    /**
     * Stops the tree within the bounds of the options, unless that has been done, and ends the observation. An admitted runner
     * and what is below it are left alive. Closing again does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            stop();
        } finally {
            stopObserving();
        }
    }

    /** A stop that is run once at a time; who asks meanwhile gets the same result, and so does who asks after a success. */
    private final class SharedStop {
        private final Deed deed;
        private @Nullable CompletableFuture<TreeStop> result;

        SharedStop(Deed deed) {
            this.deed = deed;
        }

        TreeStop run(Duration graceful, Duration forced) {
            CompletableFuture<TreeStop> shared;
            boolean isMine = false;
            synchronized (this) {
                if (result == null) {
                    result = new CompletableFuture<>();
                    isMine = true;
                }
                shared = result;
            }
            if (isMine) {
                perform(shared, graceful, forced);
            }
            try {
                return shared.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw e;
            }
        }

        /** The result, if it was a success. */
        @Nullable
        TreeStop success() {
            CompletableFuture<TreeStop> shared;
            synchronized (this) {
                shared = result;
            }
            return shared != null && shared.isDone() && !shared.isCompletedExceptionally() ? shared.join() : null;
        }

        private void perform(CompletableFuture<TreeStop> shared, Duration graceful, Duration forced) {
            oneStopAtATime.lock();
            try {
                shared.complete(deed.stop(graceful, forced));
            } catch (RuntimeException | Error e) {
                synchronized (this) {
                    result = null;
                }
                shared.completeExceptionally(e);
            } finally {
                oneStopAtATime.unlock();
            }
        }
    }

    private interface Deed {
        TreeStop stop(Duration graceful, Duration forced);
    }
}
