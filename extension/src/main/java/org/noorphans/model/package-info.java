/* SPDX-License-Identifier: Apache-2.0 */
/** The vocabulary: immutable values that the steps observe, attribute, judge, terminate and report hand on. */
@NullMarked
package org.noorphans.model;

import org.jspecify.annotations.NullMarked;
