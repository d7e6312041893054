/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.noorphans.internal.fake.StartedProcesses;

/** The number of a dead process passes on, again and again; its new owner never gets a signal that was meant for the old. */
@EnabledOnOs(OS.LINUX)
class ReusedPidTests {
    private static final int COUNT = 60;
    private static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");

    private static List<String> inNamespace(List<String> command) {
        List<String> all = new ArrayList<>(NAMESPACE);
        all.addAll(command);
        return all;
    }

    @ParameterizedTest(name = "{0}, JVM is process 1: {1}")
    @CsvSource({"pidfd, true", "pidfd, false", "number, true", "number, false"})
    void the_new_owner_of_a_number_is_never_signalled(String way, boolean first) {
        OtherJvm.assumeAllowed("a pid namespace of its own", inNamespace(List.of("true")));
        List<String> java =
                OtherJvm.java(System.getProperty("java.class.path"), ReusedPidMain.class, way, String.valueOf(COUNT));
        List<String> command = first
                ? java
                : List.of(
                        "sh",
                        "-c",
                        java.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" ")) + "; exit $?");
        StringBuilder output = new StringBuilder();
        int exit = StartedProcesses.run(output, OtherJvm.DEADLINE, inNamespace(command));
        assumeThat(exit).as(output.toString()).isNotEqualTo(77);
        assertThat(exit).as(output.toString()).isZero();
        assertThat(output.toString().contains("this JVM is process 1\n")).isEqualTo(first);
        assertThat(number(output, "reused by a process: ")).isGreaterThanOrEqualTo(50);
        assertThat(number(output, "reused by a thread: ")).isGreaterThanOrEqualTo(50);
        assertThat(number(output, "reused while signals were sent: "))
                .isGreaterThanOrEqualTo(way.equals("pidfd") ? 40 : 0);
    }

    private static int number(StringBuilder output, String label) {
        return output.toString()
                .lines()
                .filter(line -> line.startsWith(label))
                .map(line -> Integer.valueOf(line.substring(label.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(label + " is missing in " + output));
    }
}
