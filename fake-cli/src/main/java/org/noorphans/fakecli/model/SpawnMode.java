/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** How a fake starts a descendant, and so which signals and which looks can still reach it. */
public enum SpawnMode {
    /** A child of the fake, in the fake's own process group and session. */
    CHILD,

    /** In the fake's group and session, but its parent has already ended: adopted from the start. */
    ORPHAN,

    /** A child of the fake that leads a process group of its own, in the fake's session. Needs perl or python3. */
    NEW_GROUP,

    /** A child of the fake that leads a session of its own. Needs setsid, perl or python3. */
    NEW_SESSION,

    /**
     * Adopted from the start, in a session whose leader has ended, working directory {@code /}: the double fork of a
     * classic daemon. Needs setsid, perl or python3.
     */
    DAEMON
}
