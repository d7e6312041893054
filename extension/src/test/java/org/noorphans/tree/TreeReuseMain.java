/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.os.linux.QuietPlatform;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Runs in a pid namespace of its own, where the next number can be chosen. An owned leader dies, and its number goes to the
 * leader of a foreign group, at each point between the look and the signal. Prints how often; exit code 0 if no innocent got
 * a signal, 1 if one did, 77 if the kernel does not let the number be chosen.
 */
final class TreeReuseMain {
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");
    private static final int TRIES = 200;

    /** When the number passes on. */
    private enum Point {
        BEFORE_THE_LOOK,
        AFTER_THE_LOOK,
        AT_THE_DOOR,
        /** The leader goes, a member stays, and the number of another member passes on. */
        MEMBER_AT_THE_DOOR
    }

    private final ProcessTableReader reader = QuietPlatform.get().orElseThrow().reader();
    private final SignalSender sender = QuietPlatform.get().orElseThrow().sender();
    private final List<String> failures = new ArrayList<>();
    private Optional<Process> innocent = Optional.empty();

    private TreeReuseMain() {}

    @SuppressWarnings({"SystemExitOutsideMain", "SystemOut"})
    public static void main(String[] args) throws Exception {
        try {
            Files.writeString(LAST_PID, "300");
        } catch (IOException e) {
            System.out.println("the next number cannot be chosen: " + e);
            System.exit(77);
        }
        TreeReuseMain run = new TreeReuseMain();
        int reused = 0;
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds * Point.values().length; i++) {
            reused += run.round(Point.values()[i % Point.values().length]) ? 1 : 0;
        }
        System.out.println("reused: " + reused);
        run.failures.forEach(System.out::println);
        System.exit(run.failures.isEmpty() ? 0 : 1);
    }

    private static Process leader() throws IOException {
        return quiet(new ProcessBuilder("setsid", "sleep", "30")).start();
    }

    private static ProcessBuilder quiet(ProcessBuilder builder) {
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    private ProcessId awaitLeader(Process process) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() < end) {
            Optional<ProcessRow> row = reader.row(process.pid());
            if (row.isPresent() && row.get().groupId().orElse(0) == process.pid()) {
                return row.get().id();
            }
            LockSupport.parkNanos(200_000);
        }
        throw new IllegalStateException("no leader: " + process);
    }

    private void awaitLaterStamp(ProcessId id) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (reader.now() <= id.startStamp() + 1 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Ends the victim and gives its number to a leader of a group that nobody here owns. */
    private void passOn(Process victim) {
        try {
            victim.destroyForcibly();
            victim.waitFor();
            for (int i = 0; i < TRIES; i++) {
                Files.writeString(LAST_PID, String.valueOf(victim.pid() - 1));
                Process process = leader();
                if (process.pid() == victim.pid()) {
                    awaitLeader(process);
                    innocent = Optional.of(process);
                    return;
                }
                process.destroyForcibly();
                process.waitFor();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean round(Point point) throws Exception {
        innocent = Optional.empty();
        Process victim = leader();
        try {
            ProcessId id = awaitLeader(victim);
            awaitLaterStamp(id);
            BreakableReader look = new BreakableReader();
            Door door = new Door(point == Point.AT_THE_DOOR ? () -> passOn(victim) : () -> {});
            OwnedProcessTree tree =
                    OwnedProcessTree.of(DirectChild.of(victim), look, door, Pacing.REAL, TreeOptions.DEFAULT, false);
            tree.observe();
            switch (point) {
                case BEFORE_THE_LOOK -> passOn(victim);
                case AFTER_THE_LOOK -> look.afterNextTable(() -> passOn(victim));
                case AT_THE_DOOR -> {}
                case MEMBER_AT_THE_DOOR -> memberOfADeadLeader(id, victim);
            }
            if (point != Point.MEMBER_AT_THE_DOOR) {
                try {
                    tree.signal(TreeSignal.KILL);
                } catch (OwnedTreeException e) {
                    if (e.problem() != TreeProblem.IDENTITY_UNCERTAIN) {
                        failures.add(point + ": " + e);
                    }
                }
            }
            innocent.ifPresent(process -> assertUnharmed(point, process));
            return innocent.isPresent();
        } finally {
            victim.destroyForcibly().waitFor();
            if (innocent.isPresent()) {
                innocent.get().destroyForcibly().waitFor();
            }
        }
    }

    /** The target names the dead leader and nobody else: nobody may get anything, by whatever way the sender goes. */
    private void memberOfADeadLeader(ProcessId id, Process victim) {
        passOn(victim);
        for (Signal signal : List.of(Signal.TERM, Signal.STOP, Signal.KILL)) {
            Delivery delivery = sender.send(new GroupTarget(id.pid(), List.of(id), 1), signal);
            if (innocent.isPresent() && delivery == Delivery.DELIVERED) {
                failures.add("a group whose leader has gone got " + signal);
            }
        }
    }

    /*
     * The kernel's word, a moment later, when a signal has had its effect. Not the JDK's: for an instant it takes a child that
     * got the number of one that has just been collected for the one that was collected.
     */
    private void assertUnharmed(Point point, Process process) {
        long later = reader.now() + 2;
        while (reader.now() < later) {
            LockSupport.parkNanos(1_000_000);
        }
        Optional<ProcessRow> row = reader.row(process.pid());
        if (row.isEmpty() || !row.get().isAlive() || row.get().state().isStopped()) {
            failures.add(point + ": an innocent got a signal: " + row);
        }
    }

    /** Something happens just before a signal goes out. */
    private final class Door implements SignalSender {
        private final Runnable before;

        Door(Runnable before) {
            this.before = before;
        }

        @Override
        public Delivery send(ProcessId target, Signal signal) {
            before.run();
            return sender.send(target, signal);
        }

        @Override
        public Delivery send(GroupTarget target, Signal signal) {
            before.run();
            return sender.send(target, signal);
        }
    }
}
