/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** How the processes of one attempt are ended. */
public interface Teardown {

    /**
     * Sends the first signal before it returns, and does the rest later, by itself.
     *
     * <p>Whatever it does later concerns the given attempt alone: by then its run may be in its next attempt.
     *
     * @param attempt the attempt to end; its agent may have exited already
     * @param grace the time between TERM and KILL
     * @return completes when nothing more will be done, with the last signal used
     */
    CompletableFuture<Signal> tearDown(Attempt attempt, Duration grace);
}
