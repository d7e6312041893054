/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.noorphans.internal.fake.StartedProcesses;

/** Another JVM that runs a class of these tests, under other circumstances. */
final class OtherJvm {
    static final Duration DEADLINE = Duration.ofMinutes(2);

    private OtherJvm() {}

    static List<String> java(String classPath, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** Skips the test, with a reason, where a command that only prepares is refused. */
    static void assumeAllowed(String what, List<String> probe) {
        int exit;
        StringBuilder output = new StringBuilder();
        try {
            exit = StartedProcesses.run(output, DEADLINE, probe);
        } catch (UncheckedIOException e) {
            exit = -1;
            output.append(e.getMessage());
        }
        assumeThat(exit).as(what + " is allowed here: " + output).isZero();
    }
}
