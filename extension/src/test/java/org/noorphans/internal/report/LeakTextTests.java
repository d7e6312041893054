/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.noorphans.model.Ancestor;
import org.noorphans.model.Evidence;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.Survivor;
import org.noorphans.model.Termination;
import org.noorphans.model.Termination.Outcome;

class LeakTextTests {
    private static final ScopeId TEST = new ScopeId(3, ScopeKind.TEST, "RetryTests.kills_the_failed_attempt()");
    private static final ScopeId CLASS = new ScopeId(2, ScopeKind.CLASS, "RetryTests");

    private static ProcessRow row(long pid, ProcessState state) {
        return new ProcessRow(
                new ProcessId(pid, 99), 4702, OptionalLong.of(4702), OptionalLong.of(4702), state, "node");
    }

    private static Survivor survivor(String commandLine) {
        return new Survivor(
                row(4711, ProcessState.SLEEPING),
                commandLine,
                Duration.ofMillis(3_200),
                TEST,
                List.of(),
                true,
                Optional.empty(),
                Optional.empty(),
                List.of(new Evidence.ChildOfJvm()));
    }

    private static Leak leak(Survivor survivor, Outcome outcome, long afterMillis, boolean termSent) {
        return new Leak(
                survivor,
                new Termination(survivor.id(), outcome, Duration.ofMillis(afterMillis), termSent, Optional.empty()));
    }

    private static Leak leak(Survivor survivor) {
        return leak(survivor, Outcome.EXITED_ON_REQUEST, 12, true);
    }

    private static LeakReport report(Leak... leaks) {
        return new LeakReport(TEST, List.of(leaks), Duration.ofMillis(2_003), 0, List.of());
    }

