/* SPDX-License-Identifier: Apache-2.0 */

/** Reads the records that fakes write, and the process table. */
@NullMarked
package org.noorphans.fakecli.internal.journal;

import org.jspecify.annotations.NullMarked;
