/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.noorphans.internal.fake.FakeMachine.BUILD_TOOL;
import static org.noorphans.internal.fake.FakeMachine.JVM;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.fake.FakeMachine;
import org.noorphans.internal.fake.FakeMachine.Handle;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.internal.terminate.Terminator.Result;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.Termination;
import org.noorphans.model.Termination.Outcome;

class TerminatorTests {
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final FakeMachine machine = new FakeMachine();
    private final long begin = machine.pacing().nanoTime();

    private Result terminate(Handle... targets) {
        return terminate(GRACE, targets);
    }

    private Result terminate(Duration grace, Handle... targets) {
        return terminate(machine::send, machine::livingBelowJvm, grace, targets);
    }

    private Result terminate(SignalSender sender, Supplier<List<ProcessRow>> look, Duration grace, Handle... targets) {
        return new Terminator(sender, machine::termHandling, machine.selfAndAncestors(), machine.pacing())
                .terminate(Arrays.stream(targets).map(Handle::id).toList(), look, grace);
    }

    private Duration taken() {
        return Duration.ofNanos(machine.pacing().nanoTime() - begin);
    }

    private static Termination termination(ProcessId id, Outcome outcome, Duration after, boolean termSent) {
        return new Termination(id, outcome, after, termSent, Optional.empty());
    }

    private static List<Outcome> outcomes(Result result) {
        return result.terminations().stream().map(Termination::outcome).toList();
    }

    private List<String> signalsTo(long pid) {
        return machine.signals().stream()
                .filter(signal -> signal.endsWith(" " + pid))
                .map(signal -> signal.substring(
                        0, signal.length() - String.valueOf(pid).length() - 1))
                .toList();
    }

    @Nested
    class Asking {
        @Test
        void ends_a_process_that_ends_on_request() {
            var process = machine.start(200, JVM).dyingTakes(Duration.ofMillis(300));
            Result result = terminate(process);
            assertThat(machine.signals()).containsExactly("TERM 200");
            assertThat(result.terminations())
                    .containsExactly(
                            termination(process.id(), Outcome.EXITED_ON_REQUEST, Duration.ofMillis(300), true));
            assertThat(result.latecomers()).isEmpty();
            assertThat(taken()).isLessThan(Duration.ofMillis(350));
        }

        @Test
        void asks_the_outermost_of_each_branch_only() {
            var wrapper = machine.start(200, JVM).term(TermHandling.CAUGHT).dyingTakes(Duration.ofMillis(100));
            var worker = machine.start(201, 200);
            var deep = machine.start(202, 201);
            var other = machine.start(300, JVM);
            machine.after(Duration.ofMillis(50), () -> {
                deep.exit();
                worker.exit();
            });
            Result result = terminate(wrapper, worker, deep, other);
            assertThat(machine.signals()).containsExactly("TERM 200", "TERM 300");
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
            assertThat(result.terminations())
                    .extracting(Termination::termSent)
                    .containsExactly(true, false, false, true);
        }

