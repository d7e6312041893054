/* SPDX-License-Identifier: Apache-2.0 */

/** Pure: from a scenario to the text of shell programs. Touches neither files nor processes. */
@NullMarked
package org.noorphans.fakecli.internal.sh;

import org.jspecify.annotations.NullMarked;
