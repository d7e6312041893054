/* SPDX-License-Identifier: Apache-2.0 */
/** Chooses the adapters for the system this JVM runs on. */
@NullMarked
package org.noorphans.internal.os;

import org.jspecify.annotations.NullMarked;
