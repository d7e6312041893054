/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

/** A program beside the shell that a plan needs. */
public enum Tool {
    /** Waits; the body of every descendant. */
    SLEEP,
    /** Deletes files. */
    REMOVE,
    /** Starts a program in a new process group. */
    NEW_GROUP,
    /** Starts a program in a new session. */
    NEW_SESSION,
    /** Java, which plays dialogues. */
    JVM
}
