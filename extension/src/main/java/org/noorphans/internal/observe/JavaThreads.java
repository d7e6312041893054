/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The platform threads of this JVM, without the cost of their stack traces. */
final class JavaThreads {
    /** The kernel keeps this many bytes of a thread's name (proc(5), comm). */
    private static final int KERNEL_NAME_LENGTH = 15;

    private JavaThreads() {}

    static Thread[] all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        for (@Nullable ThreadGroup up = root; up != null; up = up.getParent()) {
            root = up;
        }
        Thread[] threads = new Thread[root.activeCount() + 32];
        int count = root.enumerate(threads, true);
        while (count == threads.length) {
            threads = new Thread[threads.length * 2];
            count = root.enumerate(threads, true);
        }
        return Arrays.copyOf(threads, count);
    }

    /** The Java name behind a name that the kernel may have cut; the name itself if none or several threads fit. */
    static String complete(String kernelName) {
        if (kernelName.length() < KERNEL_NAME_LENGTH) {
            return kernelName;
        }
        List<String> fitting = Arrays.stream(all())
                .map(Thread::getName)
                .filter(name -> name.startsWith(kernelName))
                .distinct()
                .toList();
        return fitting.size() == 1 ? fitting.get(0) : kernelName;
    }
}
