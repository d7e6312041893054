/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.Signal.TERM;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** Cancel and shutdown, row by row (S1-n). The teardown that is at fault in retries plays no part in them. */
class RunCancelTests {

    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration GRACE = Duration.ofMillis(400);
    private static final Duration BOUND = Duration.ofSeconds(15);

    private DaemonFixture fixture;

    @AfterEach
    void leave_nothing_behind() {
        fixture.close();
    }

    // S1-60 (and S1-57: nothing is spawned any more)
    @Test
    void a_queued_run_is_cancelled_at_once() {
        fixture = DaemonFixture.start(Duration.ofMillis(300), NEVER, GRACE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(Steps::stall).attempt(Steps::stall));
        String run = fixture.client.createRun();
        await().atMost(BOUND).until(() -> fixture.client.events(run, "retry").size() == 1);

        RunView view = fixture.client.cancel(run);

        assertThat(view)
                .isEqualTo(new RunView(run, RunStatus.CANCELED, 1, null, null, false, null, "SIGTERM", null, null));
        assertThat(fake.journal().attempts()).hasSize(1);
    }

    // S1-61: an agent that obeys.
    @Test
    void cancel_asks_first() {
        start(NEVER);
        FakeCli fake =
                fixture.use(fake().attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()));
        String run = fixture.client.createRun();
        fake.journal().awaitEvent(0, "stall", BOUND);

        RunView view = fixture.client.cancel(run); // would take minutes if it waited for the grace

