/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts a command as leader of a session and a group of its own.
 *
 * <p>Java cannot call setsid(2) between fork and exec, so the utility {@code setsid} of util-linux or busybox does: it makes the
 * session and then becomes the command, with the same number. It must not lead a group already, or it would fork; a child
 * of a JVM never does. Until it has made the session, the child is in the group of this JVM. That is no danger: which group a
 * process is in is read afresh before each signal, and the group of this JVM is never signalled; in that moment the child
 * would get the signal alone.
 */
final class Leader {
    private static final List<Path> PLACES =
            List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"), Path.of("/usr/local/bin/setsid"));

    private Leader() {}

    /** The utility, by its absolute path; empty where there is none. */
    static Optional<Path> utility() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    /** Whether the command makes itself the leader of a session. */
    static boolean isSetsid(List<String> command) {
        return !command.isEmpty() && "setsid".equals(new File(command.get(0)).getName());
    }

    /**
     * A builder for the same process as leader of its own session; the given one where that cannot be done. The given
     * builder is not changed.
     *
     * @throws IOException if there is no such program, as {@link ProcessBuilder#start} would say
     * @throws IllegalArgumentException if the command is a setsid that forks, so that its number would be nobody's
     */
    static ProcessBuilder leading(ProcessBuilder builder, @Nullable Path setsid) throws IOException {
        List<String> command = builder.command();
        if (isSetsid(command)) {
            refuseFork(command);
            return builder;
        }
        if (setsid == null || command.isEmpty()) {
            return builder;
        }
        requireProgram(command.get(0), builder.directory());
        List<String> wrapped = new ArrayList<>(List.of(setsid.toString()));
        if (command.get(0).startsWith("-")) {
            wrapped.add("--");
        }
        wrapped.addAll(command);
        ProcessBuilder copy = new ProcessBuilder(wrapped)
                .directory(builder.directory())
                .redirectErrorStream(builder.redirectErrorStream())
                .redirectInput(builder.redirectInput())
                .redirectOutput(builder.redirectOutput())
                .redirectError(builder.redirectError());
        copy.environment().clear();
        copy.environment().putAll(builder.environment());
        return copy;
    }

    private static void refuseFork(List<String> command) {
        for (String argument : command.subList(1, command.size())) {
            if (!argument.startsWith("-") || "--".equals(argument)) {
                return;
            }
            if ("--fork".equals(argument) || (!argument.startsWith("--") && argument.indexOf('f') > 0)) {
                throw new IllegalArgumentException("setsid " + argument
                        + " starts the program as a process that nobody can name; leave the option away");
            }
        }
    }

    /** Without this, a missing program would be told by setsid, on stderr and with exit code 127, and not by an exception. */
    private static void requireProgram(String program, @Nullable File directory) throws IOException {
        boolean found;
        if (program.indexOf('/') >= 0) {
            File file = new File(program);
            found = isProgram(file.isAbsolute() || directory == null ? file : new File(directory, program));
        } else {
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
            found = false;
            for (String folder : List.of(path.split(":", -1))) {
                found |= isProgram(new File(folder.isEmpty() ? "." : folder, program));
            }
        }
        if (!found) {
            throw new IOException("Cannot run program \"" + program + "\": there is no such executable file");
        }
    }

    private static boolean isProgram(File file) {
        return file.isFile() && file.canExecute();
    }
}
