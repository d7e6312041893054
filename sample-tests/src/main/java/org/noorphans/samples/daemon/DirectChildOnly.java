/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The bug: asks the agent to end and forgets it.
 *
 * <p>The agent obeys, so the retry works and every run succeeds. But whatever the agent has started is still there, in a
 * group without its leader, with nobody left who knows about it: one orphan for each retry.
 */
public final class DirectChildOnly implements Teardown {

    @Override
    public CompletableFuture<Signal> tearDown(Attempt attempt, Duration grace) {
        attempt.signalAgent(Signal.TERM);
        return CompletableFuture.completedFuture(Signal.TERM);
    }
}
