/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.noorphans.model.ProcessId;

/**
 * A process as {@code /proc/PID/stat} showed it at one moment, read without the library that is under test.
 *
 * @param id the pid and field 22, the start time in ticks
 * @param state the state letter; Z and X are dead
 */
public record LinuxProcess(ProcessId id, char state, long parent, long group, long session) {

    /** The process that has this number now; empty if nobody has it. */
    public static Optional<LinuxProcess> read(long pid) {
        String stat;
        try {
            stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
        // The name, field 2, may hold anything but ends with the last bracket.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Optional.of(new LinuxProcess(
                new ProcessId(pid, Long.parseLong(fields[19])),
                fields[0].charAt(0),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3])));
    }

    /** The same process as it is now; empty if it has left the table, whoever has its number by now. */
    public static Optional<LinuxProcess> read(ProcessId id) {
        return read(id.pid()).filter(now -> now.id().equals(id));
    }

    /** This JVM. */
    public static LinuxProcess self() {
        return read(ProcessHandle.current().pid()).orElseThrow();
    }

    /** Whether exactly this process lives; a zombie does not. */
    public static boolean isAlive(ProcessId id) {
        return read(id).filter(now -> now.state != 'Z' && now.state != 'X').isPresent();
    }

    /** Kills exactly this process; does nothing if it has gone. */
    public static void kill(ProcessId id) {
        // The handle compares the start time once more before the signal goes.
        Optional<ProcessHandle> handle = ProcessHandle.of(id.pid());
        if (isAlive(id)) {
            handle.ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Whether its environment has this variable with this value; false where that cannot be read. */
    static boolean hasVariable(long pid, String name, String value) {
        try {
            String environment = Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
            return Arrays.asList(environment.split("\0")).contains(name + "=" + value);
        } catch (IOException goneOrUnreadable) {
            return false;
        }
    }
}
