/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of procfs with three system calls each and no garbage but the answer: java.io needs several times as long,
 * and the tree walk reads two files for every process.
 */
final class ProcFile {
    private static final int FIRST_BUFFER = 4096;

    private static final ThreadLocal<Memory> BUFFER = ThreadLocal.withInitial(() -> new Memory(FIRST_BUFFER));

    private ProcFile() {}

    /** The whole file, or null if it is not there, not readable, or its process went away meanwhile. */
    static byte @Nullable [] read(String path) {
        return read(path, Integer.MAX_VALUE);
    }

    /** The first {@code limit} bytes of the file, or null as above. */
    static byte @Nullable [] read(String path, int limit) {
        int fd = LibC.open(nullTerminated(path), LibC.O_RDONLY_CLOEXEC);
        if (fd < 0) {
            return null;
        }
        try {
            Memory buffer = BUFFER.get();
            byte[] content = new byte[0];
            while (content.length < limit) {
                long want = Math.min(buffer.size(), limit - (long) content.length);
                long got = LibC.read(fd, buffer, want);
                if (got < 0) {
                    return null; // ESRCH: the process ended between open and read
                }
                if (got == 0) {
                    break;
                }
                int before = content.length;
                content = Arrays.copyOf(content, before + (int) got);
                buffer.read(0, content, before, (int) got);
            }
            return content;
        } finally {
            LibC.close(fd);
        }
    }

    /** The whole file as text, one character for each byte, or null as above. */
    static @Nullable String readText(String path) {
        byte[] content = read(path);
        return content == null ? null : new String(content, StandardCharsets.ISO_8859_1);
    }

    static int lastError() {
        return Native.getLastError();
    }

    private static byte[] nullTerminated(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }
}
