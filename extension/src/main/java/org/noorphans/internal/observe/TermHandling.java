/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

/** What a process does when TERM arrives. */
public enum TermHandling {
    /** The default: it ends. A process that is alive and handles TERM so has not received it. */
    DEFAULT,
    /** It has a handler, or blocks the signal: it may have received TERM and be about to end. */
    CAUGHT,
    /** It ignores TERM. */
    IGNORED,
    /** The platform does not tell. */
    UNKNOWN
}
