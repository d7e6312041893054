/* SPDX-License-Identifier: Apache-2.0 */

/** The part that touches the machine: writes the programs, holds the gates, ends what the fakes started. */
@NullMarked
package org.noorphans.fakecli.internal.install;

import org.jspecify.annotations.NullMarked;
