/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcStatTests {

    private final StartedProcesses processes = new StartedProcesses();

    @AfterEach
    void end_what_was_started() {
        processes.close();
    }

    // Linux 6.18; the command is what a program named "a) b (c" looks like.
    @Test
    void a_command_may_contain_blanks_and_parentheses() {
        var stat =
                ProcStat.parse("4711 (a) b (c) S 1 4702 4703 0 -1 4194304 88 0 0 0 0 0 0 0 20 0 1 0 987654 2560000 211"
                        + " 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
        assertThat(stat).isEqualTo(new ProcStat(4711, 'S', 1, 4702, 4703, 987654));
    }

    @Test
    void this_jvm_is_alive_and_listed() {
        ProcStat self = ProcStat.of(ProcessHandle.current().pid()).orElseThrow();
        assertThat(self.isAlive()).isTrue();
        assertThat(ProcStat.all()).anyMatch(self::isSameProcessAs);
    }

    // S1-24: a shell starts a child and becomes a program that never asks for the child's exit code.
    @Test
    void a_zombie_counts_as_dead_although_java_takes_it_for_alive() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0.01 & echo $!; exec sleep 60").start();
        processes.register(parent.pid());
        long zombie;
        try (BufferedReader output = parent.inputReader()) {
            zombie = Long.parseLong(output.readLine());
        }
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        ProcStat.of(zombie).filter(stat -> stat.state() == 'Z').isPresent());

        assertThat(ProcessHandle.of(zombie)).get().matches(ProcessHandle::isAlive);
        assertThat(StartedProcesses.isAlive(zombie)).isFalse();
        assertThat(StartedProcesses.isAlive(parent.pid())).isTrue();
    }
}
