/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.io.File;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ThreadMarks;

/**
 * The mark, kept in the I/O priority of a thread.
 *
 * <p>Linux keeps an I/O priority for every thread; fork, exec and thread creation hand it on, and anyone may read it by
 * number (ioprio_set(2)). A value has a class (3 bits), since kernel 6.5 a hint (10 bits, linux/ioprio.h), and a level (3
 * bits). Only disks that know duration limits look at the hint, and only at the values 1 to 7, so 8 to 1023 are free. The
 * class and level that go with a mark are those that the nice value of the thread implies anyway, so that I/O goes on as
 * before. Older kernels answer EINVAL to a hint: then there is no mark.
 */
final class IoPriorityMarks implements ThreadMarks {
    private static final int CLASS_SHIFT = 13;
    private static final int HINT_SHIFT = 3;
    private static final int HINT_MASK = 0x3ff;
    private static final int BEST_EFFORT = 2;
    private static final int DEFAULT_LEVEL = 4;
    private static final int LEVEL_MASK = 7;

    private final boolean supported;

    IoPriorityMarks() {
        int before = get(0);
        supported = before >= 0 && set(0, withSlot(before, LAST_SLOT)) && slotOf(get(0)) == LAST_SLOT;
        if (supported) {
            set(0, before);
        }
    }

    @Override
    public boolean isSupported() {
        return supported;
    }

    @Override
    public int mark(int slot) {
        int before = get(0);
        set(0, withSlot(before, slot));
        return before;
    }

    @Override
    public void restore(long task, int before) {
        set(task, before);
    }

    @Override
    public int withoutSlot(int value) {
        if (slotOf(value) < FIRST_SLOT) {
            return value;
        }
        int bare = value & ~(HINT_MASK << HINT_SHIFT);
        return bare == (BEST_EFFORT << CLASS_SHIFT | DEFAULT_LEVEL) ? 0 : bare;
    }

    @Override
    public int slotOf(int value) {
        return value < 0 ? 0 : value >> HINT_SHIFT & HINT_MASK;
    }

    @Override
    public int slotOfTask(long pidOrTask) {
        return slotOf(get(pidOrTask));
    }

    @Override
    public boolean[] slotsOnOwnThreads() {
        boolean[] carried = new boolean[LAST_SLOT + 1];
        @Nullable String[] tasks = new File("/proc/self/task").list();
        if (tasks != null) {
            for (String task : tasks) {
                carried[slotOfTask(Long.parseLong(task))] = true;
            }
        }
        return carried;
    }

    /*
     * A thread that never set a priority reads as class 0: the kernel derives best effort, level (nice + 20) / 5, from its
     * nice value. A JVM thread has nice 0 unless someone changed it; the level 4 that goes with it is then what the thread
     * has anyway. A thread with another nice value loses that link while it is marked.
     */
    private static int withSlot(int before, int slot) {
        int ioClass = before >> CLASS_SHIFT;
        int level = before & LEVEL_MASK;
        if (ioClass == 0) {
            ioClass = BEST_EFFORT;
            level = DEFAULT_LEVEL;
        }
        return ioClass << CLASS_SHIFT | slot << HINT_SHIFT | level;
    }

    private static boolean set(long task, int value) {
        return LibC.syscall(LibC.SYS_IOPRIO_SET, LibC.IOPRIO_WHO_PROCESS, task, value, 0) == 0;
    }

    private static int get(long pidOrTask) {
        return (int) LibC.syscall(LibC.SYS_IOPRIO_GET, LibC.IOPRIO_WHO_PROCESS, pidOrTask, 0, 0);
    }
}
