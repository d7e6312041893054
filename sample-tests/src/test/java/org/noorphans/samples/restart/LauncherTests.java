/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.assertj.ProcessAssertions.assertThat;
import static org.noorphans.assertj.ProcessAssertions.assertThatProcess;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.model.Termination.Outcome;
import org.noorphans.tree.OwnedProcess;
import org.noorphans.tree.OwnedProcessTree;
import org.noorphans.tree.TreeStop;

/** A launcher succeeds and goes; the server that it detached is still the test's to stop. */
@EnabledOnOs(OS.LINUX)
@Timeout(100)
@NoOrphanedProcesses
class LauncherTests {
    /** The server says that it is up, and closes on TERM in its own time. */
    private static final String LAUNCHER = """
            setsid sh -c 'trap "sleep 0.3; echo closed > \\"$OUT/closed\\"; exit 0" TERM
              echo "$$" > "$OUT/new"; mv "$OUT/new" "$OUT/server"
              n=0; while [ "$n" -lt 600 ]; do sleep 0.1; n=$((n + 1)); done' &
            read -r go
            exit 0
            """;

    @Test
    void S2_91_the_server_of_a_launcher_that_has_exited_is_asked_and_closes(@TempDir Path out) throws Exception {
        // Not into pipes: Java closes them when the launcher has exited, and the server's shell still writes.
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", LAUNCHER)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("OUT", out.toString());
        try (OwnedProcessTree launcher = OwnedProcessTree.start(builder)) {
            await().atMost(20, TimeUnit.SECONDS).until(() -> Files.exists(out.resolve("server")));
            long server = Long.parseLong(Files.readString(out.resolve("server")).trim());
            await().atMost(20, TimeUnit.SECONDS)
                    .until(() -> launcher.observe().groups().contains(server));
            OwnedProcess seen = launcher.observe().member(server).orElseThrow();

            launcher.process().getOutputStream().write('\n');
            launcher.process().getOutputStream().close();
            assertThat(launcher.process().waitFor()).isZero();
            assertThatProcess(server).isRunning();

            TreeStop stop = launcher.stop(Duration.ofSeconds(20), Duration.ofSeconds(5));
            assertThat(stop.outcomeOf(seen.id())).isEqualTo(Outcome.EXITED_ON_REQUEST);
            assertThat(stop.escalated()).isFalse();
            assertThat(out.resolve("closed")).exists();
            assertThat(launcher).hasNoSurvivors();
        }
    }
}