        assertThat(view.status()).isEqualTo(RunStatus.CANCELED);
        assertThat(view.signal()).isEqualTo("SIGTERM");
        assertThat(view.childExited()).isTrue();
        assertThat(fixture.client.events(run, "signal")).hasSize(1);
        fake.verify(Duration.ZERO);
    }

    // S1-61: what the agent sees. It reads its input only when TERM comes, and would wait if it were open.
    @Test
    void cancel_closes_the_input_before_it_signals() throws IOException {
        start(Duration.ofSeconds(10));
        Path folder = fixture.use("""
                mkfifo "$FOLDER/wait"
                trap 'read -r more; echo "input: $more" > "$FOLDER/seen"; exit 1' TERM
                read -r prompt
                echo ready > "$FOLDER/ready"
                while :; do read -r nothing < "$FOLDER/wait"; done
                """);
        String run = fixture.client.createRun();
        fixture.processes.register(fixture.client.run(run).childPid());
        await().atMost(BOUND).until(() -> Files.exists(folder.resolve("ready")));

        RunView view = fixture.client.cancel(run);

        assertThat(Files.readString(folder.resolve("seen"))).isEqualTo("input: \n");
        assertThat(view.signal()).isEqualTo("SIGTERM");
        assertThat(fixture.client.events(run))
                .extracting(RunEvent::type)
                .containsExactly("queued", "start", "stdin_closed", "signal", "end");
    }

    // S1-61: its prompt still fills the pipe, so the input cannot be closed.
    @Test
    void cancel_does_not_wait_for_an_agent_that_never_reads() {
        start(NEVER);
        FakeCli fake = fixture.use(fake().attempt(Steps::stall));
        String run = fixture.client.createRun("please ".repeat(50_000));
        fake.journal().awaitEvent(0, "stall", BOUND);

        RunView view = fixture.client.cancel(run);

        assertThat(view.status()).isEqualTo(RunStatus.CANCELED);
        assertThat(view.signal()).isEqualTo("SIGTERM");
        fake.verify(Duration.ZERO);
    }

    // S1-61, S1-63
    @Test
    void cancel_kills_leader_and_descendant_that_ignore_term_but_not_before_the_grace() {
        start(GRACE);
        FakeCli fake = fixture.use(stubborn());
        String run = fixture.client.createRun();
        Invocation agent = fake.journal().awaitEvent(0, "stall", BOUND);

        RunView view = fixture.client.cancel(run);

        assertThat(view.status()).isEqualTo(RunStatus.CANCELED);
        assertThat(view.signal()).isEqualTo("SIGKILL");
        assertThat(view.exitCode()).isNull();
        assertThat(view.childExited()).isTrue();
        assertThat(agent.kid("stubborn").ids().isAlive()).isFalse();
        List<RunEvent> signals = fixture.client.events(run, "signal");
        assertThat(signals)
                .extracting(RunEvent::detail)
                .containsExactly("SIGTERM to the group", "SIGKILL to the group");
        assertThat(signals.get(1).atMillis() - signals.get(0).atMillis()).isGreaterThanOrEqualTo(GRACE.toMillis());
    }

    // S1-63: the leader obeys, and still nobody is forgotten.
    @Test
    void cancel_waits_for_the_whole_group() {
        start(GRACE);
        FakeCli fake = fixture.use(fake().attempt(a ->
                a.spawn("stubborn", SpawnMode.CHILD, o -> o.ignore(TERM)).stall()));
        String run = fixture.client.createRun();
        ProcessIds stubborn =
                fake.journal().awaitEvent(0, "stall", BOUND).kid("stubborn").ids();

        RunView view = fixture.client.cancel(run);

        assertThat(view.signal()).isEqualTo("SIGKILL");
        assertThat(stubborn.isAlive()).isFalse();
    }

    // S1-64
    @Test
    void cancel_reaches_the_group_of_a_leader_that_has_exited() {
        start(GRACE);
        Leaderless leaderless = leaderless();

        RunView view = fixture.client.cancel(leaderless.run);

        assertThat(view.status()).isEqualTo(RunStatus.CANCELED);
        assertThat(leaderless.holder.isAlive()).isFalse();
    }

    // S1-64
    @Test
    void shutdown_reaches_the_group_of_a_leader_that_has_exited() {
        start(GRACE);
        Leaderless leaderless = leaderless();

        fixture.daemon.shutdown();

        assertThat(fixture.client.run(leaderless.run).status()).isEqualTo(RunStatus.CANCELED);
        assertThat(leaderless.holder.isAlive()).isFalse();
    }

    // S1-67: if it took one run after the other, the first KILL would come before the last TERM.
    @Test
    void shutdown_ends_all_runs_at_the_same_time() {
        start(Duration.ofSeconds(2));
        FakeCli oneAgent = fixture.use(stubborn());
        String one = fixture.client.createRun();
        FakeCli otherAgent = fixture.use(stubborn());
        String other = fixture.client.createRun();
        oneAgent.journal().awaitEvent(0, "stall", BOUND);
        otherAgent.journal().awaitEvent(0, "stall", BOUND);

        fixture.daemon.shutdown();

        List<List<RunEvent>> signals = Stream.of(one, other)
                .map(run -> fixture.client.events(run, "signal"))
                .toList();
        assertThat(signals)
                .allSatisfy(each -> assertThat(each)
                        .extracting(RunEvent::detail)
                        .containsExactly("SIGTERM to the group", "SIGKILL to the group"));
        long lastTerm =
                signals.stream().mapToLong(each -> each.get(0).atMillis()).max().orElseThrow();
        long firstKill =
                signals.stream().mapToLong(each -> each.get(1).atMillis()).min().orElseThrow();
        assertThat(lastTerm).isLessThan(firstKill);
        assertThat(Stream.of(one, other).map(fixture.client::run).map(RunView::status))
                .containsOnly(RunStatus.CANCELED);
        oneAgent.verify(Duration.ZERO);
        otherAgent.verify(Duration.ZERO);
    }

    // S1-67: the run is over, the KILL for its first attempt is not.
    @Test
    void shutdown_waits_for_teardowns_under_way() {
        fixture = DaemonFixture.start(
                Duration.ofMillis(1500), Duration.ofMillis(20), Duration.ofMillis(1500), new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(a -> a.ignore(TERM).stall()).attempt(RunCancelTests::succeed));
        fixture.client.awaitEnd(fixture.client.createRun());

        fixture.daemon.shutdown();

        fake.verify(Duration.ZERO);
    }

    // S1-68
    @Test
    void during_shutdown_new_runs_are_refused_and_questions_answered() throws InterruptedException {
        start(Duration.ofSeconds(3));
        FakeCli fake = fixture.use(stubborn());
        String project = fixture.client.createProject();
        String run = fixture.client.createRun();
        fake.journal().awaitEvent(0, "stall", BOUND);

        var shutdown = new Thread(fixture.daemon::shutdown, "shutdown");
        shutdown.start();
        try {
            await().atMost(BOUND)
                    .until(() -> !fixture.client.events(run, "signal").isEmpty());
            assertThat(fixture.client.tryToCreateRun(project, "hello").status()).isEqualTo(503);
            assertThat(fixture.client.run(run).status()).isEqualTo(RunStatus.RUNNING);
            assertThat(shutdown.isAlive()).isTrue();
        } finally {
            shutdown.join(BOUND.toMillis());
        }
        assertThat(fixture.client.run(run).status()).isEqualTo(RunStatus.CANCELED);
        assertThat(fixture.client.tryToCreateRun(project, "hello").status()).isEqualTo(503);
    }

    // S1-69
    @Test
    void nothing_happens_to_a_run_that_has_ended() {
        start(GRACE);
        fixture.use(fake().attempt(RunCancelTests::succeed));
        String run = fixture.client.createRun();
        RunView ended = fixture.client.awaitEnd(run);
        assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
        List<RunEvent> events = fixture.client.events(run);

        assertThat(fixture.client.cancel(run)).isEqualTo(ended);
        fixture.daemon.shutdown();

        assertThat(fixture.client.run(run)).isEqualTo(ended);
        assertThat(fixture.client.events(run)).isEqualTo(events);
        assertThat(fixture.client.events(run, "end")).hasSize(1);
    }

    // S1-69: the exit that the cancel causes is no second end.
    @Test
    void cancelling_twice_makes_one_end() {
        start(GRACE);
        FakeCli fake = fixture.use(fake().attempt(Steps::stall));
        String run = fixture.client.createRun();
        fake.journal().awaitEvent(0, "stall", BOUND);

        RunView cancelled = fixture.client.cancel(run);

        assertThat(fixture.client.cancel(run)).isEqualTo(cancelled);
        assertThat(fixture.client.events(run, "end")).hasSize(1);
    }

    private record Leaderless(String run, ProcessIds holder) {}

    /** Its leader is gone, but the run goes on, because somebody holds its output open. */
    private Leaderless leaderless() {
        FakeCli fake = fixture.use(fake().attempt(a -> a.spawn("holder", SpawnMode.CHILD, o -> o.holdStdout())
                .gate("leave")
                .exit(0)));
        String run = fixture.client.createRun();
        ProcessIds holder = fake.gate("leave").awaitArrival(BOUND).kid("holder").ids();
        fake.gate("leave").release();
        await().atMost(BOUND).until(() -> fixture.client.run(run).childExited());
        assertThat(fixture.client.run(run).status()).isEqualTo(RunStatus.RUNNING);
        assertThat(holder.isAlive()).isTrue();
        return new Leaderless(run, holder);
    }

    private void start(Duration grace) {
        fixture = DaemonFixture.start(NEVER, NEVER, grace, new DirectChildOnly());
    }

    private static FakeCliBuilder fake() {
        return FakeCli.persona(Persona.CLAUDE).name("claude");
    }

    private static FakeCliBuilder stubborn() {
        return fake().attempt(a -> a.ignore(TERM)
                .spawn("stubborn", SpawnMode.CHILD, o -> o.ignore(TERM))
                .stall());
    }

    private static void succeed(Steps attempt) {
        attempt.say(init()).say(text("Done")).say(success("Done")).exit(0);
    }
}
