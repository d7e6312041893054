/* SPDX-License-Identifier: Apache-2.0 */
/** Linux: procfs, pidfd, subreaper and I/O priority through JNA. */
@NullMarked
package org.noorphans.internal.os.linux;

import org.jspecify.annotations.NullMarked;
