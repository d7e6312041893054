/* SPDX-License-Identifier: Apache-2.0 */

/** The dialects of the personas: macros with their parameters, read from resources. Knows nothing of scenarios. */
@NullMarked
package org.noorphans.fakecli.internal.persona;

import org.jspecify.annotations.NullMarked;
