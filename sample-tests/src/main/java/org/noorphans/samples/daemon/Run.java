/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to an agent, from queued to its end, over at most two attempts.
 *
 * <p>A second attempt is made only if the first stalled before the agent had said anything: then nothing can be repeated
 * that the client has seen. All changes happen under the lock of this object, and each first asks whether it still
 * concerns the run: a late message of an attempt that was given up does not.
 */
final class Run implements Attempt.Listener {

    /** In the environment of every agent: the run it works for. */
    static final String RUN_ID = "AGENT_DAEMON_RUN_ID";

    private static final int MOST_ATTEMPTS = 2;

    private final String id;
    private final AgentCli cli;
    private final String prompt;
    private final DaemonSettings settings;
    private final ScheduledExecutorService timer;
    private final Consumer<CompletableFuture<Signal>> teardowns;
    private final List<RunEvent> events = new ArrayList<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    private RunStatus status = RunStatus.QUEUED;
    private int attempts;
    private boolean cancelRequested;
    private @Nullable Attempt current;
    private @Nullable Future<?> pendingRetry;
    private @Nullable Integer exitCode;
    private @Nullable String signal;
    private @Nullable String error;
    private @Nullable String errorCode;

    /** Does nothing until {@link #start}; tells {@code teardowns} about work that may outlast the run. */
    Run(
            String id,
            AgentCli cli,
            String prompt,
            DaemonSettings settings,
            ScheduledExecutorService timer,
            Consumer<CompletableFuture<Signal>> teardowns) {
        this.id = id;
        this.cli = cli.withVariable(RUN_ID, id);
        this.prompt = prompt;
        this.settings = settings;
        this.timer = timer;
        this.teardowns = teardowns;
        log("queued", 0, cli.id());
    }

    String id() {
        return id;
    }

    /** Starts the next attempt, unless the run was cancelled in the meantime. */
    synchronized void start() {
        if (cancelRequested || status != RunStatus.QUEUED) {
            return;
        }
        if (!cli.isInstalled()) {
            fail("AGENT_UNAVAILABLE", "no executable " + cli.executable());
            return;
        }
        try {
            Attempt attempt = Attempt.spawn(attempts + 1, cli, this::watchdog, this);
            attempts++;
            current = attempt;
            status = RunStatus.RUNNING;
            log("start", attempts, "pid " + attempt.pid());
            attempt.begin(prompt);
        } catch (IOException e) {
            fail("SPAWN_FAILED", "spawn failed: " + e.getMessage());
        }
    }

    @Override
    public synchronized void ended(Attempt attempt, int exitValue) {
        if (attempt != current || status.isTerminal() || cancelRequested) {
            return;
        }
        Optional<Signal> killer = Signal.behind(exitValue);
        boolean good = exitValue == 0 || attempt.turnCompleted();
        if (!good) {
            errorCode = "AGENT_FAILED";
            error = "the agent ended with " + killer.map(Signal::toString).orElse("exit code " + exitValue);
        }
        finish(
                good ? RunStatus.SUCCEEDED : RunStatus.FAILED,
                killer.isPresent() ? null : exitValue,
                killer.map(Signal::toString).orElse(null));
    }

    @Override
    public synchronized void event(Attempt attempt, String type, String detail) {
        log(type, attempt.number(), detail);
    }

    @Override
    public synchronized void stalled(Attempt attempt) {
        if (attempt != current || status.isTerminal() || cancelRequested) {
            return;
        }
        log(
                "stalled",
                attempt.number(),
                "no output for " + settings.inactivityTimeout().toMillis() + " ms");
        if (attempt.outputSeen() || attempts >= MOST_ATTEMPTS) {
            fail("AGENT_STALLED", cli.id() + " stalled without new output");
            teardowns.accept(new WholeGroup().tearDown(attempt, settings.cancelGrace()));
        } else {
            retry(attempt);
        }
    }

    /**
     * The failed attempt is captured, then forgotten by the run, then ended: all before the backoff begins. With it the run
     * forgets pid, group, pipes and what the agent said; exit code, signal and error it has none before its end.
     */
    private void retry(Attempt failed) {
        current = null;
        status = RunStatus.QUEUED;
        teardowns.accept(settings.teardown().tearDown(failed, settings.cancelGrace()));
        failed.closePipes();
        Duration backoff = settings.retryBackoff();
        log("retry", failed.number(), "in " + backoff.toMillis() + " ms");
        pendingRetry = timer.schedule(this::start, backoff.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Watchdog watchdog(Runnable onSilence) {
        return new Watchdog(timer, settings.inactivityTimeout(), onSilence);
    }

    /**
     * Ends the run, and returns when it has ended; nothing happens to a run that has.
     *
     * <p>The agent's input is closed first, so that an agent that waits for it can end by itself. The group is signalled
     * even if the agent has exited: others may still hold its output open.
     */
    void cancel() {
        Attempt running = requestCancel();
        if (running != null) {
            running.closeStdin();
            Signal last =
                    new WholeGroup().tearDown(running, settings.cancelGrace()).join();
            finish(RunStatus.CANCELED, null, last.toString());
        }
        finished.join();
    }

    /** The attempt to end for that; null if there is none, or if somebody else is at it. */
    private synchronized @Nullable Attempt requestCancel() {
        if (cancelRequested || status.isTerminal()) {
            return null;
        }
        cancelRequested = true;
        if (pendingRetry != null) {
            pendingRetry.cancel(false);
        }
        if (current == null) {
            finish(RunStatus.CANCELED, null, Signal.TERM.toString());
        }
        return current;
    }

    private void fail(String code, String reason) {
        errorCode = code;
        error = reason;
        finish(RunStatus.FAILED, null, null);
    }

    private synchronized void finish(RunStatus end, @Nullable Integer exit, @Nullable String lastSignal) {
        if (status.isTerminal()) {
            return;
        }
        if (current != null) {
            current.stopWatchdog();
        }
        status = end;
        exitCode = exit;
        signal = lastSignal;
        log("end", attempts, end.toString());
        finished.complete(null);
    }

    synchronized RunView view() {
        Attempt latest = current;
        return new RunView(
                id,
                status,
                attempts,
                latest == null ? null : latest.pid(),
                latest == null ? null : latest.groupId(),
                latest != null && latest.agentExited(),
                exitCode,
                signal,
                error,
                errorCode);
    }

    synchronized List<RunEvent> events() {
        return List.copyOf(events);
    }

    private synchronized void log(String type, int attempt, String detail) {
        long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        events.add(new RunEvent(events.size(), now, type, attempt, detail));
    }
}
