/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/**
 * What attempts are counted by.
 *
 * <p>Calls with the same key draw from one sequence 0, 1, 2, … A number is claimed atomically, so that calls at the
 * same moment never get the same one.
 */
public sealed interface AttemptKey {
    /** One sequence for all calls of the fake. */
    AttemptKey NONE = new None();

    /** One sequence for all calls of the fake. */
    record None() implements AttemptKey {}
}
