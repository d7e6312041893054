/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.util.List;

/** A reason to believe that a scope started a process. A survivor carries every piece that matched. */
public sealed interface Evidence {
    /** Completes the sentence "attributed to the test because …"; no full stop. */
    String because();

    /**
     * The process carries the mark that the scope put on its thread, inherited through fork, exec and thread creation.
     *
     * @param slot the number that marks the scope
     * @param owner the scope that held the slot when the process started
     * @param isProof whether the mark decides; if not, the thread was created by that scope but may have worked for others
     */
    record Mark(int slot, ScopeId owner, boolean isProof) implements Evidence {
        @Override
        public String because() {
            return isProof
                    ? "it inherited the mark " + slot + " of this "
                            + owner.kind().word()
                    : "its mark " + slot + " says that " + owner.name()
                            + " created the thread which started it, but that thread may have worked for others";
        }
    }

    /**
     * The JVM noted that Java code started the process.
     *
     * @param thread the name of the thread; may be empty for a virtual thread
     * @param virtual whether it was a virtual thread
     * @param testOnStack whether the method of the owning test was on its stack
     */
    record Spawned(String thread, boolean virtual, boolean testOnStack) implements Evidence {
        @Override
        public String because() {
            return (virtual ? "virtual thread" : "thread") + (thread.isEmpty() ? "" : " \"" + thread + "\"")
                    + " started it" + (testOnStack ? ", from the test method" : "");
        }
    }

    /**
     * The kernel listed the process under the thread that forked it.
     *
     * @param thread the name of the thread
     * @param ownThread whether it is the thread that ran the scope
     */
    record ForkingThread(String thread, boolean ownThread) implements Evidence {
        @Override
        public String because() {
            return "thread \"" + thread + "\"" + (ownThread ? " of this test" : "") + " forked it";
        }
    }

    /**
     * The process was started by a process that the scope owns, or that is a fixture of the scope.
     *
     * @param parentPid the parent it was first seen under
     * @param parentAlive whether that parent was still alive at the verdict
     */
    record Descent(long parentPid, boolean parentAlive) implements Evidence {
        @Override
        public String because() {
            return "its parent pid " + parentPid + (parentAlive ? "" : ", now gone,") + " belongs to the same scope";
        }
    }

    /** The process is a child of this JVM by its own start, not by adoption. */
    record ChildOfJvm() implements Evidence {
        @Override
        public String because() {
            return "it is a child of this JVM";
        }
    }

    /**
     * The process is in a group or session whose leader the scope started.
     *
     * @param id the number of the group or session, which is the pid of its leader
     * @param session whether it is a session, not only a group
     */
    record SharedGroup(long id, boolean session) implements Evidence {
        @Override
        public String because() {
            return "it is in the " + (session ? "session " : "group ") + id + " that this scope created";
        }
    }

    /**
     * The process lost its parent and was adopted.
     *
     * @param adopter the number of its new parent: this JVM if it is the nearest subreaper
     */
    record Adopted(long adopter) implements Evidence {
        @Override
        public String because() {
            return "it lost its parent and was adopted by pid " + adopter;
        }
    }

    /**
     * The process was started while the scope was open.
     *
     * @param others the names of the other scopes to which the same applies; empty if there is none
     */
    record StartedInside(List<String> others) implements Evidence {
        public StartedInside {
            others = List.copyOf(others);
        }

        @Override
        public String because() {
            return others.isEmpty()
                    ? "it started while this scope, and no other, was open"
                    : "it started while these were open and nothing tells them apart: " + String.join(", ", others);
        }
    }
}
