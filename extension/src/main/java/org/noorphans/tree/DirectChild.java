/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

/** The started process as its handle knows it. The handle stands for exactly this process, whoever has its number later. */
interface DirectChild {
    /** Its number. */
    long pid();

    /** Whether it has exited and has been collected. */
    boolean hasExited();

    /**
     * Whether it has certainly not been collected yet, dead or alive: then the process that has its number is it. False
     * if that is not certain.
     */
    boolean holdsItsNumber();

    /** Sends TERM; returns whether it was delivered. */
    boolean ask();

    /** Sends KILL. */
    void force();

    /** A process that Java code started. */
    static DirectChild of(Process process) {
        ProcessHandle handle = process.toHandle();
        return new DirectChild() {
            @Override
            public long pid() {
                return process.pid();
            }

            @Override
            public boolean hasExited() {
                return !process.isAlive();
            }

            /*
             * The JDK collects the child first and notes so a moment later. In between the number may pass on; the start
             * time, which the handle compares, shows that.
             */
            @Override
            public boolean holdsItsNumber() {
                return handle.isAlive() && process.isAlive();
            }

            @Override
            public boolean ask() {
                return process.isAlive() && handle.destroy();
            }

            @Override
            public void force() {
                process.destroyForcibly();
            }
        };
    }
}
