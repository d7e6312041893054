/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.noorphans.internal.watch.OrphanWatch;
import org.noorphans.model.ProcessId;
import org.noorphans.model.SpawnedProcess;
import org.noorphans.tree.OwnedProcessTree;

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

    /** Those of the living that the end of the scope would bring to light: all but the preserved. */
    public List<SpawnedProcess> survivors() {
        return alive().stream()
                .filter(process -> !watch.isSettled(process.id()))
                .toList();
    }

    /**
     * Owns a process that the test has started, and what is below it, so that it can be signalled and stopped. The guard goes
     * on watching it as before; a process that the tree's own {@link OwnedProcessTree#preserve} keeps alive is still a leak,
     * unless {@link #preserve} says otherwise.
     */
    public OwnedProcessTree own(Process process) {
        return OwnedProcessTree.own(process);
    }

    /**
     * Sanctions a process, and everything that it starts: it may outlive the test, is not reported, and not ended. A group or
     * session that it shares with others says nothing about them.
     *
     * @throws IllegalArgumentException if it is not alive, or the test did not start it
     */
    public void preserve(ProcessId process) {
        watch.preserve(process);
    }

    /**
     * Waits until nothing that the test started is alive, the preserved left aside; returns as soon as that is so. Ends nothing.
     *
     * @throws AssertionError if something is alive after that time; it names what
     */
    public void awaitNone(Duration atMost) {
        if (!watch.awaitNone(atMost, LOOK_EVERY)) {
            List<SpawnedProcess> alive = survivors();
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
