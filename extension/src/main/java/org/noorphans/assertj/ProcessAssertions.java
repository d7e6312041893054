/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.assertj;

import org.noorphans.SpawnedProcesses;
import org.noorphans.tree.OwnedProcessTree;

/**
 * The way to assertions about processes. What waits is bounded, and returns as soon as what it waits for is true.
 *
 * <pre>{@code
 * assertThat(spawned).hasNoSurvivorsWithin(Duration.ofSeconds(3));
 * assertThatProcess(pid).exitsWithin(Duration.ofSeconds(1));
 * }</pre>
 */
public final class ProcessAssertions {
    private ProcessAssertions() {}

    /** Assertions about a started process and everything below it. */
    public static OwnedProcessTreeAssert assertThat(OwnedProcessTree actual) {
        return new OwnedProcessTreeAssert(actual);
    }

    /** Assertions about what the running test has started. */
    public static SpawnedProcessesAssert assertThat(SpawnedProcesses actual) {
        return new SpawnedProcessesAssert(actual);
    }

    /**
     * Assertions about the process that has this number now. Should the number pass on later, they still mean that process. A
     * zombie counts as ended.
     *
     * @throws UnsupportedOperationException where processes cannot be read
     */
    public static ProcessAssert assertThatProcess(long pid) {
        return new ProcessAssert(pid);
    }
}
