/* SPDX-License-Identifier: Apache-2.0 */
/** A leak report in words. Pure. */
@NullMarked
package org.noorphans.internal.report;

import org.jspecify.annotations.NullMarked;
