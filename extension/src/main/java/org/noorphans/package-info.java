/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A JUnit Jupiter extension that fails a test which leaves a process behind, says which process, who started it and why it
 * thinks so, and ends it.
 *
 * <p>Start with {@link org.noorphans.NoOrphanedProcesses}.
 */
@NullMarked
package org.noorphans;

import org.jspecify.annotations.NullMarked;
