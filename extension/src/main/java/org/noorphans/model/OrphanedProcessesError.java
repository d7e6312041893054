/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/**
 * A scope ended and left processes running. Carries the report; the message is the report in words.
 *
 * <p>Thrown when the scope has been cleaned up, as the last thing. JUnit adds it as suppressed to the test's own failure
 * if there is one.
 */
public final class OrphanedProcessesError extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** Not serialised: a copy from another JVM has the message only. */
    private final transient LeakReport report;

    /**
     * An error for a report that is not clean.
     *
     * @param report what was left behind
     * @param description the report in words
     */
    public OrphanedProcessesError(LeakReport report, String description) {
        super(description);
        this.report = report;
    }

    /** What was left behind; null on a copy that was read from a stream. */
    public LeakReport report() {
        return report;
    }
}
