/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.internal.terminate.Terminator;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;
import org.noorphans.model.Termination.Outcome;

/**
 * Runs in a pid namespace of its own, where the next number can be chosen: lets a process die, gives its number to another
 * process or to a thread, and asks for signals to the old one. Prints what was done; exit code 0 if the new owner never got
 * a signal, 1 if it did, 77 if the kernel does not let the number be chosen.
 */
final class ReusedPidMain {
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");
    private static final int TRIES = 200;

    private final Platform platform;
    private final ProcessTableReader reader;
    private final Set<Delivery> deliveries = EnumSet.noneOf(Delivery.class);
    private final List<String> failures = new ArrayList<>();

    private ReusedPidMain(boolean pidfd) {
        platform = LinuxPlatform.create(new Switches(true, true, true, pidfd));
        reader = platform.reader();
    }

    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] args) throws Exception {
        boolean pidfd = args[0].equals("pidfd");
        ReusedPidMain run = new ReusedPidMain(pidfd);
        int count = Integer.parseInt(args[1]);
        try {
            Files.writeString(LAST_PID, "300");
        } catch (IOException e) {
            print("the next number cannot be chosen: " + e);
            System.exit(77);
        }
        print("this JVM is process " + run.reader.self().pid());
        int processes = 0;
        int threads = 0;
        int raced = 0;
        for (int i = 0; i < count; i++) {
            processes += run.byAProcess() ? 1 : 0;
            threads += run.byAThread() ? 1 : 0;
            raced += pidfd && run.whileSignalsAreSent() ? 1 : 0;
        }
        print("reused by a process: " + processes);
        print("reused by a thread: " + threads);
        print("reused while signals were sent: " + raced);
        print("deliveries: " + run.deliveries);
        run.failures.forEach(ReusedPidMain::print);
        System.exit(run.failures.isEmpty() ? 0 : 1);
    }

    @SuppressWarnings("SystemOut")
    private static void print(String line) {
        System.out.println(line);
    }

    private static Process sleep() throws IOException {
        return new ProcessBuilder("sleep", "60")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private ProcessId idOf(Process process) {
        return reader.row(process.pid()).map(ProcessRow::id).orElseThrow();
    }

    /** A process that has died, collected, at a time that differs from now by its start stamp. */
    private ProcessId victim() throws Exception {
        ProcessId id = idOf(sleep());
        awaitLaterStamp(id);
        end(id);
        return id;
    }

    /**
     * Ends a process and waits until its number is free. {@code java.lang.Process} is of no use here: the JDK keeps what it
     * knows of the end of a process by number alone, and takes the new owner for dead if it comes fast enough.
     */
    private void end(ProcessId id) {
        long begin = System.nanoTime();
        if (isThere(id)) {
            LibC.kill((int) id.pid(), Signal.KILL.linuxNumber());
        }
        while (isThere(id)) {
            LockSupport.parkNanos(500_000);
            long waited = System.nanoTime() - begin;
            if (waited > Duration.ofMillis(300).toNanos()) {
                LibC.waitpid((int) id.pid(), null, LibC.WNOHANG);
            }
            // A process that waits inside the kernel dies only afterwards; 10 s were too few once.
            if (waited > Duration.ofSeconds(30).toNanos()) {
                throw new IllegalStateException(id + " does not go away: " + reader.row(id.pid()) + ", waiting in "
                        + ProcFile.readText("/proc/" + id.pid() + "/wchan") + "\n"
                        + ProcFile.readText("/proc/" + id.pid() + "/stack"));
            }
        }
    }

    private boolean isThere(ProcessId id) {
        return reader.row(id.pid()).filter(row -> row.id().equals(id)).isPresent();
    }

    private void awaitLaterStamp(ProcessId id) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (reader.now() <= id.startStamp() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** A new process with that number; empty if others, such as threads of this JVM, always came first. */
    private Optional<ProcessId> reuse(long pid) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            Files.writeString(LAST_PID, String.valueOf(pid - 1));
            ProcessId id = idOf(sleep());
            if (id.pid() == pid) {
                return Optional.of(id);
            }
            end(id);
        }
        return Optional.empty();
    }

    private boolean byAProcess() throws Exception {
        ProcessId old = victim();
        ProcessRow oldRow = new ProcessRow(
                old, reader.self().pid(), OptionalLong.empty(), OptionalLong.empty(), ProcessState.SLEEPING, "sleep");
        Optional<ProcessId> reused = reuse(old.pid());
        if (reused.isEmpty()) {
            return false;
        }
        ProcessId id = reused.get();
        try {
            for (Signal signal : Signal.values()) {
                Delivery delivery = platform.sender().send(old, signal);
                deliveries.add(delivery);
                if (delivery != Delivery.NOT_THE_SAME_PROCESS) {
                    failures.add(signal + " to " + old + ", now " + id + ": " + delivery);
                }
            }
            Terminator terminator =
                    new Terminator(platform.sender(), reader::termHandling, reader.selfAndAncestors(), Pacing.REAL);
            // A look that is out of date, for ever.
            Outcome outcome = terminator
                    .terminate(List.of(old), () -> List.of(oldRow), Duration.ofMillis(20))
                    .terminations()
                    .get(0)
                    .outcome();
            if (outcome != Outcome.NOT_THE_SAME_PROCESS) {
                failures.add("ending " + old + ", now " + id + ": " + outcome);
            }
            assertUnharmed(id);
            Delivery toTheNewOne = platform.sender().send(id, Signal.KILL);
            if (toTheNewOne != Delivery.DELIVERED) {
                failures.add("KILL to the new owner itself: " + toTheNewOne);
            }
            return true;
        } finally {
            end(id);
        }
    }

    private void assertUnharmed(ProcessId id) {
        Optional<ProcessRow> row = reader.row(id.pid());
        if (row.isEmpty()
                || !row.get().id().equals(id)
                || !row.get().isAlive()
                || row.get().state().isStopped()) {
            failures.add(id + " got a signal that was meant for the earlier owner of its number: " + row);
        }
    }

    /** kill(2) takes the number of a thread for the number of its process, which is this JVM. */
    private boolean byAThread() throws Exception {
        ProcessId old = victim();
        for (int i = 0; i < TRIES; i++) {
            Files.writeString(LAST_PID, String.valueOf(old.pid() - 1));
            CountDownLatch done = new CountDownLatch(1);
            AtomicReference<Long> task = new AtomicReference<>();
            CountDownLatch known = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                task.set(reader.currentTask().orElseThrow());
                known.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            known.await();
            try {
                if (task.get() == old.pid()) {
                    for (Signal signal : Signal.values()) {
                        Delivery delivery = platform.sender().send(old, signal);
                        deliveries.add(delivery);
                        if (delivery != Delivery.GONE && delivery != Delivery.NOT_THE_SAME_PROCESS) {
                            failures.add(signal + " to " + old + ", now a thread: " + delivery);
                        }
                    }
                    return true;
                }
            } finally {
                done.countDown();
                thread.join();
            }
        }
        return false;
    }

    /**
     * Signals to the old process are sent all the time, while it dies and its number passes on. Only a pidfd is safe in
     * every such moment. By number there is a gap between the comparison and kill(2), which this does hit; so it is not done
     * there.
     */
    private boolean whileSignalsAreSent() throws Exception {
        ProcessId old = idOf(sleep());
        awaitLaterStamp(old);
        CountDownLatch done = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread hammer = new Thread(() -> {
            try {
                while (done.getCount() > 0) {
                    platform.sender().send(old, Signal.TERM);
                }
            } catch (RuntimeException e) {
                thrown.set(e);
            }
        });
        hammer.start();
        Optional<ProcessId> reused;
        try {
            end(old);
            reused = reuse(old.pid());
            if (reused.isPresent()) {
                // Some more signals meet the new owner.
                long end = System.nanoTime() + Duration.ofMillis(5).toNanos();
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                assertUnharmed(reused.get());
            }
        } finally {
            done.countDown();
            hammer.join();
            end(old);
        }
        if (thrown.get() != null) {
            failures.add("a signal to a process that is dying failed: " + thrown.get());
        }
        reused.ifPresent(this::end);
        return reused.isPresent();
    }
}
