/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.fake;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.model.ProcessId;

/**
 * Starts real processes for a test and ends them, pass or fail, each by number and start time. Nothing that is started here
 * sleeps longer than two minutes.
 */
public final class StartedProcesses implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private record Started(ProcessId id, boolean byJava) {}

    private final Deque<Started> started = new ArrayDeque<>();

    /** A program with its output discarded. */
    public synchronized ProcessId start(String... command) {
        return register(process(new ProcessBuilder(command)));
    }

    /** A shell script with its output discarded. */
    public ProcessId sh(String script) {
        return start("sh", "-c", script);
    }

    /** A process that sleeps for a minute. */
    public ProcessId sleep() {
        return start("sleep", "60");
    }

    /**
     * A shell script that prints the numbers of processes as its first line. Its own identity comes first, theirs follow.
     * They are registered too.
     */
    public synchronized List<ProcessId> announced(String script) {
        return announced("sh", "-c", script);
    }

    /** As {@link #announced(String)}, for any program. */
    public synchronized List<ProcessId> announced(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = builder.start();
            ProcessId id = register(process);
            BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("no announcement from " + Arrays.toString(command));
            }
            List<ProcessId> others = Arrays.stream(line.trim().split("\\s+"))
                    .filter(word -> !word.isEmpty())
                    .map(Long::parseLong)
                    .map(this::own)
                    .toList();
            return Stream.concat(Stream.of(id), others.stream()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process process(ProcessBuilder builder) {
        try {
            return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessId register(Process process) {
        ProcessId id = ProcFacts.identity(process.pid())
                .orElseThrow(() -> new AssertionError("pid " + process.pid() + " ended before it could be registered"));
        started.push(new Started(id, true));
        return id;
    }

    /** Registers a process that another one started. */
    public synchronized ProcessId own(long pid) {
        ProcessId id = ProcFacts.identity(pid).orElseThrow(() -> new AssertionError("pid " + pid + " is not there"));
        started.push(new Started(id, false));
        return id;
    }

    /** Waits until a process is neither alive nor on its way out. */
    public static void awaitEnd(ProcessId id) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> !ProcFacts.isAlive(id));
    }

    /** Waits until a process is in one of these states, as procfs spells them. */
    public static void awaitState(ProcessId id, String states) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> ProcFacts.state(id.pid()).filter(states::contains).isPresent());
    }

    /** Ends a process by number and start time, without the code under test. */
    public static void end(ProcessId id) {
        if (ProcFacts.isAlive(id)) {
            // The handle holds the start time and refuses another process with this number.
            ProcessHandle.of(id.pid())
                    .filter(handle -> ProcFacts.isAlive(id))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
        awaitEnd(id);
    }

    @Override
    public synchronized void close() {
        AssertionError failure = null;
        for (Started next : started) {
            try {
                end(next.id());
            } catch (RuntimeException | AssertionError e) {
                failure = failure == null ? new AssertionError("cannot end what the test started", e) : failure;
            }
        }
        // Only now: a zombie comes to this JVM when its parent has ended.
        started.stream().filter(next -> !next.byJava()).map(Started::id).forEach(StartedProcesses::collect);
        started.clear();
        if (failure != null) {
            throw failure;
        }
    }

    /** What this JVM has adopted stays a zombie until it is collected; no Java code waits for it. */
    private static void collect(ProcessId id) {
        if (ProcFacts.state(id.pid()).filter("Z"::equals).isPresent()
                && LinuxPlatform.unsupportedBecause().isEmpty()
                && ProcFacts.identity(id.pid()).filter(id::equals).isPresent()
                && ProcFacts.parent(id.pid())
                        .filter(parent -> parent == ProcessHandle.current().pid())
                        .isPresent()) {
            LinuxPlatform.create(LinuxPlatform.Switches.ALL).reaper().reap(id);
        }
    }

    /** Runs a program to its end and gives its exit code; it is ended after the deadline. */
    public static int run(StringBuilder output, Duration deadline, List<String> command) {
        Process process = null;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            Process reading = process;
            Thread reader = new Thread(
                    () -> {
                        try (BufferedReader lines = new BufferedReader(
                                new InputStreamReader(reading.getInputStream(), StandardCharsets.UTF_8))) {
                            lines.lines().forEach(line -> {
                                synchronized (output) {
                                    output.append(line).append('\n');
                                }
                            });
                        } catch (IOException | UncheckedIOException endOfProcess) {
                            // Its end is told by its exit code.
                        }
                    },
                    "output of " + command.get(0));
            reader.setDaemon(true);
            reader.start();
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("not finished after " + deadline + ": " + command + "\n" + output);
            }
            reader.join(5_000);
            return process.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
