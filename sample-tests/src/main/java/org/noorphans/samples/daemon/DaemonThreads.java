/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The threads of the daemon: none keeps the JVM alive, and each says in its name what it is for. */
final class DaemonThreads {

    private DaemonThreads() {}

    static Thread start(String name, Runnable task) {
        Thread thread = named(name, task);
        thread.start();
        return thread;
    }

    /** For watchdogs and retries: starting a process or looking at all of them takes milliseconds, so several. */
    static ScheduledThreadPoolExecutor timer() {
        var timer = new ScheduledThreadPoolExecutor(4, task -> named("agent-daemon-timer", task));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    static ExecutorService perRequest() {
        return Executors.newCachedThreadPool(task -> named("agent-daemon-http", task));
    }

    private static Thread named(String name, Runnable task) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
