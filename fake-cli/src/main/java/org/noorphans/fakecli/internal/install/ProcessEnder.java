/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.journal.Poll;
import org.noorphans.fakecli.model.ProcessIds;

/** Ends recorded processes, and nothing else. */
final class ProcessEnder {
    private ProcessEnder() {}

    /**
     * Kills what is alive, looks again, and so on until nothing is, at most for the given time.
     *
     * @param processes looked up anew each round, since a fake may start one more in its last moment
     * @return what is still alive
     */
    static List<ProcessIds> endAll(Supplier<List<ProcessIds>> processes, Duration timeout) {
        Supplier<List<ProcessIds>> alive =
                () -> processes.get().stream().filter(ProcessIds::isAlive).toList();
        Poll.until(timeout, () -> {
            List<ProcessIds> round = alive.get();
            round.forEach(ProcessEnder::kill);
            return round.isEmpty() ? Optional.of(round) : Optional.empty();
        });
        return alive.get();
    }

    /**
     * The handle is taken before the start time is compared. So if the number had been given to another process before
     * the handle was taken, the comparison tells; if after, the handle tells, which compares its own start time before
     * it sends the signal.
     */
    private static void kill(ProcessIds ids) {
        ProcessHandle.of(ids.pid()).filter(handle -> ids.isAlive()).ifPresent(ProcessHandle::destroyForcibly);
    }
}
