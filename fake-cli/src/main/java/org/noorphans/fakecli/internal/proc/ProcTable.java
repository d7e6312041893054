/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Linux's process table, one process at a time. */
public final class ProcTable {
    private static final Path PROC = Path.of("/proc");

    private ProcTable() {}

    /** Whether there is such a table here. */
    public static boolean exists() {
        return Files.isReadable(PROC.resolve("self/stat"));
    }

    /** Whether this very process is listed with the same start time, and is neither a zombie nor dead. */
    public static boolean isAlive(long pid, long startTicks) {
        return read(pid)
                .filter(stat -> stat.startTicks() == startTicks && stat.isAlive())
                .isPresent();
    }

    /**
     * When a process started, in clock ticks since boot.
     *
     * @throws IllegalStateException if there is no such process
     */
    public static long startTicks(long pid) {
        return read(pid)
                .orElseThrow(() -> new IllegalStateException("no process " + pid))
                .startTicks();
    }

    private static Optional<ProcStat> read(long pid) {
        Path directory = PROC.resolve(Long.toString(pid));
        try {
            return Optional.of(
                    ProcStat.parse(Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            // It may end between open and read (ESRCH). Anything else, such as too many open files, must not look
            // like the end of a process.
            if (!Files.exists(directory)) {
                return Optional.empty();
            }
            throw new UncheckedIOException("cannot read " + directory + "/stat", e);
        }
    }
}
