/* SPDX-License-Identifier: Apache-2.0 */

/** Scenarios as YAML and JSON. Pure: text in, values out, and back. */
@NullMarked
package org.noorphans.fakecli.internal.file;

import org.jspecify.annotations.NullMarked;
