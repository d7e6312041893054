/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.os.linux.QuietPlatform;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.Termination.Outcome;

/** Rows P1 to P10, T6, R2, R13, S2-85, S2-86, S2-91 and what a tree must survive, on real processes. */
@EnabledOnOs(OS.LINUX)
@Timeout(100)
class RealTreeTests {
    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final Duration FORCED = Duration.ofSeconds(10);

    /** Says so, sleeps, and ends when the sleep has ended. */
    private static String sleeper(String before) {
        return before + " sleep 60 & echo ready $!; wait $!";
    }

    /** Ends in its own time after TERM, once. */
    private static final String SLOW_CLOSE =
            "trap 'trap \"\" TERM; echo stopping; sleep 0.3 & wait $!; echo close-complete; exit 0' TERM;"
                    + " echo ready; n=0; while [ $n -lt 600 ]; do sleep 0.1 & wait $!; n=$((n+1)); done";

    private static long group(long pid) {
        return ProcFacts.group(pid).orElseThrow();
    }

    private static void awaitEnd(ProcessId id) {
        StartedProcesses.awaitEnd(id);
    }

    private static ProcessTable wholeTable() {
        return QuietPlatform.get().orElseThrow().reader().wholeTable();
    }

    @Test
    void a_started_process_leads_a_group_and_session_of_its_own_and_keeps_its_number() throws Exception {
        try (Shell shell = Shell.start(sleeper(""))) {
            long pid = shell.tree().pid();
            assertThat(group(pid)).isEqualTo(pid);
            assertThat(wholeTable().row(pid).orElseThrow().sessionId()).hasValue(pid);
            assertThat(group(shell.announced(0).pid())).isEqualTo(pid);
            assertThat(shell.tree().observe().groups()).containsExactly(pid);
            assertThat(group(ProcessHandle.current().pid())).isNotEqualTo(pid);
        }
    }

    @Test
    void a_command_that_is_setsid_itself_is_left_as_it_is() throws Exception {
        ProcessBuilder builder = Shell.builder("").command("setsid", "sh", "-c", sleeper(""));
        try (Shell shell = Shell.start(builder)) {
            assertThat(group(shell.tree().pid())).isEqualTo(shell.tree().pid());
            assertThat(builder.command()).startsWith("setsid", "sh");
            shell.tree().stop(GRACE, FORCED);
            awaitEnd(shell.announced(0));
        }
        assertThatThrownBy(() -> OwnedProcessTree.start(new ProcessBuilder("setsid", "-f", "sleep", "1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void P4_a_program_that_is_not_there_is_told_as_Java_tells_it_and_nothing_is_left() {
        assertThatThrownBy(() -> OwnedProcessTree.start(new ProcessBuilder("/no/such/program", "x")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/no/such/program");
        assertThatThrownBy(() -> OwnedProcessTree.start(new ProcessBuilder("no-such-program-anywhere")))
                .isInstanceOf(IOException.class);
    }

    @Test
    void the_builder_is_not_changed_and_its_settings_hold(@TempDir Path folder) throws Exception {
        ProcessBuilder builder = Shell.builder("echo ready; echo \"$PWD $COLOUR\"; echo no >&2")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("COLOUR", "blue");
        List<String> command = List.copyOf(builder.command());
        try (Shell shell = Shell.start(builder)) {
            shell.process().waitFor();
            assertThat(shell.rest()).containsExactlyInAnyOrder(folder.toRealPath() + " blue", "no");
            shell.tree().stop(GRACE, FORCED);
        }
        assertThat(builder.command()).isEqualTo(command);
    }

    @Test
    void T6_S2_91_what_a_wrapper_left_that_exited_at_once_is_owned_and_ended() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Shell shell = Shell.start("setsid sleep 60 & echo ready $!; read go; exit 0")) {
                ProcessId child = shell.announced(0);
                await().until(() -> shell.tree().observe().member(child.pid()).isPresent());
                shell.go();
                assertThat(shell.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
                TreeStop stop = shell.tree().stop(GRACE, FORCED);
                assertThat(ProcFacts.isAlive(child)).isFalse();
                assertThat(stop.escalated()).isFalse();
                assertThat(shell.tree().observe().isEmpty()).isTrue();
            }
        }
    }

    @Test
    void a_job_of_a_command_that_ends_before_the_next_look_is_owned_through_the_session() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Shell shell = Shell.start("sleep 60 & echo ready $!")) {
                shell.tree().stop(GRACE, FORCED);
                assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
            }
        }
    }

