/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.noorphans.model.ProcessId;

/**
 * The thread that looks at the tree from time to time, so that the ledger knows parents which are gone when a scope ends.
 *
 * <p>Many wrappers live for some milliseconds only. So the thread looks again soon after something changed, then ever more
 * seldom, up to the period. While nothing is below this JVM it only asks the kernel whether that is still so, which is one
 * system call; while no scope is open it sleeps.
 */
final class Observer implements Runnable {
    private static final Logger LOG = System.getLogger("org.noorphans");
    private static final long SHORTEST = Duration.ofMillis(1).toNanos();
    private static final long IDLE = Duration.ofMillis(10).toNanos();

    private final ProcessWatch watch;
    private final long longest;
    private final AtomicInteger openScopes = new AtomicInteger();
    private final Thread thread = new Thread(this, "noorphans-observer");
    private boolean complained;

    Observer(ProcessWatch watch, Duration period) {
        this.watch = watch;
        this.longest = Math.max(SHORTEST, period.toNanos());
        thread.setDaemon(true);
        thread.start();
    }

    void scopeOpened() {
        if (openScopes.getAndIncrement() == 0) {
            LockSupport.unpark(thread);
        }
    }

    void scopeClosed() {
        openScopes.decrementAndGet();
    }

    @Override
    public void run() {
        long pause = SHORTEST;
        Set<ProcessId> before = Set.of();
        while (true) {
            if (openScopes.get() == 0) {
                LockSupport.park(this);
                continue;
            }
            try {
                if (watch.isClean()) {
                    before = Set.of();
                    pause = Math.min(IDLE, longest);
                } else {
                    Set<ProcessId> now = watch.look().ids();
                    pause = now.equals(before) ? Math.min(pause * 2, longest) : SHORTEST;
                    before = now;
                }
            } catch (RuntimeException e) {
                complain(e);
                pause = longest;
            }
            LockSupport.parkNanos(this, pause);
        }
    }

    private void complain(RuntimeException e) {
        if (!complained) {
            complained = true;
            LOG.log(
                    Level.WARNING,
                    "NoOrphans cannot look at processes between tests; chains of parents will be incomplete",
                    e);
        }
    }
}
