/* SPDX-License-Identifier: Apache-2.0 */

/** Linux's process table. */
@NullMarked
package org.noorphans.fakecli.internal.proc;

import org.jspecify.annotations.NullMarked;
