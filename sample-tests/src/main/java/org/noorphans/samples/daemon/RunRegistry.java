/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;

/** All runs of one daemon. */
final class RunRegistry {

    private final DaemonSettings settings;
    private final ScheduledExecutorService timer = DaemonThreads.timer();
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final Queue<CompletableFuture<Signal>> teardowns = new ConcurrentLinkedQueue<>();
    private boolean shuttingDown;

    RunRegistry(DaemonSettings settings) {
        this.settings = settings;
    }

    /** A new run, not started yet; empty once the daemon shuts down. */
    synchronized Optional<Run> create(AgentCli cli, String prompt) {
        if (shuttingDown) {
            return Optional.empty();
        }
        var run = new Run(UUID.randomUUID().toString(), cli, prompt, settings, timer, this::remember);
        runs.put(run.id(), run);
        return Optional.of(run);
    }

    Optional<Run> find(String id) {
        return Optional.ofNullable(runs.get(id));
    }

    /**
     * Refuses new runs, cancels the active ones all at the same time, and waits for every teardown, also those of attempts
     * whose runs have ended: no process that is about to be killed survives because the daemon ended first.
     */
    void shutdown() {
        synchronized (this) {
            shuttingDown = true;
        }
        List<Thread> cancels = runs.values().stream()
                .map(run -> DaemonThreads.start("shutdown of run " + run.id(), run::cancel))
                .toList();
        for (Thread cancel : cancels) {
            join(cancel);
        }
        for (var next = teardowns.poll(); next != null; next = teardowns.poll()) {
            next.join();
        }
        timer.shutdownNow();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException goOn) { // or processes would be left behind
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void remember(CompletableFuture<Signal> teardown) {
        teardowns.removeIf(CompletableFuture::isDone);
        teardowns.add(teardown);
    }
}
