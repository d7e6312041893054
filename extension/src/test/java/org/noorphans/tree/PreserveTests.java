/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessState;
import org.noorphans.model.Termination.Outcome;

/** Rows S2-58 to S2-68, S2-87 to S2-90, R1 to R12. Controller 100, daemon 200 with 201, plain child 300, stranger 900. */
class PreserveTests {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration FORCED = Duration.ofSeconds(5);

    private final FakeSystem system = new FakeSystem();

    private OwnedProcessTree controller() {
        system.add(100, FakeSystem.CALLER, 100);
        system.add(200, 100, 200).named("paperclip-runne");
        system.add(201, 200, 200);
        system.add(300, 100, 300);
        system.add(900, FakeSystem.CALLER, 900);
        OwnedProcessTree tree = system.own(100);
        tree.observe();
        return tree;
    }

    private ProcessId daemon() {
        return system.get(200).id;
    }

    private static void assertProblem(Runnable deed, TreeProblem problem) {
        Throwable failure = catchThrowable(deed::run);
        assertThat(failure).isInstanceOf(OwnedTreeException.class).hasMessageStartingWith(problem.text());
        assertThat(((OwnedTreeException) failure).problem()).isEqualTo(problem);
    }

    private static Runnable stopAll(FakeSystem system, OwnedProcessTree... trees) {
        return () -> OwnedProcessTree.stopAll(List.of(trees), GRACE, FORCED, system);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T10:15:30.000Z, 2026-01-31T10:15:30.999Z, true",
        "2026-01-31T10:15:30.000Z, 2026-01-31T10:15:29.999Z, false",
        "2026-01-31T10:15:30.000Z, 2026-01-31T10:15:31.000Z, false",
    })
    void R1_S2_63_two_times_are_one_start_within_the_same_second(Instant receipt, Instant seen, boolean same) {
        assertThat(RunnerIdentity.isSameSecond(receipt, seen)).isEqualTo(same);
        assertThat(new RunnerIdentity.Start.At(receipt).matches(7, seen)).isEqualTo(same);
        assertThat(new RunnerIdentity.Start.Stamp(7).matches(7, seen)).isTrue();
        assertThat(new RunnerIdentity.Start.Stamp(8).matches(7, seen)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "-5, -5", "200, 201"})
    void R6_S2_58_a_runner_leads_a_group_of_its_own(long pid, long group) {
        assertProblem(
                () -> RunnerIdentity.parse(pid, group, "2026-01-31T10:15:30Z"), TreeProblem.INVALID_RUNNER_IDENTITY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "2026-13-01T00:00:00Z", "2026-01-31T10:15:30"})
    void R6_S2_58_a_start_is_a_time_with_a_zone(String start) {
        assertProblem(() -> RunnerIdentity.parse(200, 200, start), TreeProblem.INVALID_RUNNER_IDENTITY);
        assertProblem(() -> RunnerIdentity.parse(200, 200, null), TreeProblem.INVALID_RUNNER_IDENTITY);
    }

    @Test
    void S2_60_S2_62_S2_63_S2_65_a_runner_is_admitted_from_a_fresh_look_without_any_signal() {
        OwnedProcessTree tree = controller();
        int before = system.reads();
        Instant start = system.instantOf(daemon().startStamp());
        tree.preserve(RunnerIdentity.parse(200, 200, start.toString()).runs("paperclip-runnerd"));
        assertThat(system.reads()).isEqualTo(before + 1);
        assertThat(system.signals()).isEmpty();
        assertThat(tree.lastSeen().preserved()).extracting(ProcessId::pid).containsExactlyInAnyOrder(200L, 201L);
        tree.requireRunnerAlive();
    }

    @Test
    void S2_59_SAFE_5_a_twin_of_the_runner_with_the_same_name_is_not_taken_for_it() {
        OwnedProcessTree tree = controller();
        system.add(210, 100, 210).named("paperclip-runne");
        tree.preserve(daemon());
        tree.stop(GRACE, FORCED);
        assertThat(system.has(200)).isTrue();
        assertThat(system.has(210)).isFalse();
    }

    @Test
    void R3_S2_62_a_daemon_under_a_foreign_controller_is_refused() {
        OwnedProcessTree tree = controller();
        ProcessId other = system.add(250, 900, 250).id;
        assertProblem(() -> tree.preserve(other), TreeProblem.NOT_THE_OWNED_RUNNER);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void R3_S2_62_another_start_is_refused() {
        OwnedProcessTree tree = controller();
        assertProblem(
                () -> tree.preserve(new ProcessId(200, daemon().startStamp() + 1)), TreeProblem.NOT_THE_OWNED_RUNNER);
        assertProblem(
                () -> tree.preserve(RunnerIdentity.parse(
                        200,
                        200,
                        system.instantOf(daemon().startStamp()).plusSeconds(1).toString())),
                TreeProblem.NOT_THE_OWNED_RUNNER);
    }

    @Test
    void R3_S2_62_another_program_is_refused() {
        OwnedProcessTree tree = controller();
        system.get(200).named("node");
        assertProblem(
                () -> tree.preserve(RunnerIdentity.of(daemon()).runs("paperclip-runnerd")),
                TreeProblem.NOT_THE_OWNED_RUNNER);
    }

    @Test
    void R3_S2_64_SAFE_14_a_stranger_in_its_group_is_refused() {
        OwnedProcessTree tree = controller();
        system.add(950, 900, 200);
        assertProblem(() -> tree.preserve(daemon()), TreeProblem.RUNNER_SHARES_GROUP);
        assertThatThrownBy(() -> tree.preserve(daemon())).hasMessageContaining("pid 950");
    }

    @Test
    void R3_S2_62_the_controller_itself_and_its_group_are_refused() {
        OwnedProcessTree tree = controller();
        assertProblem(() -> tree.preserve(system.get(100).id), TreeProblem.NOT_THE_OWNED_RUNNER);
        system.moveToGroup(200, 100);
        assertProblem(() -> tree.preserve(daemon()), TreeProblem.NOT_THE_OWNED_RUNNER);
    }

    @Test
    void R3_S2_62_one_that_is_missing_or_a_zombie_is_refused() {
        OwnedProcessTree tree = controller();
        assertProblem(() -> tree.preserve(new ProcessId(222, 1)), TreeProblem.NOT_THE_OWNED_RUNNER);
        system.get(200).inState(ProcessState.ZOMBIE);
        assertProblem(() -> tree.preserve(daemon()), TreeProblem.NOT_THE_OWNED_RUNNER);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void S2_61_admission_comes_once_and_before_the_end_of_the_controller() {
        OwnedProcessTree tree = controller();
        ProcessId id = daemon();
        tree.preserve(id);
        assertProblem(() -> tree.preserve(id), TreeProblem.ADMISSION_TOO_LATE);
        OwnedProcessTree late = system.own(100);
        late.observe();
        system.remove(100);
        assertProblem(() -> late.preserve(id), TreeProblem.ADMISSION_TOO_LATE);
    }

    @Test
    void S2_66_SAFE_14_what_the_runner_starts_is_kept_what_the_controller_starts_is_not() {
        OwnedProcessTree tree = controller();
        tree.preserve(daemon());
        system.add(202, 200, 202);
        system.add(203, 202, 203);
        system.add(301, 100, 301);
        tree.observe();
        system.remove(202);
        assertThat(tree.observe().preserved()).extracting(ProcessId::pid).containsExactlyInAnyOrder(200L, 201L, 203L);
    }

    @Test
    void S2_67_a_stop_ends_everything_but_the_preserved() {
        OwnedProcessTree tree = controller();
        system.get(100).onTerm(() -> system.remove(300));
        tree.preserve(daemon());
        TreeStop stop = tree.stop(GRACE, FORCED);
        assertThat(system.requests()).containsExactly("TERM 100");
        assertThat(stop.preserved()).extracting(ProcessId::pid).containsExactlyInAnyOrder(200L, 201L);
        assertThat(stop.escalated()).isFalse();
        assertThat(system.has(200)).isTrue();
    }

    @Test
    void S2_68_SAFE_15_R4_a_runner_that_dies_meanwhile_is_reported_and_the_rest_is_stopped() {
        OwnedProcessTree tree = controller();
        system.get(100).onTerm(() -> system.zombie(200));
        tree.preserve(daemon());
        assertProblem(() -> tree.stop(GRACE, FORCED), TreeProblem.RUNNER_DIED);
        assertThat(system.has(300)).isFalse();
        stopAll(system, tree).run();
        assertThat(system.has(201)).isFalse();
    }

    @Test
    void S2_68_without_an_admitted_runner_there_is_none_to_be_alive() {
        OwnedProcessTree tree = controller();
        assertProblem(tree::requireRunnerAlive, TreeProblem.RUNNER_DIED);
        assertProblem(() -> tree.stopForRestart(GRACE), TreeProblem.RUNNER_DIED);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void R2_S2_88_a_restart_keeps_the_daemon_and_the_last_stop_ends_it_after_its_new_controller() {
        OwnedProcessTree first = controller();
        first.preserve(daemon());
        first.stopForRestart(GRACE);
        assertThat(system.signals()).containsExactly("TERM 300", "TERM 100");
        assertThat(system.has(200)).isTrue();
        system.forgetSignals();

        system.add(400, FakeSystem.CALLER, 400);
        OwnedProcessTree second = system.own(400);
        second.observe();
        system.add(202, 200, 202).ignoringTerm();
        first.observe();
        stopAll(system, first, second).run();
        assertThat(system.requests()).containsExactly("TERM 400", "TERM 200", "KILL 202");
        assertThat(system.has(900)).isTrue();
        assertThat(system.has(FakeSystem.CALLER)).isTrue();
        assertThat(List.of(200L, 201L, 202L, 400L)).noneMatch(system::has);
    }

    @Test
    void closing_after_the_last_stop_asks_for_no_runner() {
        OwnedProcessTree tree = controller();
        tree.preserve(daemon());
        tree.stopForRestart(GRACE);
        TreeStop last = tree.stopEverything(GRACE, FORCED);
        tree.close();
        assertThat(tree.stop(GRACE, FORCED)).isSameAs(last);
    }

    @Test
    void R5_SAFE_1_a_daemon_whose_number_was_used_again_is_not_signalled() {
        OwnedProcessTree tree = controller();
        tree.preserve(daemon());
        tree.stopForRestart(GRACE);
        system.forgetSignals();
        system.remove(201);
        system.add(200, 1, 200);
        assertProblem(stopAll(system, tree), TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(system.signals()).isEmpty();
    }

    @Test
    void R7_SAFE_13_the_deadline_of_the_first_try_holds_for_the_second() {
        OwnedProcessTree tree = controller();
        system.get(100).immortal();
        system.readsInstead(() -> {
            throw new IllegalStateException("broken");
        });
        system.advance(Duration.ofSeconds(9));
        assertProblem(() -> tree.stop(Duration.ofSeconds(5), Duration.ofMillis(100)), TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(system.signals()).containsExactly("TERM child 100", "KILL child 100");
        system.readsWell();
        system.get(100).mortal();
        system.advance(Duration.ofSeconds(10));
        system.forgetSignals();
        long before = system.nanoTime();
        TreeStop stop = tree.stop(Duration.ofSeconds(5), Duration.ofMillis(100));
        assertThat(system.requests().stream().filter("KILL 100"::equals)).hasSize(1);
        assertThat(Duration.ofNanos(system.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        assertThat(stop.outcomeOf(new ProcessId(200, daemonStamp(stop)))).isEqualTo(Outcome.ENDED_BY_FORCE);
    }

    private static long daemonStamp(TreeStop stop) {
        return stop.terminations().stream()
                .filter(termination -> termination.id().pid() == 200)
                .findFirst()
                .orElseThrow()
                .id()
                .startStamp();
    }

    @Test
    void R8_S2_90_the_last_stop_interrupts_a_restart() {
        OwnedProcessTree tree = controller();
        system.get(100).ignoringTerm();
        tree.preserve(daemon());
        boolean[] asked = {false};
        Thread[] last = {null};
        system.onPause(() -> {
            if (!asked[0]) {
                asked[0] = true;
                last[0] = new Thread(stopAll(system, tree));
                last[0].start();
                await().until(() -> tree.isStoppingEverything());
            }
        });
        assertProblem(() -> tree.stopForRestart(GRACE), TreeProblem.RESTART_INTERRUPTED);
        await().until(() -> !last[0].isAlive());
        assertThat(List.of(100L, 200L, 201L, 300L)).noneMatch(system::has);
        assertThat(system.has(900)).isTrue();
    }

    @Test
    void R9_a_new_controller_that_ended_by_itself_does_not_keep_the_daemon_alive() {
        OwnedProcessTree first = controller();
        first.preserve(daemon());
        first.stopForRestart(GRACE);
        system.add(400, FakeSystem.CALLER, 400);
        OwnedProcessTree second = system.own(400);
        second.observe();
        system.remove(400);
        system.forgetSignals();
        stopAll(system, first, second).run();
        assertThat(system.requests()).containsExactly("TERM 200");
        assertThat(system.has(201)).isFalse();
    }

    @Test
    void R11_S2_88_a_failure_of_one_stops_no_other() {
        OwnedProcessTree first = controller();
        first.preserve(daemon());
        first.stopForRestart(GRACE);
        system.add(400, FakeSystem.CALLER, 400).immortal();
        OwnedProcessTree second = system.own(400);
        second.observe();
        system.forgetSignals();
        assertProblem(stopAll(system, first, second), TreeProblem.CLEANUP_INCOMPLETE);
        assertThat(system.requests().indexOf("TERM 400")).isZero();
        assertThat(system.requests().stream().filter("TERM 200"::equals)).hasSize(1);
        assertThat(system.has(200)).isFalse();
    }

    @Test
    void R12_a_new_controller_has_a_deadline_of_its_own() {
        OwnedProcessTree first = controller();
        first.stop(Duration.ofSeconds(1), FORCED);
        system.advance(Duration.ofMinutes(10));
        system.add(400, FakeSystem.CALLER, 400);
        OwnedProcessTree second = system.own(400);
        second.observe();
        system.forgetSignals();
        TreeStop stop = second.stop(Duration.ofSeconds(1), FORCED);
        assertThat(system.requests()).containsExactly("TERM 400");
        assertThat(stop.escalated()).isFalse();
    }

    @Test
    void S2_89_a_restart_kills_nothing_at_its_deadline() {
        OwnedProcessTree tree = controller();
        system.get(300).ignoringTerm();
        tree.preserve(daemon());
        assertProblem(() -> tree.stopForRestart(Duration.ofSeconds(2)), TreeProblem.NOT_RETIRED);
        assertThat(system.signals()).containsExactly("TERM 300", "TERM 100");
        assertThat(system.has(300)).isTrue();
    }
}
