/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.When.when;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.fakecli.FakeCli;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.SpawnMode;

/**
 * The red spec of the first seed (S1-17 to S1-22), as a user writes it: a retry must not leave what the failed attempt had
 * started. The test asserts only that the run recovers; the annotation does the rest.
 *
 * <p>Not run by the build itself: {@code DemoTests} and the demo run it with the bug and with the fix.
 */
@NoOrphanedProcesses(settle = "1s", grace = "2s")
abstract class RetryRedSpec {
    private static FakeCli agent;
    private static Path bin;

    private final Teardown teardown;

    RetryRedSpec(Teardown teardown) {
        this.teardown = teardown;
    }

    /** The first attempt starts an MCP server and falls silent, the second one answers. */
    @BeforeAll
    static void install_the_fake_agent() throws Exception {
        bin = Files.createTempDirectory("retry-red-spec-");
        agent = FakeCli.persona(Persona.CLAUDE)
                .name("claude")
                .aux(
                        "helper",
                        when().argvNone("--session-id", "--resume"),
                        s -> s.out("{\"entries\":[]}").exit(0))
                .attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall())
                .attempt(a -> a.say(init())
                        .say(text("Recovered"))
                        .say(success("Recovered"))
                        .exit(0))
                .install(bin);
    }

    /** Closing a fake ends what it started, so it comes after the verdict on the test. */
    @AfterAll
    static void remove_the_fake_agent() throws Exception {
        agent.close();
        Files.deleteIfExists(bin);
    }

    @Test
    void kills_the_failed_attempt() throws Exception {
        var settings = DaemonSettings.fromEnvironment(
                        Map.of("PATH", System.getenv("PATH"), DaemonSettings.INACTIVITY_TIMEOUT, "1200"))
                .withTeardown(teardown);
        try (AgentDaemon daemon = AgentDaemon.start(settings)) {
            var client = new DaemonClient(daemon.url());
            client.configure(agent.path());
            RunView run = client.awaitEnd(client.createRun(), Duration.ofSeconds(15));
            assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
        }
    }

    /** TERM to the direct child only. */
    static class RetryTests_with_the_bug extends RetryRedSpec {
        RetryTests_with_the_bug() {
            super(new DirectChildOnly());
        }
    }

    /** TERM, then KILL, to the whole group. */
    static class RetryTests_with_the_fix extends RetryRedSpec {
        RetryTests_with_the_fix() {
            super(new WholeGroup());
        }
    }
}
