/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;

/** The number of an owned group passes on at every point between look and signal; missing rights, told and survived. */
@EnabledOnOs(OS.LINUX)
class TreeReuseTests {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final List<String> NAMESPACE = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
    private static final List<String> NO_KILL_RIGHT = List.of("setpriv", "--bounding-set", "-kill");
    private static final List<String> NOBODY =
            List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");

    private static List<String> java(Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private static List<String> join(List<String> one, List<String> other) {
        List<String> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    private static void assumeAllowed(String what, List<String> probe) {
        int exit;
        StringBuilder output = new StringBuilder();
        try {
            exit = StartedProcesses.run(output, DEADLINE, probe);
        } catch (UncheckedIOException e) {
            exit = -1;
        }
        assumeThat(exit).as(what + " is allowed here: " + output).isZero();
    }

    @Test
    void SAFE_1_no_innocent_is_signalled_in_two_hundred_forced_reuses() {
        assumeAllowed("a pid namespace of its own", join(NAMESPACE, List.of("true")));
        StringBuilder output = new StringBuilder();
        int exit = StartedProcesses.run(output, DEADLINE, join(NAMESPACE, java(TreeReuseMain.class, "60")));
        assumeThat(exit).as(output.toString()).isNotEqualTo(77);
        assertThat(exit).as(output.toString()).isZero();
        assertThat(output.toString().lines().filter(line -> line.startsWith("reused: ")))
                .singleElement()
                .satisfies(line -> assertThat(Integer.parseInt(line.substring("reused: ".length())))
                        .isGreaterThanOrEqualTo(200));
    }

    @Test
    void S15_b_a_member_of_another_user_is_told_and_the_others_are_ended() {
        assumeAllowed("another user", join(NOBODY, List.of("true")));
        assumeAllowed("to give up the right to signal others", join(NO_KILL_RIGHT, List.of("true")));
        StringBuilder output = new StringBuilder();
        int exit = StartedProcesses.run(output, DEADLINE, join(NO_KILL_RIGHT, java(TreeRightsMain.class)));
        assertThat(exit).as(output.toString()).isZero();
        assertThat(output.toString().lines())
                .contains(
                        "problem: CLEANUP_INCOMPLETE",
                        "foreign: NOT_PERMITTED",
                        "foreign alive: true",
                        "own alive: false",
                        "root alive: false");
    }

    @Test
    void S15_c_a_child_under_another_user_is_found_and_ended_by_who_may() throws Exception {
        assumeAllowed("another user", join(NOBODY, List.of("true")));
        try (Shell shell = Shell.start("setsid " + String.join(" ", NOBODY) + " sleep 60 & echo ready $!; wait")) {
            Awaitility.await().until(() -> shell.tree().observe().groups().size() == 2);
            shell.tree().stop(Duration.ofSeconds(1), Duration.ofSeconds(10));
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
        }
    }
}
