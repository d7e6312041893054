/* SPDX-License-Identifier: Apache-2.0 */

/** JSON text, by Gson. */
@NullMarked
package org.noorphans.fakecli.internal.json;

import org.jspecify.annotations.NullMarked;
