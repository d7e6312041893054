/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.noorphans.internal.watch.OrphanWatch;
import org.noorphans.model.SpawnedProcess;

/**
 * What the running test has started, directly or through others. A test method, a constructor or a lifecycle method of a
 * guarded test gets it as a parameter; it shows the narrowest scope that is open there.
 *
 * <p>Every call looks afresh. A process that lived between two looks only is not seen.
 */
public final class SpawnedProcesses {
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private final OrphanWatch watch;

    SpawnedProcesses(OrphanWatch watch) {
        this.watch = watch;
    }

    /** The processes that are alive now, in the order in which they were first seen. Zombies are not alive. */
    public List<SpawnedProcess> alive() {
        return all().stream().filter(SpawnedProcess::isAlive).toList();
    }

    /** The processes that are or were there, as far as they were seen, in the order in which they were first seen. */
    public List<SpawnedProcess> all() {
        return watch.spawned();
    }

    /**
     * Waits until nothing that the test started is alive; returns as soon as that is so. Ends nothing.
     *
     * @throws AssertionError if something is alive after that time; it names what
     */
    public void awaitNone(Duration atMost) {
        if (!watch.awaitNone(atMost, LOOK_EVERY)) {
            List<SpawnedProcess> alive = alive();
            if (alive.isEmpty()) {
                return;
            }
            throw new AssertionError(alive.size() + (alive.size() == 1 ? " process is" : " processes are")
                    + " still alive after " + atMost.toMillis() + " ms:"
                    + alive.stream()
                            .map(p -> "\n  pid " + p.pid() + "  " + p.commandLine())
                            .collect(Collectors.joining()));
        }
    }
}