    @Test
    void P1_repeated_stops_let_the_close_finish_and_have_one_result() throws Exception {
        try (Shell shell = Shell.start(SLOW_CLOSE)) {
            CompletableFuture<TreeStop> first =
                    CompletableFuture.supplyAsync(() -> shell.tree().stop(GRACE, FORCED));
            assertThat(shell.line()).isEqualTo("stopping");
            CompletableFuture<TreeStop> second =
                    CompletableFuture.supplyAsync(() -> shell.tree().stop(GRACE, FORCED));
            TreeStop third = shell.tree().stop(Duration.ZERO, Duration.ZERO);
            assertThat(first.get(20, TimeUnit.SECONDS)).isSameAs(third).isSameAs(second.get(20, TimeUnit.SECONDS));
            assertThat(shell.rest()).containsExactly("close-complete");
            assertThat(shell.process().exitValue()).isZero();
            assertThat(third.escalated()).isFalse();
            assertThat(shell.tree().stop(GRACE, FORCED)).isSameAs(third);
        }
    }

    @Test
    void P2_P6_SAFE_9_who_ignores_TERM_is_killed_with_what_is_in_its_group() throws Exception {
        try (Shell shell = Shell.start(sleeper("trap '' TERM;"))) {
            List<CompletableFuture<TreeStop>> stops = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                stops.add(CompletableFuture.supplyAsync(() -> shell.tree().stop(Duration.ofMillis(50), FORCED)));
            }
            TreeStop stop = stops.get(0).get(20, TimeUnit.SECONDS);
            assertThat(stop.escalated()).isTrue();
            assertThat(stop.terminations())
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allMatch(termination -> termination.outcome() == Outcome.ENDED_BY_FORCE);
            assertThat(shell.process().exitValue()).isEqualTo(128 + 9);
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
        }
    }

    @Test
    void P3_S2_70_a_process_that_has_ended_needs_nothing() throws Exception {
        try (Shell shell = Shell.start("echo ready; exit 3")) {
            shell.process().waitFor();
            TreeStop stop = shell.tree().stop(GRACE, FORCED);
            assertThat(stop.escalated()).isFalse();
            assertThat(stop.took()).isLessThan(Duration.ofSeconds(5));
            assertThat(shell.process().exitValue()).isEqualTo(3);
        }
    }

    @Test
    void P5_S2_86_a_server_in_its_own_group_sees_one_TERM_that_of_its_wrapper() throws Exception {
        String server = "setsid sh -c 'trap \"echo term; sleep 0.3; echo closed; exit 0\" TERM; echo up; n=0;"
                + " while [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done' & server=$!;";
        String wrapper =
                server + " trap 'trap \"\" TERM; kill -TERM $server; wait $server; exit 0' TERM; echo ready $server;"
                        + " wait $server; wait $server";
        try (Shell shell = Shell.start(wrapper)) {
            assertThat(shell.line()).isEqualTo("up");
            await().until(() ->
                    group(shell.announced(0).pid()) == shell.announced(0).pid());
            shell.process().toHandle().destroy(); // somebody else asks the wrapper
            assertThat(shell.line()).isEqualTo("term");
            TreeStop stop = shell.tree().stop(GRACE, FORCED);
            assertThat(shell.rest()).containsExactly("closed");
            assertThat(shell.process().exitValue()).isZero();
            assertThat(stop.escalated()).isFalse();
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
        }
    }

    @Test
    void P7_S2_84_a_descendant_of_a_crashed_leader_gets_its_TERM_and_closes(@TempDir Path folder) throws Exception {
        Path marker = folder.resolve("closed");
        String script = "setsid sh -c 'trap \"sleep 0.3; echo yes > " + marker + "; exit 0\" TERM; echo up; n=0;"
                + " while [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done' & echo ready $!; read go; exit 1";
        try (Shell shell = Shell.start(script)) {
            assertThat(shell.line()).isEqualTo("up");
            await().until(() -> shell.tree().observe().groups().size() == 2);
            shell.go();
            assertThat(shell.process().waitFor()).isEqualTo(1);
            TreeStop stop = shell.tree().stop(GRACE, FORCED);
            assertThat(marker).exists();
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
            assertThat(stop.outcomeOf(shell.announced(0))).isEqualTo(Outcome.EXITED_ON_REQUEST);
        }
    }

    /** A process that this JVM started, observed through a reader that a test may break. */
    private static OwnedProcessTree withReader(Process process, BreakableReader reader, SignalSender sender) {
        return OwnedProcessTree.of(DirectChild.of(process), reader, sender, Pacing.REAL, TreeOptions.DEFAULT, false);
    }

    private static Process leader(String script) throws IOException {
        Process process = new ProcessBuilder("setsid", "sh", "-c", script).start();
        await().until(() -> ProcFacts.group(process.pid()).orElse(0L) == process.pid());
        return process;
    }

    private static final class CountingSender implements SignalSender {
        private final SignalSender real = QuietPlatform.get().orElseThrow().sender();
        private final AtomicInteger groupSignals = new AtomicInteger();

        @Override
        public Delivery send(ProcessId target, Signal signal) {
            return real.send(target, signal);
        }

        @Override
        public Delivery send(GroupTarget target, Signal signal) {
            groupSignals.incrementAndGet();
            return real.send(target, signal);
        }
    }

    @Test
    void P8_S2_82_a_stop_that_failed_in_the_middle_goes_on_without_a_second_TERM() throws Exception {
        Process process = leader(SLOW_CLOSE);
        try (StartedProcesses started = new StartedProcesses();
                BufferedReader output = process.inputReader()) {
            started.own(process.pid());
            assertThat(output.readLine()).isEqualTo("ready");
            BreakableReader reader = new BreakableReader();
            OwnedProcessTree tree = withReader(process, reader, new CountingSender());
            CompletableFuture<Throwable> first =
                    CompletableFuture.supplyAsync(() -> catchThrowable(() -> tree.stop(GRACE, FORCED)));
            assertThat(output.readLine()).isEqualTo("stopping");
            reader.breakOnce();
            assertThat(first.get(20, TimeUnit.SECONDS)).hasMessageContaining("Could not inspect");
            assertThat(tree.stop(GRACE, FORCED).escalated()).isFalse();
            assertThat(output.lines().toList()).containsExactly("close-complete");
            assertThat(process.exitValue()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void P9_S2_74_S2_78_SAFE_12_without_a_table_the_direct_child_alone_is_ended(boolean launcher, boolean throwing)
            throws Exception {
        Process process = leader("trap '' TERM; sleep 60 & echo ready $!; wait $!; sleep 60");
        try (StartedProcesses started = new StartedProcesses();
                BufferedReader output = process.inputReader()) {
            ProcessId root = started.own(process.pid());
            ProcessId child = started.own(Long.parseLong(output.readLine().substring("ready ".length())));
            BreakableReader reader = new BreakableReader();
            reader.breakForGood(throwing);
            CountingSender sender = new CountingSender();
            OwnedProcessTree tree = OwnedProcessTree.of(
                    DirectChild.of(process),
                    reader,
                    sender,
                    Pacing.REAL,
                    launcher ? TreeOptions.DEFAULT : TreeOptions.DEFAULT.askingRootOnly(),
                    false);
            assertThatThrownBy(() -> tree.stop(Duration.ofMillis(100), FORCED))
                    .hasMessageStartingWith("Owned tree cleanup incomplete: ");
            assertThat(process.exitValue()).isEqualTo(128 + 9);
            assertThat(ProcFacts.isAlive(root)).isFalse();
            assertThat(ProcFacts.isAlive(child)).isTrue();
            assertThat(sender.groupSignals).hasValue(0);
        }
    }

    @Test
    void P10_S2_54_SAFE_7_a_child_whose_wrapper_has_passed_TERM_on_is_not_asked_again() throws Exception {
        String child = "setsid sh -c 'trap \"echo term; sleep 0.3; echo closed; exit 0\" TERM; echo up; n=0;"
                + " while [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done' & child=$!;";
        String wrapper = child + " trap 'kill -TERM $child; exit 0' TERM; echo ready $child; wait $child";
        for (int i = 0; i < 5; i++) {
            try (Shell shell = Shell.start(wrapper)) {
                assertThat(shell.line()).isEqualTo("up");
                await().until(() -> shell.tree().observe().groups().size() == 2);
                TreeStop stop = shell.tree().stop(GRACE, FORCED);
                assertThat(shell.rest()).containsExactly("term", "closed");
                assertThat(shell.process().exitValue()).isZero();
                assertThat(stop.escalated()).isFalse();
                assertThat(stop.outcomeOf(shell.announced(0))).isEqualTo(Outcome.EXITED_ON_REQUEST);
            }
        }
    }

    @Test
    void S12_SAFE_3_a_plain_child_is_stopped_with_what_is_below_it_and_this_JVM_and_its_other_children_live()
            throws Exception {
        try (StartedProcesses others = new StartedProcesses();
                Shell shell = Shell.plain(sleeper(""))) {
            ProcessId bystander =
                    others.own(new ProcessBuilder("sleep", "60").start().pid());
            assertThat(group(shell.tree().pid()))
                    .isEqualTo(group(ProcessHandle.current().pid()));
            assertThat(shell.tree().observe().groups()).isEmpty();
            TreeStop stop = shell.tree().stop(GRACE, FORCED);
            assertThat(stop.escalated()).isFalse();
            assertThat(stop.outcomeOf(shell.announced(0))).isEqualTo(Outcome.EXITED_ON_REQUEST);
            assertThat(ProcFacts.isAlive(bystander)).isTrue();
        }
    }

    @Test
    void the_group_door_refuses_the_group_of_this_JVM_whatever_the_target_says() {
        long own = group(ProcessHandle.current().pid());
        ProcessId self = ProcFacts.identity(ProcessHandle.current().pid()).orElseThrow();
        SignalSender sender = QuietPlatform.get().orElseThrow().sender();
        if (own > 1) {
            GroupTarget lie = new GroupTarget(own, List.of(self), 999_999);
            assertThatThrownBy(() -> sender.send(lie, Signal.CONT)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void stopped_members_act_on_TERM() throws Exception {
        try (Shell shell = Shell.start(sleeper(""))) {
            QuietPlatform.get().orElseThrow().sender().send(shell.announced(0), Signal.STOP);
            StartedProcesses.awaitState(shell.announced(0), "T");
            TreeStop stop = shell.tree().stop(GRACE, FORCED);
            assertThat(stop.escalated()).isFalse();
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
        }
    }

    @Test
    void a_leaderless_group_is_stopped_member_by_member() throws Exception {
        try (Shell shell = Shell.start("sh -c 'trap \"\" TERM; echo ready $$; n=0; while [ $n -lt 60 ]; do sleep 1;"
                + " n=$((n+1)); done' & exit 0")) {
            shell.process().waitFor();
            assertThat(shell.tree().observe().groups())
                    .containsExactly(shell.tree().pid());
            TreeStop stop = shell.tree().stop(Duration.ofMillis(200), FORCED);
            assertThat(stop.outcomeOf(shell.announced(0))).isEqualTo(Outcome.ENDED_BY_FORCE);
            assertThat(ProcFacts.isAlive(shell.announced(0))).isFalse();
        }
    }

    @Test
    void a_tree_that_forks_a_hundred_times_a_second_is_gone_in_bounded_time() throws Exception {
        // Ignores TERM; every child is a session of its own that lives on, 300 at most.
        String script = "trap '' TERM; echo ready; n=0; while [ $n -lt 300 ]; do setsid sleep 60 >/dev/null 2>&1 &"
                + " n=$((n+1)); sleep 0.01; done; sleep 30";
        try (Shell shell = Shell.start(script)) {
            await().until(() -> shell.tree().observe().members().size() > 20);
            long begin = System.nanoTime();
            TreeStop stop = shell.tree().stop(Duration.ofMillis(300), FORCED);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
            assertThat(stop.terminations())
                    .hasSizeGreaterThan(20)
                    .allMatch(t -> t.outcome().isGone());
            assertThat(wholeTable().rows())
                    .filteredOn(
                            row -> row.isAlive() && stop.terminations().stream().anyMatch(t -> t.id().equals(row.id())))
                    .isEmpty();
        }
    }

    @Test
    void S10_a_respawner_is_stopped_with_its_newest_child() throws Exception {
        String script = "trap '' TERM; i=0; while [ $i -lt 40 ]; do setsid sleep 60 >/dev/null & p=$!;"
                + " [ $i -eq 0 ] && echo ready $p; i=$((i+1)); wait $p; done";
        for (int i = 0; i < 5; i++) {
            try (Shell shell = Shell.start(script)) {
                await().until(() -> shell.tree().observe().members().size() == 2);
                TreeStop stop = shell.tree().stop(Duration.ofMillis(100), FORCED);
                assertThat(shell.tree().observe().isEmpty()).isTrue();
                assertThat(stop.terminations()).hasSize(2);
            }
        }
    }

    @Test
    void signals_other_than_TERM_go_to_selected_groups(@TempDir Path folder) throws Exception {
        Path got = folder.resolve("got");
        Path script = Files.writeString(
                folder.resolve("inner.sh"),
                "trap 'echo usr1 >> " + got + "' USR1; echo ready $$; n=0;"
                        + " while [ $n -lt 600 ]; do sleep 0.1; n=$((n+1)); done");
        try (Shell shell = Shell.start("setsid sh " + script + " & wait; wait")) {
            long inner = shell.announced(0).pid();
            assertThat(shell.tree().signal(TreeSignal.USR1, Set.of(inner))).containsExactly(inner);
            await().until(() -> Files.exists(got));
            shell.tree().stop(Duration.ofMillis(300), FORCED);
        }
    }

    @Test
    void a_runner_survives_stop_and_close_and_is_ended_by_the_last_stop() throws Exception {
        String script =
                "setsid sleep 60 >/dev/null & daemon=$!; setsid sleep 60 >/dev/null & echo ready $daemon $!; wait";
        try (Shell shell = Shell.start(script)) {
            ProcessId daemon = shell.announced(0);
            await().until(() -> shell.tree().observe().groups().size() == 3);
            shell.tree().preserve(daemon);
            shell.tree().stop(Duration.ofMillis(300), FORCED);
            shell.tree().close();
            assertThat(ProcFacts.isAlive(daemon)).isTrue();
            assertThat(ProcFacts.isAlive(shell.announced(1))).isFalse();
            shell.tree().requireRunnerAlive();
            shell.tree().stopEverything(GRACE, FORCED);
            assertThat(ProcFacts.isAlive(daemon)).isFalse();
        }
    }

    @Test
    void nothing_is_left_in_the_table_of_what_a_hundred_trees_started() throws Exception {
        List<ProcessId> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try (OwnedProcessTree tree =
                    OwnedProcessTree.start(new ProcessBuilder("sh", "-c", "sleep 60 & sleep 60 & wait"))) {
                tree.observe().members().forEach(member -> all.add(member.id()));
            }
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(100);
        assertThat(all).noneMatch(ProcFacts::isAlive);
        await().atMost(20, TimeUnit.SECONDS)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("noorphans-tree-"))
                                .count()
                        < 50);
    }

    @Test
    void an_owner_that_nobody_holds_any_more_ends_its_thread() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try (StartedProcesses started = new StartedProcesses()) {
            started.own(process.pid());
            OwnedProcessTree.own(process, TreeOptions.DEFAULT.observeEvery(Duration.ofMillis(5)));
            String name = "noorphans-tree-" + process.pid();
            await().atMost(30, TimeUnit.SECONDS).until(() -> {
                System.gc();
                return Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals(name));
            });
        }
    }

    @Test
    void five_hundred_processes_in_fifty_groups_are_stopped() throws Exception {
        String script =
                "i=0; while [ $i -lt 50 ]; do setsid sh -c 'j=0; while [ $j -lt 9 ]; do sleep 60 & j=$((j+1)); done;"
                        + " wait' & i=$((i+1)); done; echo ready; wait";
        try (Shell shell = Shell.start(script)) {
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> shell.tree().observe().members().size() >= 501);
            List<OwnedProcess> members = shell.tree().observe().members();
            TreeStop stop = shell.tree().stop(Duration.ofMillis(500), Duration.ofSeconds(20));
            assertThat(stop.terminations())
                    .hasSizeGreaterThanOrEqualTo(501)
                    .allMatch(t -> t.outcome().isGone());
            assertThat(members).noneMatch(member -> ProcFacts.isAlive(member.id()));
        }
    }

    @Test
    void identities_are_told_with_group_and_start() throws Exception {
        try (Shell shell = Shell.start(sleeper(""))) {
            OwnedProcess root =
                    shell.tree().observe().member(shell.tree().pid()).orElseThrow();
            assertThat(Optional.of(root.id())).isEqualTo(ProcFacts.identity(root.pid()));
            assertThat(root.groupId()).hasValue(root.pid());
            assertThat(shell.tree().diagnosis()).contains("pid " + root.pid()).contains("group " + root.pid());
        }
    }
}
