/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.util.HashSet;
import java.util.Set;

/**
 * The threads of the JDK that wait for the children which {@code ProcessBuilder} started. JDK 17 and later name each
 * {@code process reaper (pid N)} while it waits for N ({@code java.lang.ProcessHandleImpl}).
 *
 * @param waitedFor the pids that a thread waits for
 * @param isSettled whether every such thread has told what it waits for: false while one has been started but has not
 *     yet taken its name, so that nothing may be concluded from a number that is missing
 */
public record JavaReapers(Set<Long> waitedFor, boolean isSettled) {
    private static final String PLAIN_NAME = "process reaper";
    private static final String PREFIX = "process reaper (pid ";

    /** Whether this JDK names the threads so; without that nothing can be concluded from their names. */
    public static boolean areNamed() {
        return Runtime.version().feature() >= 17;
    }

    /** The threads as they are now. */
    public static JavaReapers now() {
        Set<Long> pids = new HashSet<>();
        boolean settled = true;
        for (Thread thread : JavaThreads.all()) {
            String name = thread.getName();
            if (name.startsWith(PREFIX) && name.endsWith(")")) {
                pids.add(Long.parseLong(name, PREFIX.length(), name.length() - 1, 10));
            } else if (name.equals(PLAIN_NAME) && !isIdle(thread.getState())) {
                settled = false;
            }
        }
        return new JavaReapers(Set.copyOf(pids), settled);
    }

    // A thread of the pool that has nothing to do polls the queue for a minute.
    private static boolean isIdle(Thread.State state) {
        return state == Thread.State.TIMED_WAITING || state == Thread.State.TERMINATED;
    }
}
