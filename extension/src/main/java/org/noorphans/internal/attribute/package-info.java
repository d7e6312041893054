/* SPDX-License-Identifier: Apache-2.0 */
/** Which scope owns a process, and why. Pure: values in, values out. */
@NullMarked
package org.noorphans.internal.attribute;

import org.jspecify.annotations.NullMarked;
