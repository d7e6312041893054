/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.Signal.TERM;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.noorphans.fakecli.FakeCli;
import org.noorphans.fakecli.FakeCliBuilder;
import org.noorphans.fakecli.Steps;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.SpawnMode;

/** What a stall leads to, row by row (S1-n). */
class RunRetryTests {

    /** Short where a stall is wanted: it can only come too late, which does no harm. */
    private static final Duration SHORT = Duration.ofMillis(400);

    /** Long enough for an agent to start and to speak on a busy machine. */
    private static final Duration LONG = Duration.ofMillis(1500);

    private static final Duration AT_ONCE = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration GRACE = Duration.ofMillis(300);
    private static final Duration BOUND = Duration.ofSeconds(15);

    private DaemonFixture fixture;

    @AfterEach
    void leave_nothing_behind() {
        fixture.close();
    }

    // S1-31
    @Test
    void an_agent_that_says_nothing_stalls_after_the_limit_and_not_before() {
        start(SHORT, NEVER, new WholeGroup());
        fixture.use(fake().attempt(Steps::stall));
        String run = fixture.client.createRun();

        RunEvent stalled = awaitEvent(run, "stalled");

        RunEvent begun = fixture.client.events(run, "start").get(0);
        assertThat(stalled.atMillis() - begun.atMillis()).isGreaterThanOrEqualTo(SHORT.toMillis());
    }

