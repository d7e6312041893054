/* SPDX-License-Identifier: Apache-2.0 */
/** Ending processes: order, grace, force, and the port that sends signals. */
@NullMarked
package org.noorphans.internal.terminate;

import org.jspecify.annotations.NullMarked;
