/* SPDX-License-Identifier: Apache-2.0 */
/** What the JDK itself tells: the flight recorder's record of every process that Java code started. */
@NullMarked
package org.noorphans.internal.os.jdk;

import org.jspecify.annotations.NullMarked;