    private static String ending(Outcome outcome, long afterMillis, boolean termSent) {
        return LeakText.of(report(leak(survivor("node"), outcome, afterMillis, termSent)))
                .lines()
                .filter(line -> line.startsWith("    ended"))
                .map(line -> line.substring(14))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tells_one_process_with_its_chain() {
        Survivor survivor = new Survivor(
                row(4711, ProcessState.SLEEPING),
                "node /opt/agent/mcp-server.js",
                Duration.ofMillis(3_200),
                TEST,
                List.of(
                        new Ancestor(new ProcessId(4702, 98), "sh claude", Optional.of(Duration.ofMillis(2_100))),
                        new Ancestor(new ProcessId(4701, 97), "timeout 60 sh claude", Optional.empty())),
                true,
                Optional.of("worker-1"),
                Optional.empty(),
                List.of(
                        new Evidence.Mark(77, TEST, true),
                        new Evidence.Descent(4702, false),
                        new Evidence.SharedGroup(4702, false),
                        new Evidence.Adopted(100)));
        assertThat(LeakText.of(report(leak(survivor, Outcome.ENDED_BY_FORCE, 5_000, true))))
                .isEqualTo("""
                        RetryTests.kills_the_failed_attempt() left 1 process running:

                          pid 4711  node /opt/agent/mcp-server.js         state S, group 4702, session 4702, parent 4702, age 3.2 s
                            started   by sh claude (pid 4702, ended 2.1 s ago) < timeout 60 sh claude (pid 4701) < this test, thread "worker-1"
                            because   it inherited the mark 77 of this test; its parent pid 4702, now gone, belongs to the same scope; it is in the group 4702 that this scope created; it lost its parent and was adopted by pid 100
                            ended     by SIGKILL after 5 s (it did not end on SIGTERM)

                        Waited 2 s for it to end without help.""");
    }

    @Test
    void tells_several_processes_and_latecomers() {
        var second = new Survivor(
                row(4712, ProcessState.STOPPED),
                "[sleep]",
                Duration.ofMillis(40),
                CLASS,
                List.of(),
                false,
                Optional.empty(),
                Optional.empty(),
                List.of(new Evidence.StartedInside(List.of("a()", "b()"))));
        var report = new LeakReport(
                CLASS,
                List.of(leak(survivor("node")), leak(second, Outcome.NOT_PERMITTED, 0, false)),
                Duration.ofMillis(999),
                2,
                List.of());
        assertThat(LeakText.of(report)).isEqualTo("""
                        RetryTests left 2 processes running:

                          pid 4711  node                                  state S, group 4702, session 4702, parent 4702, age 3.2 s
                            started   by this test
                            owner     RetryTests.kills_the_failed_attempt(), which had ended before this was seen
                            because   it is a child of this JVM
                            ended     by SIGTERM after 12 ms

                          pid 4712  [sleep]                               state T, stopped, group 4702, session 4702, parent 4702, age 40 ms
                            started   by a process that was gone before it was seen < this class
                            because   it started while these were open and nothing tells them apart: a(), b()
                            ended     NOT: the system refused the signal (EPERM); it belongs to another user

                        Waited 999 ms for them to end without help. 2 more that were started meanwhile were ended too. \
                        A process that is started in @BeforeAll belongs to the class; end it in @AfterAll.""");
    }

    @Test
    void tells_one_latecomer_in_the_singular() {
        var report = new LeakReport(TEST, List.of(leak(survivor("node"))), Duration.ZERO, 1, List.of());
        assertThat(LeakText.of(report))
                .endsWith("Waited 0 ms for it to end without help. 1 more that was started meanwhile was ended too.");
    }

    @Test
    void leaves_out_what_the_system_cannot_tell() {
        var bare = new Survivor(
                new ProcessRow(
                        new ProcessId(7, 1), 1, OptionalLong.empty(), OptionalLong.empty(), ProcessState.UNKNOWN, "x"),
                "x",
                Duration.ZERO,
                TEST,
                List.of(),
                true,
                Optional.empty(),
                Optional.empty(),
                List.of(new Evidence.ChildOfJvm()));
        assertThat(LeakText.of(report(leak(bare))))
                .contains("  pid 7  x" + " ".repeat(37) + "state ?, parent 1, age 0 ms\n");
    }

    @Nested
    class The_end_of_a_process {
        @Test
        void on_request() {
            assertThat(ending(Outcome.EXITED_ON_REQUEST, 12, true)).isEqualTo("by SIGTERM after 12 ms");
            assertThat(ending(Outcome.EXITED_ON_REQUEST, 12, false))
                    .isEqualTo("by the SIGTERM to its owner after 12 ms");
        }

        @Test
        void by_force() {
            assertThat(ending(Outcome.ENDED_BY_FORCE, 5_010, true))
                    .isEqualTo("by SIGKILL after 5 s (it did not end on SIGTERM)");
            assertThat(ending(Outcome.ENDED_BY_FORCE, 5_010, false))
                    .isEqualTo("by SIGKILL after 5 s (the SIGTERM to its owner did not end it)");
        }

        @Test
        void by_itself() {
            assertThat(ending(Outcome.EXITED_BY_ITSELF, 0, false)).isEqualTo("by itself, after the verdict");
            assertThat(ending(Outcome.NOT_THE_SAME_PROCESS, 0, false))
                    .isEqualTo("by itself: its number belongs to another process now, which was not signalled");
        }

        @Test
        void that_did_not_come() {
            assertThat(ending(Outcome.STILL_THERE, 10_000, true)).isEqualTo("NOT: still there after 10 s");
            assertThat(ending(Outcome.NOT_PERMITTED, 0, false))
                    .isEqualTo("NOT: the system refused the signal (EPERM); it belongs to another user");
            assertThat(ending(Outcome.LEFT_ALONE, 0, false)).isEqualTo("NOT: left running, because kill = false");
        }
    }

    /** A process chooses its name, its arguments and its title. */
    @Nested
    class Hostile_text {
        private static final String NASTY = "\u001b[2J\u001b[H\n  pid 1  init  (all is well)\r\t\u202e\u0000";
        private static final String SHOWN = "\\u001b[2J\\u001b[H\\n  pid 1  init  (all is well)\\r\\t\\u202e\\u0000";

        @Test
        void breaks_no_line_wherever_it_stands() {
            var evil = new ScopeId(4, ScopeKind.TEST, NASTY);
            var survivor = new Survivor(
                    row(4711, ProcessState.SLEEPING),
                    NASTY,
                    Duration.ofMillis(3_200),
                    evil,
                    List.of(new Ancestor(new ProcessId(4702, 98), NASTY, Optional.empty())),
                    true,
                    Optional.of(NASTY),
                    Optional.empty(),
                    List.of(
                            new Evidence.ForkingThread(NASTY, true),
                            new Evidence.StartedInside(List.of(NASTY, "other"))));
            String text = LeakText.of(new LeakReport(
                    new ScopeId(5, ScopeKind.TEST, NASTY), List.of(leak(survivor)), Duration.ZERO, 0, List.of()));
            assertThat(text).isEqualTo("""
                            NASTY left 1 process running:

                              pid 4711  NASTY  state S, group 4702, session 4702, parent 4702, age 3.2 s
                                started   by NASTY (pid 4702) < this test, thread "NASTY"
                                owner     NASTY, which had ended before this was seen
                                because   thread "NASTY" of this test forked it; it started while these were open and nothing tells them apart: NASTY, other
                                ended     by SIGTERM after 12 ms

                            Waited 0 ms for it to end without help.""".replace("by NASTY (", "by " + OneLine.cut(SHOWN, 60) + " (")
                    .replace("NASTY", SHOWN));
        }

        @Test
        void is_cut_in_the_middle_if_it_is_long() {
            String text = LeakText.of(report(leak(survivor("java -cp " + "x".repeat(60_000) + " org.example.Main"))));
            assertThat(text.lines().map(String::length)).allMatch(length -> length < 260);
            assertThat(text).contains("  pid 4711  java -cp xxx").contains("xxx org.example.Main  state S");
        }
    }

    @Test
    void tells_what_went_wrong_with_a_signal() {
        Survivor survivor = survivor("node");
        var termination = new Termination(
                survivor.id(), Outcome.STILL_THERE, Duration.ofSeconds(7), true, Optional.of("errno 24\nand more"));
        assertThat(LeakText.of(report(new Leak(survivor, termination))))
                .contains("    ended     NOT: still there after 7 s; errno 24\\nand more\n");
    }

    @Nested
    class A_link_of_the_chain {
        private static String link(String commandLine) {
            Survivor survivor = new Survivor(
                    row(4711, ProcessState.SLEEPING),
                    "node",
                    Duration.ZERO,
                    TEST,
                    List.of(new Ancestor(new ProcessId(4702, 98), commandLine, Optional.empty())),
                    true,
                    Optional.empty(),
                    Optional.empty(),
                    List.of(new Evidence.ChildOfJvm()));
            return LeakText.of(report(leak(survivor)))
                    .lines()
                    .filter(line -> line.startsWith("    started"))
                    .map(line -> line.substring(17, line.indexOf(" (pid 4702)")))
                    .findFirst()
                    .orElseThrow();
        }

        @ParameterizedTest
        @CsvSource({
            "/bin/sh /opt/bin/claude -p, sh claude -p",
            "sh ./run.sh a/b, sh ./run.sh a/b",
            "curl http://host/path, curl http://host/path",
            "ls /, ls /",
            "ls /tmp/, ls tmp/",
            "/usr/bin/node, node",
            "[node], [node]",
            "sh --log=/var/log/x, sh --log=/var/log/x"
        })
        void has_paths_reduced_to_their_last_part(String commandLine, String shown) {
            assertThat(link(commandLine)).isEqualTo(shown);
        }

        @Test
        void may_be_a_very_long_path() {
            assertThat(link("/a".repeat(30_000))).isEqualTo("a");
            assertThat(link("/".repeat(60_000))).hasSizeLessThanOrEqualTo(60);
            assertThat(link("a /".repeat(20_000))).hasSizeLessThanOrEqualTo(60);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-5, 0 ms",
        "0, 0 ms",
        "999, 999 ms",
        "1000, 1 s",
        "1049, 1 s",
        "1050, 1.1 s",
        "3200, 3.2 s",
        "59949, 59.9 s",
        "60000, 1 min",
        "90000, 1 min",
        "3600000, 60 min"
    })
    void spells_durations_as_people_say_them(long millis, String spelt) {
        assertThat(LeakText.spell(Duration.ofMillis(millis))).isEqualTo(spelt);
    }

    @Test
    void spells_no_sixty_seconds() {
        assertThat(LeakText.spell(Duration.ofMillis(59_999))).isNotEqualTo("60 s");
    }
}
