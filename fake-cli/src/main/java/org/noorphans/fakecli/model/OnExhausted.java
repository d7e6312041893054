/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** What a fake does when it is called more often than its scenario has attempts. */
public enum OnExhausted {
    /**
     * Say so on standard error, end with code 97, and flag the invocation, so that {@code verify()} fails.
     * This is the default.
     */
    FAIL,

    /** Do what the last attempt does, as often as asked. */
    REPEAT_LAST
}
