/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One agent process, the group it leads, and its three pipes.
 *
 * <p>All that belongs to one attempt and not to its run is here, so a retry starts with nothing of the attempt before it.
 */
public final class Attempt {

    /** Hears about the attempt, also when nobody is interested any more: compare the attempt with the current one. */
    interface Listener {
        /** The agent was silent for too long. Told at most once. */
        void stalled(Attempt attempt);

        /** The agent has exited, and nobody can write to its output any more. */
        void ended(Attempt attempt, int exitValue);

        /** Something noteworthy was said by the agent or done to it. */
        void event(Attempt attempt, String type, String detail);
    }

    private final int number;
    private final Process agent;
    private final ProcessGroup group;
    private final Listener listener;
    private final Watchdog watchdog;
    private final AtomicBoolean stdinOpen = new AtomicBoolean(true);
    private volatile boolean outputSeen;
    private volatile boolean turnCompleted;

    private Attempt(
            int number, Process agent, ProcessGroup group, Function<Runnable, Watchdog> watchdogs, Listener listener) {
        this.number = number;
        this.agent = agent;
        this.group = group;
        this.watchdog = watchdogs.apply(() -> listener.stalled(this));
        this.listener = listener;
    }

    /** Starts the agent; {@link #begin} lets it talk. */
    static Attempt spawn(int number, AgentCli cli, Function<Runnable, Watchdog> watchdogs, Listener listener)
            throws IOException {
        var builder = new ProcessBuilder(cli.command(UUID.randomUUID().toString()));
        builder.environment().clear();
        builder.environment().putAll(cli.environment());
        Process agent = builder.start();
        try {
            return new Attempt(number, agent, ProcessGroup.ledBy(agent), watchdogs, listener);
        } catch (IOException leadsNoGroup) {
            agent.destroyForcibly();
            throw leadsNoGroup;
        }
    }

    /** Sends the prompt and listens; every byte the agent writes restarts the watchdog. */
    void begin(String prompt) {
        watchdog.start();
        String name = "agent-" + agent.pid();
        DaemonThreads.start(name + "-stdin", () -> write(AgentMessage.prompt(prompt)));
        Thread stdout = DaemonThreads.start(name + "-stdout", () -> read(agent.getInputStream(), this::hear));
        Thread stderr = DaemonThreads.start(name + "-stderr", () -> read(agent.getErrorStream(), line -> {}));
        DaemonThreads.start(name + "-exit", () -> {
            try {
                int exitValue = agent.waitFor();
                group.leaderExited();
                stdout.join();
                stderr.join();
                listener.ended(this, exitValue);
            } catch (InterruptedException nobodyInterruptsThisThread) {
                Thread.currentThread().interrupt();
            }
        });
    }

    int number() {
        return number;
    }

    long pid() {
        return agent.pid();
    }

    /** Whether the agent has said anything that a client may have seen. */
    boolean outputSeen() {
        return outputSeen;
    }

    /** Whether the agent has said that it is done. */
    boolean turnCompleted() {
        return turnCompleted;
    }

    void stopWatchdog() {
        watchdog.stop();
    }

    /** The process group that the agent leads; the same number as its pid. */
    public long groupId() {
        return group.id();
    }

    /** Whether the agent itself has ended; others of its group may still run. */
    public boolean agentExited() {
        return !agent.isAlive();
    }

    /**
     * Signals the agent alone, unless it has exited.
     *
     * @param signal TERM or KILL
     * @return whether it was sent
     */
    public boolean signalAgent(Signal signal) {
        // Not Process.destroy(): that would close the pipes as well.
        ProcessHandle handle = agent.toHandle();
        boolean sent = agent.isAlive() && (signal == Signal.KILL ? handle.destroyForcibly() : handle.destroy());
        return tell(sent, signal + " to the agent");
    }

    /**
     * Signals the agent's group, whether or not the agent itself is still in it; if that fails, the agent alone.
     *
     * @param signal TERM or KILL
     * @return whether it was sent
     */
    public boolean signalGroup(Signal signal) {
        return tell(group.signal(signal), signal + " to the group") || signalAgent(signal);
    }

    /** Waits until the agent and all of its group have ended. */
    public boolean endsWithin(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!group.endsWithin(limit)) {
            return false;
        }
        while (agent.isAlive()) { // a zombie, for the moment until the JVM collects it
            if (System.nanoTime() >= deadline) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return true;
    }

    /** Tells the agent that no more input comes. */
    void closeStdin() {
        if (stdinOpen.getAndSet(false)) {
            // Closing waits for a write in progress, and that one, if the agent does not read, for the agent's end.
            Thread closing = DaemonThreads.start("agent-" + pid() + "-close", () -> close(agent.getOutputStream()));
            try {
                closing.join(Duration.ofSeconds(1).toMillis());
            } catch (InterruptedException goOnWithoutWaiting) {
                Thread.currentThread().interrupt();
            }
            listener.event(this, "stdin_closed", closing.isAlive() ? "the agent does not read" : "");
        }
    }

    /** Gives the pipes back; for an attempt that nobody listens to any more. */
    void closePipes() {
        closeStdin();
        close(agent.getInputStream());
        close(agent.getErrorStream());
    }

    private boolean tell(boolean sent, String what) {
        if (sent) {
            listener.event(this, "signal", what);
        }
        return sent;
    }

    private void hear(String line) {
        AgentMessage message = AgentMessage.parse(line);
        if (message.isOutput()) {
            outputSeen = true;
        }
        if (message.completesTurn()) {
            turnCompleted = true;
        }
        listener.event(this, "agent", message.type());
        if (message.type().equals("result")) {
            closeStdin();
        }
    }

    private void write(String line) {
        try {
            OutputStream stdin = agent.getOutputStream();
            stdin.write(line.getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        } catch (IOException brokenPipe) {
            // An agent need not read its prompt. What became of it, its exit tells.
        }
    }

    private void read(InputStream bytes, Consumer<String> lines) {
        var watched = new FilterInputStream(bytes) {
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int count = super.read(buffer, offset, length);
                if (count > 0) {
                    watchdog.restart();
                }
                return count;
            }
        };
        try {
            new BufferedReader(new InputStreamReader(watched, StandardCharsets.UTF_8))
                    .lines()
                    .forEach(lines);
        } catch (UncheckedIOException pipeClosed) {
            // By closePipes: the attempt is over.
        }
    }

    private static void close(Closeable stream) {
        try {
            stream.close();
        } catch (IOException brokenPipe) {
            // Closed is closed.
        }
    }
}
