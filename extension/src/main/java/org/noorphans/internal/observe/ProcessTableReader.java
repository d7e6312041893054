/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * The door through which processes are read. A process that ends during a read is left out; what a platform cannot tell
 * is empty. Nothing here changes anything.
 */
public interface ProcessTableReader {
    /** This JVM. */
    ProcessId self();

    /**
     * Whether it is certain that this JVM has no child, dead or alive. With a subreaper that means: no descendant.
     * False also where the platform cannot tell cheaply.
     */
    boolean hasNoChild();

    /** This JVM and everything below it. Zombies are included. */
    ProcessTable ownTree();

    /** All processes that this user can see. */
    ProcessTable wholeTable();

    /** The row of one process. */
    Optional<ProcessRow> row(long pid);

    /** The command line, arguments separated by one blank; empty if it cannot be read, as for a zombie. */
    Optional<String> commandLine(long pid);

    /** Which signals of the process are at rest, see {@link TermHandling}. */
    TermHandling termHandling(long pid);

    /** The name of a thread of this JVM, as the kernel knows it (Linux: at most 15 bytes). */
    Optional<String> threadName(long taskId);

    /** The present moment, in the unit of {@link ProcessId#startStamp()}. */
    long now();

    /** The time between two stamps. */
    Duration between(long earlierStamp, long laterStamp);

    /** The wall-clock time of a stamp, as exact as the platform tells it (Linux: as ps prints it). */
    default Instant instantOf(long stamp) {
        return Instant.now().minus(between(stamp, now()));
    }

    /** A duration in the unit of stamps, rounded up. */
    long stamps(Duration duration);

    /** The wall-clock time that belongs to a stamp, as the clock stands now. */
    default Instant wallClock(long stamp) {
        return Instant.now().minus(between(stamp, now()));
    }

    /** The processes that must never be signalled: this JVM and its ancestors. */
    Set<Long> selfAndAncestors();

    /** The task number of the calling thread, where the platform has one. */
    OptionalLong currentTask();
}