        @Test
        void asks_a_child_once_its_owner_has_gone_and_left_it() {
            var wrapper = machine.start(200, JVM);
            var worker = machine.start(201, 200).dyingTakes(Duration.ofMillis(50));
            Result result = terminate(wrapper, worker);
            assertThat(machine.signals()).containsExactly("TERM 200", "TERM 201");
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void never_asks_a_child_again_that_has_a_handler_and_may_be_closing() {
            var wrapper = machine.start(200, JVM).term(TermHandling.CAUGHT).dyingTakes(Duration.ofMillis(10));
            var worker = machine.start(201, 200).term(TermHandling.CAUGHT);
            machine.after(Duration.ofSeconds(1), worker::exit);
            Result result = terminate(wrapper, worker);
            assertThat(machine.signals()).containsExactly("TERM 200");
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void never_asks_a_child_again_if_nobody_can_tell_how_it_handles_term() {
            var wrapper = machine.start(200, JVM).term(TermHandling.CAUGHT);
            var worker = machine.start(201, 200).term(TermHandling.UNKNOWN);
            terminate(wrapper, worker);
            assertThat(signalsTo(201)).containsExactly("STOP", "KILL");
        }

        @Test
        void asks_a_child_with_a_handler_if_its_owner_cannot_have_told_it() {
            var wrapper = machine.start(200, JVM);
            var worker = machine.start(201, 200).term(TermHandling.CAUGHT).dyingTakes(Duration.ofMillis(300));
            Result result = terminate(wrapper, worker);
            assertThat(machine.signals()).containsExactly("TERM 200", "TERM 201");
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void never_asks_twice() {
            var stubborn = machine.start(200, JVM).term(TermHandling.IGNORED);
            terminate(stubborn);
            assertThat(signalsTo(200)).containsExactly("TERM", "STOP", "KILL");
        }

        @Test
        void asks_what_turns_up_below_nobody_while_others_close() {
            var wrapper = machine.start(200, JVM).term(TermHandling.CAUGHT).dyingTakes(Duration.ofMillis(500));
            machine.after(Duration.ofMillis(100), () -> machine.start(300, JVM));
            Result result = terminate(wrapper);
            assertThat(machine.signals()).containsExactly("TERM 200", "TERM 300");
            assertThat(result.latecomers())
                    .extracting(t -> t.id().pid(), Termination::outcome)
                    .containsExactly(tuple(300L, Outcome.EXITED_ON_REQUEST));
        }

        @Test
        void asks_a_child_that_its_owner_started_after_it_was_asked() {
            var wrapper = machine.start(200, JVM).term(TermHandling.CAUGHT).dyingTakes(Duration.ofMillis(500));
            machine.after(Duration.ofMillis(100), () -> machine.start(201, 200).term(TermHandling.CAUGHT));
            terminate(wrapper);
            assertThat(signalsTo(201)).startsWith("TERM");
        }

        @Test
        void takes_a_process_below_a_zombie_for_outermost() {
            var wrapper = machine.start(200, JVM);
            var worker = machine.start(201, 200);
            wrapper.exit();
            terminate(worker);
            assertThat(machine.signals()).containsExactly("TERM 201");
        }

        @Test
        void asks_the_outermost_that_is_a_target_although_its_parent_is_none() {
            machine.start(200, JVM);
            var worker = machine.start(201, 200);
            Result result = terminate(
                    machine::send,
                    () -> machine.livingBelowJvm().stream()
                            .filter(row -> row.pid() != 200)
                            .toList(),
                    GRACE,
                    worker);
            assertThat(machine.signals()).containsExactly("TERM 201");
            assertThat(outcomes(result)).containsExactly(Outcome.EXITED_ON_REQUEST);
        }
    }

    @Nested
    class A_stopped_process {
        @Test
        void is_continued_so_that_it_can_act_on_the_request() {
            var process = machine.start(200, JVM).stopped();
            Result result = terminate(process);
            assertThat(machine.signals()).containsExactly("TERM 200", "CONT 200");
            assertThat(outcomes(result)).containsExactly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void is_not_continued_without_having_been_asked() {
            var wrapper = machine.start(200, JVM).term(TermHandling.IGNORED);
            var worker = machine.start(201, 200).stopped();
            terminate(wrapper, worker);
            assertThat(machine.signals()).doesNotContain("CONT 201");
        }

        @Test
        void that_its_owner_left_behind_is_asked_and_continued() {
            var wrapper = machine.start(200, JVM);
            var worker = machine.start(201, 200).stopped();
            Result result = terminate(wrapper, worker);
            assertThat(machine.signals()).containsExactly("TERM 200", "TERM 201", "CONT 201");
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void that_does_not_end_is_killed() {
            var process = machine.start(200, JVM).stopped().term(TermHandling.IGNORED);
            assertThat(outcomes(terminate(process))).containsExactly(Outcome.ENDED_BY_FORCE);
            assertThat(machine.signals()).containsExactly("TERM 200", "CONT 200", "STOP 200", "KILL 200");
        }
    }

    @Nested
    class The_grace {
        @Test
        void is_kept_before_anything_is_forced() {
            var stubborn = machine.start(200, JVM).term(TermHandling.IGNORED);
            AtomicLong killedAfter = new AtomicLong();
            stubborn.onDeath(() -> killedAfter.set(taken().toMillis()));
            Result result = terminate(stubborn);
            assertThat(killedAfter.get()).isBetween(GRACE.toMillis(), GRACE.toMillis() + 50);
            assertThat(outcomes(result)).containsExactly(Outcome.ENDED_BY_FORCE);
            assertThat(result.terminations().get(0).after()).isGreaterThanOrEqualTo(GRACE);
        }

        @Test
        void is_for_all_together() {
            var first = machine.start(200, JVM).term(TermHandling.IGNORED);
            var second = machine.start(300, JVM).term(TermHandling.IGNORED);
            var third = machine.start(400, JVM).term(TermHandling.IGNORED);
            terminate(first, second, third);
            assertThat(taken()).isLessThan(GRACE.plusMillis(100));
        }

        @Test
        void is_not_started_anew_by_a_latecomer() {
            var stubborn = machine.start(200, JVM).term(TermHandling.IGNORED);
            machine.after(
                    Duration.ofMillis(1_900), () -> machine.start(300, JVM).term(TermHandling.IGNORED));
            terminate(stubborn);
            assertThat(taken()).isLessThan(GRACE.plusMillis(100));
            assertThat(machine.livingBelowJvm()).isEmpty();
        }

        @Test
        void of_nothing_still_asks_first() {
            var process = machine.start(200, JVM).term(TermHandling.IGNORED);
            terminate(Duration.ZERO, process);
            assertThat(machine.signals()).containsExactly("TERM 200", "STOP 200", "KILL 200");
            assertThat(taken()).isLessThan(Duration.ofMillis(50));
        }

        @Test
        void ends_early_when_nothing_is_left() {
            terminate(Duration.ofHours(1), machine.start(200, JVM));
            assertThat(taken()).isLessThan(Duration.ofMillis(50));
        }
    }

    @Nested
    class Force {
        @Test
        void stops_everything_before_it_kills_anything_and_kills_the_innermost_first() {
            var root = machine.start(200, JVM).term(TermHandling.IGNORED);
            var middle = machine.start(201, 200).term(TermHandling.IGNORED);
            var inner = machine.start(202, 201).term(TermHandling.IGNORED);
            Result result = terminate(root, middle, inner);
            assertThat(machine.signals())
                    .containsExactly(
                            "TERM 200", "STOP 200", "STOP 201", "STOP 202", "KILL 202", "KILL 201", "KILL 200");
            assertThat(outcomes(result)).containsOnly(Outcome.ENDED_BY_FORCE);
        }

        @Test
        void stops_what_is_started_while_it_stops_until_nothing_new_turns_up() {
            var root = machine.start(200, JVM).term(TermHandling.IGNORED);
            AtomicLong next = new AtomicLong(201);
            machine.duringLook(m -> {
                // Forks between two looks, until it has been stopped for a while.
                if (m.signals().contains("STOP 200") && next.get() < 206) {
                    long pid = next.getAndIncrement();
                    m.start(pid, pid - 1).term(TermHandling.IGNORED);
                }
            });
            Result result = terminate(root);
            assertThat(machine.signals().stream().filter(s -> s.startsWith("KILL")))
                    .containsExactly("KILL 205", "KILL 204", "KILL 203", "KILL 202", "KILL 201", "KILL 200");
            assertThat(machine.signals().indexOf("STOP 205"))
                    .isLessThan(machine.signals().indexOf("KILL 205"));
            assertThat(result.latecomers()).extracting(t -> t.id().pid()).containsExactly(201L, 202L, 203L, 204L, 205L);
        }

        @Test
        void ends_a_supervisor_that_replaces_every_dead_child() {
            var supervisor = machine.start(200, JVM).term(TermHandling.IGNORED);
            var worker = machine.start(201, 200);
            AtomicLong next = new AtomicLong(202);
            Runnable[] replace = new Runnable[1];
            replace[0] = () -> {
                if (supervisor.isAlive() && !supervisor.row().state().isStopped()) {
                    machine.start(next.getAndIncrement(), 200).onDeath(replace[0]);
                }
            };
            worker.onDeath(replace[0]);
            machine.after(Duration.ofMillis(100), worker::exit);
            Result result = terminate(supervisor, worker);
            assertThat(machine.livingBelowJvm()).isEmpty();
            assertThat(outcomes(result)).containsExactly(Outcome.ENDED_BY_FORCE, Outcome.EXITED_ON_REQUEST);
            assertThat(next).hasValueLessThan(205);
        }

        @Test
        void looks_again_after_nothing_was_left() {
            var process = machine.start(200, JVM).term(TermHandling.IGNORED);
            AtomicLong looksAfterTheEnd = new AtomicLong();
            machine.duringLook(m -> {
                if (!process.isAlive()) {
                    looksAfterTheEnd.incrementAndGet();
                }
            });
            terminate(process);
            assertThat(looksAfterTheEnd).hasValueGreaterThanOrEqualTo(2);
        }

        @Test
        void ends_what_turns_up_between_two_empty_looks() {
            var process = machine.start(200, JVM);
            AtomicLong looks = new AtomicLong();
            machine.duringLook(m -> {
                if (!process.isAlive() && looks.incrementAndGet() == 3) {
                    m.start(300, JVM).term(TermHandling.IGNORED);
                }
            });
            terminate(process);
            assertThat(machine.livingBelowJvm()).isEmpty();
        }

        @Test
        void orders_a_cycle_somehow_and_ends() {
            var a = new ProcessRow(
                    new ProcessId(200, 1),
                    201,
                    machine.start(200, JVM).row().groupId(),
                    machine.row(200).orElseThrow().sessionId(),
                    machine.row(200).orElseThrow().state(),
                    "a");
            var b = new ProcessRow(new ProcessId(201, 1), 200, a.groupId(), a.sessionId(), a.state(), "b");
            AtomicLong looks = new AtomicLong();
            Result result = new Terminator(
                            (target, signal) -> Delivery.DELIVERED,
                            pid -> TermHandling.DEFAULT,
                            machine.selfAndAncestors(),
                            machine.pacing())
                    .terminate(
                            List.of(a.id(), b.id()),
                            () -> looks.incrementAndGet() < 500 ? List.of(a, b) : List.of(),
                            Duration.ofMillis(100));
            assertThat(result.terminations()).hasSize(2);
        }
    }

    @Nested
    class It_gives_up {
        @Test
        void on_a_process_that_waits_inside_the_kernel_and_says_so() {
            var process = machine.start(200, JVM).inDiskWait().term(TermHandling.IGNORED);
            Result result = terminate(process);
            assertThat(outcomes(result)).containsExactly(Outcome.STILL_THERE);
            assertThat(taken()).isBetween(GRACE.plusSeconds(4), GRACE.plusSeconds(6));
        }

        @Test
        void on_one_process_and_still_ends_the_others() {
            var stuck = machine.start(200, JVM).inDiskWait().term(TermHandling.IGNORED);
            var other = machine.start(300, JVM).term(TermHandling.IGNORED);
            assertThat(outcomes(terminate(stuck, other))).containsExactly(Outcome.STILL_THERE, Outcome.ENDED_BY_FORCE);
        }

        @Test
        void on_a_tree_that_never_holds_still_after_a_bounded_number_of_looks() {
            var root = machine.start(200, JVM).term(TermHandling.IGNORED);
            AtomicLong next = new AtomicLong(1_000);
            AtomicLong looks = new AtomicLong();
            machine.duringLook(m -> {
                looks.incrementAndGet();
                m.start(next.getAndIncrement(), JVM).term(TermHandling.IGNORED);
            });
            terminate(root);
            assertThat(looks).hasValueLessThan(5_000);
        }

        /** A look takes time: 35 ms where the whole table of a busy machine must be read. */
        @Test
        void on_a_tree_that_never_holds_still_after_a_bounded_time() {
            var root = machine.start(200, JVM).term(TermHandling.IGNORED);
            AtomicLong next = new AtomicLong(1_000);
            machine.duringLook(m -> {
                m.advance(Duration.ofMillis(35));
                m.start(next.getAndIncrement(), JVM).term(TermHandling.IGNORED);
            });
            terminate(root);
            assertThat(taken()).isLessThan(GRACE.plusSeconds(10));
        }
    }

    @Nested
    class A_process_that_may_not_be_signalled {
        @Test
        void is_told_and_stops_nothing_else() {
            var own = machine.start(200, JVM);
            var foreign = machine.start(300, JVM).foreign();
            var another = machine.start(400, JVM).term(TermHandling.IGNORED);
            Result result = terminate(own, foreign, another);
            assertThat(outcomes(result))
                    .containsExactly(Outcome.EXITED_ON_REQUEST, Outcome.NOT_PERMITTED, Outcome.ENDED_BY_FORCE);
            assertThat(signalsTo(300)).containsExactly("(refused) TERM");
            assertThat(foreign.isAlive()).isTrue();
        }

        @Test
        void does_not_cover_what_is_below_it() {
            var foreign = machine.start(300, JVM).foreign();
            var below = machine.start(301, 300);
            assertThat(outcomes(terminate(foreign, below)))
                    .containsExactly(Outcome.NOT_PERMITTED, Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void costs_no_grace() {
            terminate(machine.start(300, JVM).foreign());
            assertThat(taken()).isLessThan(Duration.ofMillis(100));
        }
    }

    @Nested
    class A_number_that_has_passed_on {
        @Test
        void gets_no_signal_and_the_target_is_gone() {
            var old = machine.start(200, JVM);
            Result result = terminate(
                    machine::send,
                    () -> {
                        if (old.isAlive()) {
                            // The look still shows the old process; right after it the number passes on.
                            var rows = machine.livingBelowJvm();
                            machine.reuse(200, 1);
                            return rows;
                        }
                        return machine.livingBelowJvm();
                    },
                    GRACE,
                    old);
            assertThat(machine.signals()).isEmpty();
            assertThat(result.terminations())
                    .containsExactly(termination(old.id(), Outcome.NOT_THE_SAME_PROCESS, Duration.ZERO, false));
            assertThat(machine.row(200)).isPresent();
        }

        @Test
        void during_the_grace_gets_no_force() {
            var old = machine.start(200, JVM).term(TermHandling.IGNORED);
            machine.after(Duration.ofMillis(500), () -> {
                old.exitCollected();
                machine.start(200, 1);
            });
            Result result = terminate(old);
            assertThat(machine.signals()).containsExactly("TERM 200");
            assertThat(outcomes(result)).containsExactly(Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void to_another_process_of_ours_makes_that_one_a_latecomer() {
            var old = machine.start(200, JVM);
            old.onDeath(() -> machine.after(Duration.ofMillis(15), () -> machine.reuse(200, JVM)));
            var other = machine.start(300, JVM).dyingTakes(Duration.ofMillis(200));
            Result result = terminate(old, other);
            assertThat(outcomes(result)).containsOnly(Outcome.EXITED_ON_REQUEST);
            assertThat(result.latecomers()).extracting(t -> t.id().pid()).containsExactly(200L);
        }
    }

    @Nested
    class The_untouchable {
        @Test
        void are_never_signalled_whatever_a_look_says() {
            var process = machine.start(200, JVM).term(TermHandling.IGNORED);
            Result result = terminate(
                    machine::send,
                    () -> machine.wholeTable().rows().stream()
                            .filter(ProcessRow::isAlive)
                            .toList(),
                    GRACE,
                    process);
            assertThat(machine.signals()).allMatch(signal -> signal.endsWith(" 200"));
            assertThat(result.latecomers()).isEmpty();
            assertThat(machine.row(BUILD_TOOL).orElseThrow().isAlive()).isTrue();
        }

        @Test
        void are_never_signalled_even_as_targets_and_are_not_said_to_have_ended() {
            ProcessId buildTool = machine.row(BUILD_TOOL).orElseThrow().id();
            Result result = new Terminator(
                            machine::send, machine::termHandling, machine.selfAndAncestors(), machine.pacing())
                    .terminate(
                            List.of(buildTool),
                            () -> List.copyOf(machine.wholeTable().rows()),
                            Duration.ofMillis(50));
            assertThat(machine.signals()).isEmpty();
            assertThat(outcomes(result)).doesNotContain(Outcome.EXITED_BY_ITSELF, Outcome.EXITED_ON_REQUEST);
        }
    }

    @Nested
    class What_ended_without_help {
        @Test
        void before_the_first_look_ended_by_itself_at_once() {
            var process = machine.start(200, JVM);
            process.exit();
            Result result = terminate(process);
            assertThat(result.terminations())
                    .containsExactly(termination(process.id(), Outcome.EXITED_BY_ITSELF, Duration.ZERO, false));
            assertThat(machine.signals()).isEmpty();
            assertThat(taken()).isZero();
        }

        @Test
        void is_told_apart_from_what_was_asked() {
            var gone = machine.start(200, JVM);
            var asked = machine.start(300, JVM);
            gone.exitCollected();
            assertThat(outcomes(terminate(gone, asked)))
                    .containsExactly(Outcome.EXITED_BY_ITSELF, Outcome.EXITED_ON_REQUEST);
        }

        @Test
        void includes_a_zombie_that_the_look_shows() {
            var process = machine.start(200, JVM);
            process.exit();
            Result result =
                    terminate(machine::send, () -> List.copyOf(machine.ownTree().rows()), GRACE, process);
            assertThat(outcomes(result)).containsExactly(Outcome.EXITED_BY_ITSELF);
            assertThat(machine.signals()).isEmpty();
        }
    }

    @Test
    void nothing_to_do_sends_nothing() {
        Result result = terminate();
        assertThat(result.terminations()).isEmpty();
        assertThat(result.latecomers()).isEmpty();
        assertThat(machine.signals()).isEmpty();
    }

    @Test
    void gives_one_answer_for_each_target_in_the_given_order() {
        var c = machine.start(400, JVM);
        var a = machine.start(200, JVM);
        var b = machine.start(300, JVM);
        assertThat(terminate(b, c, a).terminations())
                .extracting(Termination::id)
                .containsExactly(b.id(), c.id(), a.id());
    }

    @Test
    void a_failure_to_signal_one_process_stops_nothing_else() {
        var first = machine.start(200, JVM).term(TermHandling.IGNORED);
        var broken = machine.start(300, JVM).term(TermHandling.IGNORED);
        var last = machine.start(400, JVM).term(TermHandling.IGNORED);
        SignalSender sender = (target, signal) -> {
            if (target.pid() == 300) {
                throw new IllegalStateException("pidfd_open failed: errno 24");
            }
            return machine.send(target, signal);
        };
        Result result = terminate(sender, machine::livingBelowJvm, GRACE, first, broken, last);
        assertThat(outcomes(result))
                .containsExactly(Outcome.ENDED_BY_FORCE, Outcome.STILL_THERE, Outcome.ENDED_BY_FORCE);
        assertThat(result.terminations().get(1).problem()).contains("pidfd_open failed: errno 24");
        assertThat(result.terminations().get(0).problem()).isEmpty();
        assertThat(first.isAlive()).as("the first is alive").isFalse();
        assertThat(last.isAlive()).as("the last is alive").isFalse();
    }
}
