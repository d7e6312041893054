/* SPDX-License-Identifier: Apache-2.0 */
/** Assertions for processes. Needs AssertJ, which this library only optionally depends on. */
@NullMarked
package org.noorphans.assertj;

import org.jspecify.annotations.NullMarked;
