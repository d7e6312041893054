/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Fake agent command lines: say in a few lines what a program should print, start, ignore and end with, install it as
 * a real executable, and read afterwards what happened.
 *
 * <p>{@link org.noorphans.fakecli.FakeCli} is the way in. A {@link org.noorphans.fakecli.model.Scenario} is the plan, an
 * immutable value; a {@link org.noorphans.fakecli.Journal} is what happened, read anew at each question.
 */
@NullMarked
package org.noorphans.fakecli;

import org.jspecify.annotations.NullMarked;
