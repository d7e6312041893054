/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;

/**
 * One process as its stat file in {@code /proc} shows it.
 *
 * @param pid the process number
 * @param state the kernel's letter for it
 * @param parent the pid of its parent
 * @param group its process group
 * @param session its session
 * @param start when it started, in clock ticks since boot; with the pid, its identity
 */
record ProcStat(long pid, char state, long parent, long group, long session, long start) {

    private static final Path PROC = Path.of("/proc");

    /** Whether it still runs. A zombie has ended; only its parent has not asked for the exit code yet. */
    boolean isAlive() {
        return state != 'Z' && state != 'X';
    }

    boolean isSameProcessAs(ProcStat other) {
        return pid == other.pid && start == other.start;
    }

    /** Reads the text of a stat file. The command in it may contain blanks and parentheses, so its end is the last one. */
    static ProcStat parse(String stat) {
        long pid = Long.parseLong(stat.substring(0, stat.indexOf(' ')));
        var fields = new StringTokenizer(stat.substring(stat.lastIndexOf(')') + 1));
        char state = fields.nextToken().charAt(0); // field 3 in proc(5)
        long parent = Long.parseLong(fields.nextToken());
        long group = Long.parseLong(fields.nextToken());
        long session = Long.parseLong(fields.nextToken());
        for (int field = 7; field < 22; field++) {
            fields.nextToken();
        }
        return new ProcStat(pid, state, parent, group, session, Long.parseLong(fields.nextToken()));
    }

    /** Empty if there is no such process. */
    static Optional<ProcStat> of(long pid) {
        return read(PROC.resolve(Long.toString(pid)));
    }

    /** All processes that were there during the look; those that come or go meanwhile may be missing. */
    static List<ProcStat> all() {
        List<ProcStat> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[1-9]*")) {
            folders.forEach(folder -> read(folder).ifPresent(found::add));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + PROC, e);
        }
        return found;
    }

    private static Optional<ProcStat> read(Path folder) {
        try {
            // A command may hold any bytes; this charset takes them all.
            return Optional.of(parse(Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1)));
        } catch (IOException exitedMeanwhile) {
            return Optional.empty();
        }
    }
}
