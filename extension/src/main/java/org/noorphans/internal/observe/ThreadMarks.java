/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

/**
 * The mark: a small number on a thread that the kernel hands on to everything that the thread starts, threads and
 * processes alike. {@code 0} means no mark.
 */
public interface ThreadMarks {
    /** The smallest number that may be used. */
    int FIRST_SLOT = 8;

    /** The greatest number that may be used. */
    int LAST_SLOT = 1023;

    /** Whether this system has the mark; if not, the other calls do nothing and return 0. */
    boolean isSupported();

    /**
     * Puts a mark on the calling thread.
     *
     * @return what the thread carried before, to be given to {@link #restore}
     */
    int mark(int slot);

    /**
     * Puts back on a thread what {@link #mark} returned.
     *
     * @param task the thread, as {@link ProcessTableReader#currentTask} names it; 0 for the calling thread
     */
    void restore(long task, int before);

    /** The value that a thread has without its slot; to be restored instead of one whose slot is no longer held. */
    int withoutSlot(int value);

    /** The slot in a value that {@link #mark} returned. */
    int slotOf(int value);

    /** The slot that a process, or a thread of this JVM, carries; 0 if it carries none or is gone. */
    int slotOfTask(long pidOrTask);

    /** For each slot, whether a thread of this JVM carries it. */
    boolean[] slotsOnOwnThreads();

    /** Marks for a system that has none. */
    ThreadMarks NONE = new ThreadMarks() {
        @Override
        public boolean isSupported() {
            return false;
        }

        @Override
        public int mark(int slot) {
            return 0;
        }

        @Override
        public void restore(long task, int before) {}

        @Override
        public int withoutSlot(int value) {
            return value;
        }

        @Override
        public int slotOf(int value) {
            return 0;
        }

        @Override
        public int slotOfTask(long pidOrTask) {
            return 0;
        }

        @Override
        public boolean[] slotsOnOwnThreads() {
            return new boolean[LAST_SLOT + 1];
        }
    };
}
