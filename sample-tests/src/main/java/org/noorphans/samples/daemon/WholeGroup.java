/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The fix: TERM for the whole process group of the agent now, KILL after the grace for whoever is left of it.
 *
 * <p>It works the same when the agent itself has gone and only its children are left. What has left the group, such as a
 * program that made a session of its own, is not reached.
 */
public final class WholeGroup implements Teardown {

    private static final Duration FORCED_WAIT = Duration.ofMillis(500);

    @Override
    public CompletableFuture<Signal> tearDown(Attempt attempt, Duration grace) {
        attempt.signalGroup(Signal.TERM);
        return CompletableFuture.supplyAsync(
                () -> escalate(attempt, grace),
                task -> DaemonThreads.start("teardown of group " + attempt.groupId(), task));
    }

    private static Signal escalate(Attempt attempt, Duration grace) {
        if (attempt.endsWithin(grace) || !attempt.signalGroup(Signal.KILL)) {
            return Signal.TERM;
        }
        attempt.endsWithin(FORCED_WAIT);
        return Signal.KILL;
    }
}
