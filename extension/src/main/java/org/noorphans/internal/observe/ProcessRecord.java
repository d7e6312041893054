/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.util.Optional;
import java.util.OptionalLong;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * What is known of one process below this JVM, over all looks at it.
 *
 * @param row how it was last seen
 * @param origin how it came to be below this JVM
 * @param firstParent the process that it was first seen under, this JVM included
 * @param forkingTask for a child that this JVM forked: the thread, while it could be told
 * @param forkingThread the name of that thread at the time
 * @param spawn the JVM's own record of its start, where it has been read; only for what this JVM started
 * @param mark the slot that it carried when it was first seen; 0 for none
 * @param commandLine its command line when it was last read
 * @param orphaned whether it has been seen under another parent than the first
 * @param firstLook the number of the look that showed it first; looks are counted from 1
 * @param goneSince the stamp of the first look that showed it dead or missing; empty while it lives
 */
public record ProcessRecord(
        ProcessRow row,
        Origin origin,
        ProcessId firstParent,
        OptionalLong forkingTask,
        Optional<String> forkingThread,
        Optional<SpawnRecord> spawn,
        int mark,
        Optional<String> commandLine,
        boolean orphaned,
        long firstLook,
        OptionalLong goneSince) {

    /** How a process came to be below this JVM. */
    public enum Origin {
        /** This JVM forked it. */
        CHILD_OF_JVM,
        /** It was first seen under another process. */
        CHILD_OF_PROCESS,
        /** It was first seen under this JVM, which had adopted it: its parent had gone unseen. */
        ADOPTED_UNSEEN,
        /** It was first seen under this JVM, and nothing tells whether by fork or by adoption. */
        UNKNOWN
    }

    /** Short for {@code row().id()}. */
    public ProcessId id() {
        return row.id();
    }

    /** The thread that forked it, by the kernel's list or by the JVM's record. */
    public OptionalLong startingTask() {
        return forkingTask.isPresent()
                ? forkingTask
                : spawn.map(SpawnRecord::task).orElse(OptionalLong.empty());
    }

    /** Whether it lost the parent that started it and was adopted by another. */
    public boolean isAdopted() {
        return orphaned || origin == Origin.ADOPTED_UNSEEN;
    }
}
