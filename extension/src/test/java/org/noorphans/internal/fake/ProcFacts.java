/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.noorphans.model.ProcessId;

/** What procfs says, read without the code under test. */
public final class ProcFacts {
    private ProcFacts() {}

    /** The fields of the stat file from the state on: 0 is the state, 1 the parent, 2 the group, 3 the session, 19 the start. */
    private static Optional<String[]> fields(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
    }

    private static Optional<String> field(long pid, int index) {
        return fields(pid).map(all -> all[index]);
    }

    /** The identity of the process that has this number now. */
    public static Optional<ProcessId> identity(long pid) {
        return field(pid, 19).map(start -> new ProcessId(pid, Long.parseLong(start)));
    }

    public static Optional<String> state(long pid) {
        return field(pid, 0);
    }

    public static Optional<Long> parent(long pid) {
        return field(pid, 1).map(Long::parseLong);
    }

    public static Optional<Long> group(long pid) {
        return field(pid, 2).map(Long::parseLong);
    }

    /** Whether exactly this process is there and neither a zombie nor dead. */
    public static boolean isAlive(ProcessId id) {
        return identity(id.pid()).filter(id::equals).isPresent()
                && state(id.pid()).filter(state -> !"ZX".contains(state)).isPresent();
    }

    /** The numbers of the children of this JVM that are zombies. */
    public static List<Long> zombieChildren() {
        List<Long> zombies = new ArrayList<>();
        long self = ProcessHandle.current().pid();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                long pid = Long.parseLong(entry.getFileName().toString());
                fields(pid)
                        .filter(all -> all[0].equals("Z") && all[1].equals(String.valueOf(self)))
                        .ifPresent(zombie -> zombies.add(pid));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zombies;
    }
}
