/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.judge;

import java.time.Duration;

/**
 * What the author of a test asks for, fully checked.
 *
 * @param settle how long survivors may take to end by themselves before the verdict
 * @param grace how long they may take to end after TERM before KILL
 * @param kill whether survivors are ended
 * @param failing whether survivors fail the scope; if not they are only reported
 */
public record Policy(Duration settle, Duration grace, boolean kill, boolean failing) {
    /** What holds where nothing is said. */
    public static final Policy DEFAULT = new Policy(Duration.ofSeconds(2), Duration.ofSeconds(5), true, true);
}
