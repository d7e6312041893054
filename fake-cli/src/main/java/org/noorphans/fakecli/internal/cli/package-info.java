/* SPDX-License-Identifier: Apache-2.0 */

/** The command line: fakes for users of other languages. */
@NullMarked
package org.noorphans.fakecli.internal.cli;

import org.jspecify.annotations.NullMarked;
