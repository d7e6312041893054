/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.When.when;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.noorphans.fakecli.FakeCli;
import org.noorphans.fakecli.FakeCliBuilder;
import org.noorphans.fakecli.Steps;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.SpawnMode;

/** The seed's red spec, row by row (S1-n), with the bug and with the fix. */
class RetryOrphanTests {

    private static final int RETRIES = 20;
    private static final Duration EVENT = Duration.ofSeconds(15);

    private DaemonFixture fixture;

    @AfterEach
    void leave_nothing_behind() {
        if (fixture != null) {
            fixture.close();
        }
    }

    // S1-1: in-process, on an ephemeral port, and the base URL is known.
    @Test
    void two_daemons_run_side_by_side_on_ports_of_their_own() throws IOException {
        try (AgentDaemon one = AgentDaemon.start(settings(new WholeGroup()));
                AgentDaemon other = AgentDaemon.start(settings(new WholeGroup()))) {
            assertThat(List.of(one.url(), other.url()))
                    .doesNotHaveDuplicates()
                    .extracting(URI::getHost)
                    .containsOnly("127.0.0.1");
        }
    }

    // S1-2, S1-3; the client checks the status codes 200, 200 and 202.
    @Test
    void every_run_gets_an_id_of_its_own() {
        start(new WholeGroup());
        fixture.use(fake().attempt(RetryOrphanTests::recover).attempt(RetryOrphanTests::recover));

        String one = fixture.client.createRun();
        String other = fixture.client.createRun();

        assertThat(one).isNotEqualTo(other);
        assertThat(fixture.client.awaitEnd(one).status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(fixture.client.awaitEnd(other).status()).isEqualTo(RunStatus.SUCCEEDED);
    }

    // S1-3: a run needs a project.
    @Test
    void a_run_without_project_is_refused() {
        start(new WholeGroup());
        assertThat(fixture.client.tryToCreateRun("none", "hello").status()).isEqualTo(404);
    }

    // S1-4, S1-5; the seed waits 15 s.
    @Test
    void waiting_for_a_run_that_does_not_end_names_the_run() {
        start(new WholeGroup());
        fixture.use(fake().attempt(a -> a.say(text("busy")).stall()));
        String run = fixture.client.createRun();

        assertThatThrownBy(() -> fixture.client.awaitEnd(run, Duration.ofMillis(300)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("run " + run + " did not finish");
    }

    // S1-6, S1-7: a JVM cannot change its environment, so the daemon's is a copy.
    @Test
    void telemetry_keys_are_absent_for_daemon_and_agent_and_stay_for_everybody_else() throws IOException {
        Map<String, String> original = new HashMap<>(System.getenv());
        DaemonFixture.TELEMETRY.forEach(key -> original.put(key, "set"));
        original.put(DaemonSettings.INACTIVITY_TIMEOUT, "5000");
        Map<String, String> snapshot = Map.copyOf(original);

        fixture = DaemonFixture.start(DaemonSettings.fromEnvironment(DaemonFixture.environment(original)));
        Path folder = fixture.use("env > \"$FOLDER/environment\"");
        assertThat(fixture.client.awaitEnd(fixture.client.createRun()).status()).isEqualTo(RunStatus.SUCCEEDED);

        assertThat(Files.readAllLines(folder.resolve("environment")))
                .contains(DaemonSettings.INACTIVITY_TIMEOUT + "=5000")
                .noneMatch(line -> DaemonFixture.TELEMETRY.stream().anyMatch(key -> line.startsWith(key + "=")));
        assertThat(original).isEqualTo(snapshot);
    }

    // S1-8, S1-9
    @Test
    void afterwards_orphans_daemon_server_and_files_are_gone_in_that_order() {
        start(new DirectChildOnly());
        Retried retried = runThroughOneRetry();
        assertThat(retried.descendant.isAlive()).isTrue();

        fixture.close();

        assertThat(fixture.closed())
                .containsExactly("processes", "daemon", "server", "fake agents", "temporary folder");
        await().atMost(EVENT).until(() -> !retried.descendant.isAlive());
        assertThat(fixture.folder()).doesNotExist();
        fixture.close(); // what is missing already is fine
    }

    // S1-10, S1-17, S1-18, S1-19, S1-22
    @Test
    void with_the_fix_the_retry_recovers_the_run_and_takes_the_descendant_with_it() {
        start(new WholeGroup());

        Retried retried = runThroughOneRetry();

        assertThat(retried.run.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(retried.descendant.pid()).isPositive();
        assertDies(retried.descendant);
        retried.fake.verify(Duration.ofSeconds(3));
    }

    // S1-17, S1-20, S1-21
    @Test
    void with_the_bug_the_retry_recovers_the_run_just_as_well_and_leaves_the_descendant() {
        start(new DirectChildOnly());

        Retried retried = runThroughOneRetry();

        assertThat(retried.run.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThatThrownBy(() -> assertDies(retried.descendant))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("grandchild " + retried.descendant.pid())
                .hasMessageContaining("3000 ms")
                .hasMessageContaining("same-run retry teardown leaked its process group");
        ProcStat orphan = ProcStat.of(retried.descendant.pid()).orElseThrow();
        assertThat(orphan.group()).isEqualTo(retried.leader.pid());
        assertThat(StartedProcesses.isAlive(retried.leader.pid())).isFalse();
        assertThat(orphan.parent()).isIn(adopters());
    }

    // S1-23
    @Test
    void with_the_bug_twenty_retries_leave_exactly_twenty_orphans() {
        start(new DirectChildOnly());
        List<FakeCli> fakes = retryInManyRuns();

        assertThat(fakes).allSatisfy(fake -> {
            assertThat(fake.journal().survivors()).hasSize(1);
            assertThat(fake.journal().attempts().get(0).kid("mcp").isAlive()).isTrue();
        });
    }

    // S1-23, S1-22
    @Test
    void with_the_fix_twenty_retries_leave_nothing() {
        start(new WholeGroup());
        List<FakeCli> fakes = retryInManyRuns();

        assertThat(fakes).allSatisfy(fake -> fake.verify(Duration.ofSeconds(3)));
    }

    // S1-25
    @Test
    void the_agent_leads_a_process_group_that_the_run_remembers() {
        start(new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(a -> a.say(init()).stall()));
        String run = fixture.client.createRun();

        ProcessIds agent = fake.journal().awaitEvent(0, "stall", EVENT).ids();

        assertThat(agent.pgid()).isEqualTo(agent.pid());
        assertThat(agent.sid()).isEqualTo(agent.pid());
        RunView view = fixture.client.run(run);
        assertThat(view.childPid()).isEqualTo(agent.pid());
        assertThat(view.groupId()).isEqualTo(agent.pid());
        assertThat(view.childExited()).isFalse();
    }

    private record Retried(FakeCli fake, RunView run, ProcessIds leader, ProcessIds descendant) {}

    private Retried runThroughOneRetry() {
        FakeCli fake = fixture.use(stallingOnce());
        String run = fixture.client.createRun();
        Invocation failed = fake.journal().awaitEvent(0, "stall", EVENT);
        ProcessIds descendant = failed.kid("mcp").ids();
        fixture.processes.register(descendant.pid()); // S1-9: before anything can fail
        return new Retried(fake, fixture.client.awaitEnd(run), failed.ids(), descendant);
    }

    /** All at the same time, so that twenty silences last as long as one. */
    private List<FakeCli> retryInManyRuns() {
        List<FakeCli> fakes = new ArrayList<>();
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < RETRIES; i++) {
            fakes.add(fixture.use(stallingOnce()));
            runs.add(fixture.client.createRun());
        }
        for (FakeCli fake : fakes) {
            Invocation failed = fake.journal().awaitEvent(0, "stall", EVENT);
            fixture.processes.register(failed.kid("mcp").ids().pid());
        }
        assertThat(runs).allSatisfy(run -> {
            RunView view = fixture.client.awaitEnd(run);
            assertThat(view.status()).isEqualTo(RunStatus.SUCCEEDED);
            assertThat(view.attempts()).isEqualTo(2);
        });
        return fakes;
    }

    /** S1-19, S1-20. Unlike the seed's probe, this one takes a zombie for dead (S1-24). */
    private static void assertDies(ProcessIds process) {
        long deadline = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
        }
        assertThat(process.isAlive())
                .withFailMessage(
                        "grandchild %d of the torn-down retry attempt is still alive 3000 ms after the run finished:"
                                + " same-run retry teardown leaked its process group",
                        process.pid())
                .isFalse();
    }

    private static FakeCliBuilder fake() {
        return FakeCli.persona(Persona.CLAUDE)
                .name("claude")
                .aux(
                        "helper",
                        when().argvNone("--session-id", "--resume"),
                        s -> s.out("{\"entries\":[]}").exit(0));
    }

    private static FakeCliBuilder stallingOnce() {
        return fake().attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()).attempt(RetryOrphanTests::recover);
    }

    private static void recover(Steps attempt) {
        attempt.say(init())
                .say(text("Recovered after retry."))
                .say(success("Recovered after retry."))
                .exit(0);
    }

    /** S1-10: 1 200 ms is far above the start of these agents, so the retry itself does not trip the watchdog. */
    private static DaemonSettings settings(Teardown teardown) {
        Map<String, String> environment = DaemonFixture.environment(System.getenv());
        environment.put(DaemonSettings.INACTIVITY_TIMEOUT, "1200");
        return DaemonSettings.fromEnvironment(environment).withTeardown(teardown);
    }

    private void start(Teardown teardown) {
        fixture = DaemonFixture.start(settings(teardown));
    }

    /** Who may become the parent of an orphan: process 1, or one of our ancestors (or this JVM) that asked for it. */
    private static List<Long> adopters() {
        Stream<ProcessHandle> us = Stream.iterate(
                ProcessHandle.current(),
                handle -> handle != null,
                handle -> handle.parent().orElse(null));
        return Stream.concat(Stream.of(1L), us.map(ProcessHandle::pid)).toList();
    }
}