    // S1-31: zero means never.
    @Test
    void without_a_limit_silence_is_no_stall() {
        start(Duration.ZERO, AT_ONCE, new WholeGroup());
        fixture.use(fake().attempt(a -> a.delay(LONG).exit(0)));

        RunView view = fixture.client.awaitEnd(fixture.client.createRun());

        assertThat(view.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(view.attempts()).isEqualTo(1);
    }

    // S1-33: bytes without a line end on one stream, lines on the other; all together longer than the limit.
    @Test
    void every_byte_on_either_stream_restarts_the_timer() {
        start(LONG, AT_ONCE, new WholeGroup());
        Duration pause = LONG.dividedBy(4);
        fixture.use(fake().attempt(a -> {
            for (int i = 0; i < 4; i++) {
                a.delay(pause).partial(".").delay(pause).err("busy");
            }
            a.exit(0);
        }));
        String run = fixture.client.createRun();

        RunView view = fixture.client.awaitEnd(run);

        assertThat(view.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(fixture.client.events(run, "stalled")).isEmpty();
        long begun = fixture.client.events(run, "start").get(0).atMillis();
        long ended = fixture.client.events(run, "end").get(0).atMillis();
        assertThat(ended - begun).isGreaterThan(LONG.toMillis());
    }

    // S1-41: greetings are not output.
    @Test
    void a_stall_before_the_first_token_is_retried_once() {
        start(LONG, AT_ONCE, new WholeGroup());
        fixture.use(fake().attempt(a -> a.say(init()).stall()).attempt(RunRetryTests::recover));

        RunView view = fixture.client.awaitEnd(fixture.client.createRun());

        assertThat(view.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(view.attempts()).isEqualTo(2);
    }

    // S1-41
    @Test
    void the_second_stall_is_the_end() {
        start(SHORT, AT_ONCE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(Steps::stall)
                .attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()));
        String run = fixture.client.createRun();

        RunView view = fixture.client.awaitEnd(run);

        assertThat(view.status()).isEqualTo(RunStatus.FAILED);
        assertThat(view.errorCode()).isEqualTo("AGENT_STALLED");
        assertThat(view.attempts()).isEqualTo(2);
        assertThat(fixture.client.events(run, "retry")).hasSize(1);
        fake.verify(BOUND);
    }

    // S1-41: the client has seen something, which must not be said twice.
    @Test
    void a_stall_after_output_is_not_retried() {
        start(LONG, AT_ONCE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(a ->
                a.spawn("mcp", SpawnMode.CHILD).say(init()).say(text("Once")).stall()));

        RunView view = fixture.client.awaitEnd(fixture.client.createRun());

        assertThat(view.status()).isEqualTo(RunStatus.FAILED);
        assertThat(view.errorCode()).isEqualTo("AGENT_STALLED");
        assertThat(view.attempts()).isEqualTo(1);
        fake.verify(BOUND);
    }

    // S1-41: an agent that gives up by itself was not stalled.
    @Test
    void an_exit_code_is_not_retried() {
        start(NEVER, AT_ONCE, new WholeGroup());
        fixture.use(fake().attempt(a -> a.err("401").exit(3)));

        RunView view = fixture.client.awaitEnd(fixture.client.createRun());

        assertThat(view.status()).isEqualTo(RunStatus.FAILED);
        assertThat(view.exitCode()).isEqualTo(3);
        assertThat(view.signal()).isNull();
        assertThat(view.attempts()).isEqualTo(1);
    }

    // S1-45, S1-46, S1-51: the backoff never ends here, and yet the old attempt does.
    @Test
    void the_failed_attempt_is_ended_and_forgotten_before_the_backoff() {
        start(SHORT, NEVER, new WholeGroup());
        FakeCli fake =
                fixture.use(fake().attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall()));
        String run = fixture.client.createRun();
        Invocation failed = fake.journal().awaitEvent(0, "stall", BOUND);

        awaitEvent(run, "retry");

        assertThat(fixture.client.run(run))
                .isEqualTo(new RunView(run, RunStatus.QUEUED, 1, null, null, false, null, null, null, null));
        await().atMost(BOUND)
                .until(() -> !failed.isAlive() && !failed.kid("mcp").ids().isAlive());
        assertThat(fixture.client.events(run))
                .extracting(RunEvent::type)
                .containsSubsequence("start", "stalled", "signal", "retry")
                .doesNotContain("end");
    }

    // S1-47: the descendant ignores TERM.
    @Test
    void who_ignores_term_is_killed_after_the_grace() {
        start(SHORT, AT_ONCE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(a -> a.spawn("stubborn", SpawnMode.CHILD, o -> o.ignore(TERM))
                        .stall())
                .attempt(RunRetryTests::recover));
        String run = fixture.client.createRun();
        ProcessIds stubborn =
                fake.journal().awaitEvent(0, "stall", BOUND).kid("stubborn").ids();

        await().atMost(BOUND).until(() -> !stubborn.isAlive());

        fixture.client.awaitEnd(run);
        List<RunEvent> signals = fixture.client.events(run, "signal");
        assertThat(signals)
                .extracting(RunEvent::detail)
                .containsExactly("SIGTERM to the group", "SIGKILL to the group");
        assertThat(signals.get(1).atMillis() - signals.get(0).atMillis()).isGreaterThanOrEqualTo(GRACE.toMillis());
    }

    // S1-48, S1-49: nobody is left, neither the agent nor a group.
    @Test
    void ending_an_attempt_that_has_gone_is_no_error() throws IOException {
        start(NEVER, AT_ONCE, new WholeGroup());
        Attempt gone = spawn("true");
        await().atMost(BOUND).until(gone::agentExited);

        assertThat(new WholeGroup().tearDown(gone, GRACE)).succeedsWithin(BOUND).isEqualTo(Signal.TERM);
        assertThat(new DirectChildOnly().tearDown(gone, GRACE)).isCompleted();
        assertThat(gone.signalAgent(Signal.TERM)).isFalse();
    }

    // S1-50: the agent is still there, so nobody but the daemon can have closed these pipes.
    @Test
    void the_pipes_of_the_failed_attempt_are_given_back() throws IOException {
        start(SHORT, NEVER, new DirectChildOnly());
        FakeCli fake = fixture.use(fake().attempt(a -> a.ignore(TERM).stall()));
        String run = fixture.client.createRun();
        Invocation failed = fake.journal().awaitEvent(0, "stall", BOUND);
        List<Path> pipes = pipes(failed.ids().pid()).stream()
                .filter(pipes(self())::contains)
                .toList();
        assertThat(pipes).as("standard input, output and error").hasSize(3);

        awaitEvent(run, "retry");

        assertThat(failed.isAlive()).isTrue();
        assertThat(pipes(self())).doesNotContainAnyElementsOf(pipes);
    }

    // S1-53, S1-54: TERM is ignored, so the KILL for the first attempt comes while the second is speaking.
    @Test
    void the_kill_for_the_failed_attempt_does_not_hit_the_retry() {
        start(LONG, AT_ONCE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(a -> a.ignore(TERM)
                        .spawn("stubborn", SpawnMode.CHILD, o -> o.ignore(TERM))
                        .stall())
                .attempt(a -> {
                    a.say(init());
                    for (int i = 0; i < 14; i++) {
                        a.delay(Duration.ofMillis(100)).partial(" ");
                    }
                    recover(a);
                }));
        String run = fixture.client.createRun();

        RunView view = fixture.client.awaitEnd(run);

        assertThat(view.status()).isEqualTo(RunStatus.SUCCEEDED);
        assertThat(view.exitCode()).isZero();
        assertThat(view.signal()).isNull();
        List<RunEvent> events = fixture.client.events(run);
        RunEvent kill = events.stream()
                .filter(e -> e.detail().startsWith("SIGKILL"))
                .findFirst()
                .orElseThrow();
        assertThat(kill.attempt()).isEqualTo(1);
        assertThat(kill.sequence())
                .isGreaterThan(fixture.client.events(run, "start").get(1).sequence())
                .isLessThan(fixture.client.events(run, "end").get(0).sequence());
        fake.verify(BOUND);
    }

    // S1-55, S1-56
    @Test
    void one_retry_makes_two_starts_and_one_end_with_a_fresh_session_each() {
        start(SHORT.multipliedBy(3), AT_ONCE, new WholeGroup());
        FakeCli fake = fixture.use(fake().attempt(Steps::stall).attempt(RunRetryTests::recover));
        String run = fixture.client.createRun();

        fixture.client.awaitEnd(run);

        assertThat(fixture.client.events(run, "start")).hasSize(2);
        assertThat(fixture.client.events(run, "end")).hasSize(1);
        assertThat(fake.journal().attempts())
                .extracting(RunRetryTests::sessionId)
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    // S1-30: more than a pipe holds, so the write breaks for certain.
    @Test
    void an_agent_need_not_read_its_prompt() {
        start(NEVER, AT_ONCE, new WholeGroup());
        fixture.use("exec <&-; exit 0");

        String run = fixture.client.createRun("please ".repeat(50_000));

        assertThat(fixture.client.awaitEnd(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    }

    // S1-27
    @Test
    void a_missing_agent_is_a_failure_without_an_attempt() {
        start(NEVER, AT_ONCE, new WholeGroup());
        fixture.client.configure(fixture.folder().resolve("missing"));

        RunView view = fixture.client.run(fixture.client.createRun());

        assertThat(view.status()).isEqualTo(RunStatus.FAILED);
        assertThat(view.errorCode()).isEqualTo("AGENT_UNAVAILABLE");
        assertThat(view.attempts()).isZero();
    }

    private void start(Duration inactivity, Duration backoff, Teardown teardown) {
        fixture = DaemonFixture.start(inactivity, backoff, GRACE, teardown);
    }

    private RunEvent awaitEvent(String run, String type) {
        return await().atMost(BOUND)
                .until(() -> fixture.client.events(run, type), found -> !found.isEmpty())
                .get(0);
    }

    private Attempt spawn(String script) throws IOException {
        Path agent = fixture.use(script).resolve("claude");
        Attempt.Listener nobody = new Attempt.Listener() {
            @Override
            public void stalled(Attempt attempt) {}

            @Override
            public void ended(Attempt attempt, int exitValue) {}

            @Override
            public void event(Attempt attempt, String type, String detail) {}
        };
        var cli = new AgentCli("claude", agent, System.getenv());
        Attempt attempt = Attempt.spawn(
                1, cli, onSilence -> new Watchdog(DaemonThreads.timer(), Duration.ZERO, onSilence), nobody);
        fixture.processes.register(attempt.pid());
        attempt.begin("hello");
        return attempt;
    }

    private static FakeCliBuilder fake() {
        return FakeCli.persona(Persona.CLAUDE).name("claude");
    }

    private static void recover(Steps attempt) {
        attempt.say(init()).say(text("Recovered")).say(success("Recovered")).exit(0);
    }

    private static String sessionId(Invocation call) {
        return call.arguments().get(call.arguments().indexOf("--session-id") + 1);
    }

    private static long self() {
        return ProcessHandle.current().pid();
    }

    /** The pipes a process holds, as the kernel names them: "pipe:[4711]". */
    private static List<Path> pipes(long pid) throws IOException {
        List<Path> pipes = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    pipes.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException closedMeanwhile) {
                    // Not a pipe that is held.
                }
            }
        }
        return pipes.stream()
                .filter(target -> target.toString().startsWith("pipe:"))
                .toList();
    }
}
