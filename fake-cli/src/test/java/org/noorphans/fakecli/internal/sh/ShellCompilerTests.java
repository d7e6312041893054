/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.noorphans.fakecli.FakeCli;
import org.noorphans.fakecli.FakeCliBuilder;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.When;

class ShellCompilerTests {
    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    private static String run(ShellPlan plan) {
        return plan.file("plan/run.0.sh");
    }

    @Test
    void makes_one_line_of_shell_for_each_simple_step() {
        ShellPlan plan = ShellCompiler.compile(plain().attempt(a -> a.out("it's")
                        .err("bad")
                        .json(Map.of("a", 1))
                        .partial("half")
                        .ignore(Signal.TERM, Signal.HUP)
                        .delay(Duration.ofMillis(520))
                        .gate("g")
                        .stall()
                        .exit(3))
                .scenario());

        assertThat(run(plan)).isEqualTo("""
                        printf '%s\\n' 'it'\\''s'; fc_said
                        printf '%s\\n' 'bad' >&2; fc_said
                        printf '%s\\n' '{"a":1}'; fc_said
                        printf '%s' 'half'; fc_said
                        trap '' HUP TERM
                        fc_signals='INT QUIT'
                        fc_delay 2 0.02
                        fc_gate gate.g 'gate g'
                        fc_gate stall.run.0 'stall'
                        fc_exit 3
                        """);
        assertThat(plan.gates()).containsOnlyKeys("gate.g", "stall.run.0");
        assertThat(plan.tools()).containsOnlyKeys(Tool.SLEEP);
    }

    @Test
    void rounds_a_delay_up_to_the_millisecond() {
        ShellPlan plan = ShellCompiler.compile(
                plain().attempt(a -> a.delay(Duration.ofNanos(1)).exit(0)).scenario());

        assertThat(run(plan)).startsWith("fc_delay 0 0.001\n");
    }

    @Test
    void resets_in_a_descendant_what_only_the_fake_ignores() {
        ShellPlan plan = ShellCompiler.compile(plain().attempt(a -> a.ignore(Signal.TERM, Signal.HUP)
                        .spawn(
                                "mcp",
                                SpawnMode.CHILD,
                                o -> o.ignore(Signal.HUP, Signal.INT)
                                        .holdStdout()
                                        .life(Duration.ofMillis(1500)))
                        .crash(Signal.SEGV))
                .scenario());

        assertThat(run(plan)).isEqualTo("""
                        trap '' HUP TERM
                        fc_signals='INT QUIT'
                        (
                        trap - TERM
                        trap '' HUP INT
                        exec < /dev/null 2> /dev/null
                        fc_kid "$fc_inv/kid.0" mcp CHILD 1.5
                        ) &
                        fc_bg=$!
                        fc_await_kid "$fc_inv/kid.0" "$fc_bg"
                        fc_event 'spawn mcp'
                        fc_crash SEGV
                        """);
    }

    @Test
    void tells_calls_apart_in_the_order_of_the_scenario() {
        ShellPlan plan = ShellCompiler.compile(FakeCli.persona(Persona.CLAUDE)
                .aux("helper", When.when().argvNone("--resume", "-r"), s -> s.exit(0))
                .attempt(a -> a.exit(0))
                .attempt(a -> a.exit(0))
                .onExhausted(OnExhausted.REPEAT_LAST)
                .scenario());

        assertThat(plan.file("plan/main.sh")).isEqualTo("""
                        . "$fc_data/plan/host.sh"
                        . "$fc_data/plan/lib.sh"
                        fc_begin "$@"
                        fc_environ
                        fc_when_0() {
                            fc_any() { for fc_arg do case $fc_arg in '--version' | '--version='* | '-v') return 0 ;; esac; done; return 1; }
                            fc_any "$@" || return 1
                            return 0
                        }
                        fc_when_1() {
                            fc_any() { for fc_arg do case $fc_arg in '--help' | '--help='* | '-h') return 0 ;; esac; done; return 1; }
                            fc_any "$@" || return 1
                            return 0
                        }
                        fc_when_2() {
                            [ "${1-}" = 'auth' ] || return 1
                            [ "${2-}" = 'status' ] || return 1
                            return 0
                        }
                        fc_when_3() {
                            fc_any() { for fc_arg do case $fc_arg in '--resume' | '--resume='* | '-r') return 0 ;; esac; done; return 1; }
                            ! fc_any "$@" || return 1
                            return 0
                        }
                        fc_when_4() {
                            return 0
                        }
                        if fc_when_0 "$@"; then
                            fc_class=version fc_plan=0; fc_started
                        elif fc_when_1 "$@"; then
                            fc_class=help fc_plan=0; fc_started
                        elif fc_when_2 "$@"; then
                            fc_class=auth fc_plan=0; fc_started
                        elif fc_when_3 "$@"; then
                            fc_class=helper fc_plan=0; fc_started
                        elif fc_when_4 "$@"; then
                            fc_class=run; fc_claim run.all; fc_attempt 2 repeat
                        else
                            fc_unmatched "$@"
                        fi
                        . "$fc_data/plan/$fc_class.$fc_plan.sh"
                        """);
        assertThat(plan.files())
                .containsKeys(
                        "plan/version.0.sh", "plan/help.0.sh", "plan/helper.0.sh", "plan/run.0.sh", "plan/run.1.sh");
    }

    @Test
    void gives_the_same_plan_for_the_same_scenario() {
        FakeCliBuilder builder = FakeCli.persona(Persona.CLAUDE)
                .attempt(a -> a.spawn("x", SpawnMode.DAEMON)
                        .ignore(Signal.TERM, Signal.INT, Signal.HUP)
                        .stall());

        assertThat(ShellCompiler.compile(builder.scenario())).isEqualTo(ShellCompiler.compile(builder.scenario()));
    }

    @Test
    void ends_an_attempt_whose_stall_was_released_with_0() {
        ShellPlan plan = ShellCompiler.compile(plain().attempt(a -> a.stall()).scenario());

        assertThat(run(plan)).isEqualTo("fc_gate stall.run.0 'stall'\nfc_exit 0\n");
    }
}
