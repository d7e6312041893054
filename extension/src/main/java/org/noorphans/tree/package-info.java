/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Owns a started process and everything below it: observes the tree, signals it gracefully, keeps one admitted runner alive,
 * stops the rest within bounds. Needs no JUnit.
 */
@NullMarked
package org.noorphans.tree;

import org.jspecify.annotations.NullMarked;
