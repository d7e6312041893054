/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The values: a {@link org.noorphans.fakecli.model.Scenario} and its parts, which say what a fake is to do, and an
 * {@link org.noorphans.fakecli.model.Invocation} and its parts, which say what one call of it did.
 */
@NullMarked
package org.noorphans.fakecli.model;

import org.jspecify.annotations.NullMarked;
