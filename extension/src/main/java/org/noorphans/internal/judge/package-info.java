/* SPDX-License-Identifier: Apache-2.0 */
/** What the author of a test allows, and the verdict. Pure. */
@NullMarked
package org.noorphans.internal.judge;

import org.jspecify.annotations.NullMarked;
