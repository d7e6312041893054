/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * That Java code of this JVM started a process: when, in which thread, and where in the code.
 *
 * @param pid the number of the process
 * @param at the wall-clock time of the start
 * @param thread the Java name of the thread; empty for a virtual thread without a name
 * @param task the number of the thread as the operating system knows it; empty for a virtual thread
 * @param virtual whether it was a virtual thread
 * @param frames the stack, innermost first
 */
public record SpawnRecord(
        long pid, Instant at, String thread, OptionalLong task, boolean virtual, List<StackTraceElement> frames) {
    public SpawnRecord {
        frames = List.copyOf(frames);
    }

    /**
     * Whether the thread belongs to a pool, or is virtual, so that work of several tests may be done by it: its mark tells who
     * created the thread, not whose work it does.
     */
    public boolean isShared() {
        return virtual
                || frames.stream()
                        .anyMatch(frame -> frame.getClassName().startsWith("java.util.concurrent.ThreadPoolExecutor")
                                || frame.getClassName().startsWith("java.util.concurrent.ForkJoin")
                                || frame.getClassName().startsWith("java.util.Timer"));
    }
}
