/* SPDX-License-Identifier: Apache-2.0 */
/** What the machine shows: pictures of the process table, what was seen over time, and the ports to read it. */
@NullMarked
package org.noorphans.internal.observe;

import org.jspecify.annotations.NullMarked;
