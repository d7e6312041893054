/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

/** Why the owner of a tree refused something, or could not do it. */
public enum TreeProblem {
    /** There is no trustworthy picture of the processes: the inspection failed, took too long, or was incomplete. */
    NO_TABLE("Could not inspect owned process identities"),
    /** The picture does not show in which group this JVM is, so nothing can be told from it; nobody is signalled. */
    CALLER_GROUP_UNKNOWN("Cleanup caller group identity is unavailable"),
    /** The number of a group that was owned is used by processes that cannot be verified; nobody is signalled. */
    IDENTITY_UNCERTAIN("Owned process group identity became uncertain"),
    /** The record that names a runner is malformed. */
    INVALID_RUNNER_IDENTITY("Invalid restart runner identity"),
    /** A runner was named too late, after the end of its controller, or for the second time. */
    ADMISSION_TOO_LATE("Restart runner admission must precede controller exit"),
    /** Ancestry, role, group, start or state of the named runner is not as it was said to be. */
    NOT_THE_OWNED_RUNNER("Restart runner is not the exact owned durable daemon"),
    /** Somebody else is in a group of the named runner's tree. */
    RUNNER_SHARES_GROUP("Restart runner shares a process group with an unrelated process"),
    /** The admitted runner has ended, although everything was done to keep it. */
    RUNNER_DIED("Admitted restart runner did not survive controller restart"),
    /** A restart's stop found something alive at its deadline; nothing was killed. */
    NOT_RETIRED("Controller restart did not retire non-durable children within its graceful deadline"),
    /** A restart's stop was given up because everything is being stopped. */
    RESTART_INTERRUPTED("Final shutdown interrupted controller restart"),
    /** The system refused a signal (EPERM). */
    SIGNAL_REFUSED("The system refused a signal to an owned process"),
    /** KILL did not empty the tree in time. */
    DESCENDANTS_REMAINED("Observed launcher descendants remained after bounded cleanup"),
    /** Even the direct child could not be ended. */
    DIRECT_CHILD_REMAINED("Known direct child remained after bounded fallback"),
    /** The tree could not be stopped and verified to the end; the direct child was handled apart. The cause says why. */
    CLEANUP_INCOMPLETE("Owned tree cleanup incomplete");

    private final String text;

    TreeProblem(String text) {
        this.text = text;
    }

    /** The problem in words, without details and without a full stop. */
    public String text() {
        return text;
    }
}
