/* SPDX-License-Identifier: Apache-2.0 */
/** One watch per JVM, one per scope: when to look, when to judge, when to end. */
@NullMarked
package org.noorphans.internal.watch;

import org.jspecify.annotations.NullMarked;
