/* SPDX-License-Identifier: Apache-2.0 */

/** Checks of what scenarios give: names, texts, times. */
@NullMarked
package org.noorphans.fakecli.internal.check;

import org.jspecify.annotations.NullMarked;
