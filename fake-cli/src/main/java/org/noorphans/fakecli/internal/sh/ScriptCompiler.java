/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.check.Template;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.model.EffectStep;
import org.noorphans.fakecli.model.InputStep;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.ProcessStep;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;

/**
 * Compiles the steps of one process, an attempt or a descendant, to one straight-line file of shell.
 *
 * <p>What the process ignores and handles at each point, and what a time is at the chosen speed, is known here, so the
 * shell needs no bookkeeping. Values of variables are computed once, before the first step.
 */
final class ScriptCompiler {
    private static final long SLICE_MILLIS = 250;
    private static final Set<Signal> DEADLY =
            Collections.unmodifiableSet(EnumSet.of(Signal.HUP, Signal.INT, Signal.QUIT, Signal.TERM));

    private final Shared shared;
    private final Dialect dialect;
    private final boolean descendant;
    private final String stall;
    private final String place;
    private final Map<Template.Variable, Integer> variables = new LinkedHashMap<>();
    private final Set<Integer> inJson = new TreeSet<>();
    private final List<String> said = new ArrayList<>();
    private Set<Signal> ignored = EnumSet.noneOf(Signal.class);
    private Set<Signal> handled = EnumSet.noneOf(Signal.class);
    private boolean burst;
    double speed = 1;

    /** What the scripts of one attempt have in common. */
    static final class Shared {
        final Plan plan;
        final String file;
        int kids;
        int loops;

        Shared(Plan plan, String file) {
            this.plan = plan;
            this.file = file;
        }
    }

    /** Where a script's needs are collected. */
    interface Plan {
        /** A FIFO is waited on. */
        void gate(String file, String why);

        /** A program is needed. */
        void tool(Tool tool, String why);

        /** A file of the plan. */
        void file(String path, String text);

        /** A recording is printed; the name of its file in the plan. */
        String replay(String source);
    }

    ScriptCompiler(Shared shared, Dialect dialect, boolean descendant, String stall, String place) {
        this.shared = shared;
        this.dialect = dialect;
        this.descendant = descendant;
        this.stall = stall;
        this.place = place;
    }

    /**
     * The script of an attempt.
     *
     * @param file its path without the ending
     * @param stall the gate of its stall
     * @param place what it is, for messages
     */
    static String attempt(Plan plan, Dialect dialect, String file, String stall, String place, List<Step> steps) {
        ScriptCompiler compiler = new ScriptCompiler(new Shared(plan, file), dialect, false, stall, place);
        String text = compiler.steps(steps, place);
        String end = steps.get(steps.size() - 1).ends() ? "" : "fc_exit 0\n";
        return compiler.preamble() + text + end;
    }

    String descendantScript(Step.Spawn spawn, int number, String here, Set<Signal> inherited) {
        ScriptCompiler kid = new ScriptCompiler(shared, dialect, true, "", here);
        kid.ignored = EnumSet.noneOf(Signal.class);
        kid.ignored.addAll(inherited);
        StringBuilder text = new StringBuilder(kid.signals());
        boolean up = false;
        List<Step> steps = spawn.steps();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean early = step instanceof Step.Spawn
                    || step instanceof Step.Ignore
                    || step instanceof ProcessStep.On
                    || step instanceof ProcessStep.Respawn;
            if (!early && !up) {
                text.append(up(number));
                up = true;
            }
            text.append(kid.step(step, here + ", do, step " + (i + 1)));
        }
        if (!up) {
            text.append(up(number));
        }
        boolean stays = steps.isEmpty()
                || !(steps.get(steps.size() - 1).ends() || steps.get(steps.size() - 1) instanceof Step.Stall);
        return kid.preamble() + text + (stays ? kid.live() : "");
    }

    static String up(int number) {
        return "printf '' > \"$fc_inv/up." + number + "\"\n";
    }

    private String steps(List<Step> steps, String where) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append(step(steps.get(i), where + ", step " + (i + 1)));
        }
        return text.toString();
    }

    private String step(Step step, String where) {
        String here = where + " (" + step.describe() + ")";
        if (step instanceof Step.Out out) {
            return line(word(out.line()));
        } else if (step instanceof Step.Err err) {
            return "printf '%s\\n' " + word(err.line()) + " >&2; fc_said\n";
        } else if (step instanceof Step.Json json) {
            return line(json(json.object()));
        } else if (step instanceof Step.Say say) {
            StringBuilder text = new StringBuilder();
            dialect.lines(say.phrase().name(), say.phrase().object(), said)
                    .forEach(each -> text.append(line(json(each))));
            said.add(say.phrase().name());
            return text.toString();
        } else if (step instanceof Step.Partial partial) {
            return "printf '%s' " + word(partial.text()) + "; fc_said\n";
        } else if (step instanceof Step.Delay delay) {
            shared.plan.tool(Tool.SLEEP, here);
            return delay(delay.time());
        } else if (step instanceof Step.Stall) {
            return descendant ? live() : gate(stall, "stall", here);
        } else if (step instanceof Step.Gate gate) {
            return gate(GateName.ofGate(gate.name()), "gate " + gate.name(), here);
        } else if (step instanceof Step.Spawn spawn) {
            return spawn(spawn, here);
        } else if (step instanceof Step.Ignore ignore) {
            ignored.addAll(ignore.signals());
            handled.removeAll(ignore.signals());
            return "trap '' " + names(ignore.signals()) + "\n" + signals();
        } else if (step instanceof Step.Exit exit) {
            return "fc_exit " + exit.code() + "\n";
        } else if (step instanceof Step.ExitAs exit) {
            return "fc_exit " + (128 + exit.signal().number()) + "\n";
        } else if (step instanceof Step.Crash crash) {
            return "fc_crash " + crash.signal() + "\n";
        } else if (step instanceof OutputStep output) {
            return output(output);
        } else if (step instanceof WaitStep wait) {
            return wait(wait, here);
        } else if (step instanceof InputStep.Stdin stdin) {
            return stdin(stdin);
        } else if (step instanceof ProcessStep process) {
            return process(process, here);
        } else if (step instanceof EffectStep effect) {
            return effect(effect, here);
        }
        throw new IllegalArgumentException(here + " is no step of the shell engine");
    }

    private String output(OutputStep step) {
        if (step instanceof OutputStep.Bytes bytes) {
            return ByteText.print(bytes.decoded()) + "fc_said\n";
        } else if (step instanceof OutputStep.Replay replay) {
            return ". \"$fc_data/" + shared.plan.replay(replay.file()) + "\"; fc_said\n";
        } else if (step instanceof OutputStep.Flood flood) {
            return "fc_flood " + flood.bytes() + (flood.stream() == OutputStep.Stream.ERR ? " >&2" : "")
                    + "; fc_said\n";
        }
        burst = true;
        return "fc_burst\n";
    }

    private String wait(WaitStep step, String here) {
        if (step instanceof WaitStep.Busy busy) {
            return "fc_busy " + hundredths(scaled(busy.time())) + "\n";
        } else if (step instanceof WaitStep.Speed chosen) {
            speed = chosen.factor();
            return "";
        }
        WaitStep.Heartbeat heartbeat = (WaitStep.Heartbeat) step;
        shared.plan.tool(Tool.SLEEP, here);
        String beats = "fc_beats_" + shared.loops++;
        return beats + "=" + heartbeat.count().orElse(-1) + "\nwhile [ \"$" + beats + "\" -ne 0 ]; do\n"
                + delay(heartbeat.every()) + line(word(heartbeat.out()))
                + beats + "=$((" + beats + " - 1))\ndone\n";
    }

    private static String stdin(InputStep.Stdin stdin) {
        if (stdin.policy() == StdinPolicy.NONE) {
            return "";
        }
        if (stdin.policy() == StdinPolicy.CLOSE) {
            return "exec < /dev/null; printf 'close\\n' > \"$fc_inv/stdin.policy\"\n";
        }
        return "fc_stdin " + (stdin.policy() == StdinPolicy.LINE ? "line" : "eof") + " "
                + (stdin.save() ? "save" : "drop") + "\n";
    }

    private String process(ProcessStep step, String here) {
        if (step instanceof ProcessStep.On on) {
            StringBuilder text = new StringBuilder();
            handled.addAll(on.handlers().keySet());
            ignored.removeAll(on.handlers().keySet());
            on.handlers().forEach((signal, steps) -> {
                boolean ends = !steps.isEmpty() && steps.get(steps.size() - 1).ends();
                text.append(handler(signal, ends, () -> steps(steps, here + ", on " + signal)));
            });
            return text.append(signals()).toString();
        } else if (step instanceof ProcessStep.Respawn respawn) {
            handled.add(respawn.when());
            ignored.remove(respawn.when());
            String handler = handler(
                    respawn.when(), true, () -> spawn(respawn.spawn(), here) + "fc_die " + respawn.when() + "\n");
            return handler + signals();
        } else if (step instanceof ProcessStep.ExecSelf exec) {
            StringBuilder text = new StringBuilder("fc_exec_self");
            exec.arguments().forEach(argument -> text.append(' ').append(word(argument)));
            return text.append('\n').toString();
        }
        return "exec > /dev/null\n";
    }

    /** A handler that ends the fake runs once; one that goes on leaves a nap that it interrupted as it was. */
    private String handler(Signal signal, boolean ends, Supplier<String> steps) {
        String saved = "fc_saved_" + signal;
        Set<Signal> before = EnumSet.noneOf(Signal.class);
        before.addAll(handled);
        String text = "fc_on_" + signal + "() {\n"
                + (ends ? "trap '' " + signal + "\n" : "")
                + "fc_event 'signal " + signal + "'\n"
                + (ends
                        ? ""
                        : saved + "_napper=$fc_napper " + saved + "_slices=$fc_slices " + saved + "_rest=$fc_rest\n")
                + steps.get()
                + (ends
                        ? ""
                        : "fc_napper=$" + saved + "_napper fc_slices=$" + saved + "_slices fc_rest=$" + saved
                                + "_rest\n")
                + "fc_trapped=1\n}\ntrap fc_on_" + signal + " " + signal + "\n";
        handled = before;
        return text;
    }

    private String effect(EffectStep step, String here) {
        if (step instanceof EffectStep.Write write) {
            return "{ printf '%s' " + word(write.text()) + " > " + word(write.path())
                    + "; } 2> /dev/null || fc_broken fileFailed\nfc_event 'file write'\n";
        } else if (step instanceof EffectStep.Append append) {
            return "{ printf '%s' " + word(append.text()) + " >> " + word(append.path())
                    + "; } 2> /dev/null || fc_broken fileFailed\nfc_event 'file append'\n";
        } else if (step instanceof EffectStep.Delete delete) {
            shared.plan.tool(Tool.REMOVE, here);
            return "\"$fc_rm\" -f -- " + word(delete.path())
                    + " 2> /dev/null || fc_broken fileFailed\nfc_event 'file delete'\n";
        }
        EffectStep.Run run = (EffectStep.Run) step;
        shared.plan.tool(Tool.SLEEP, here);
        StringBuilder text = new StringBuilder("fc_run " + hundredths(run.life()));
        run.argv().forEach(argument -> text.append(' ').append(word(argument)));
        return text.append('\n').toString();
    }

    /** printf and not echo: the echo of dash expands backslashes, and so breaks JSON strings. */
    private static String line(String word) {
        return "printf '%s\\n' " + word + "; fc_said\n";
    }

    private String gate(String file, String event, String here) {
        shared.plan.gate(file, here);
        return "fc_gate " + file + " " + ShellText.quote(event) + "\n";
    }

    private String live() {
        shared.plan.tool(Tool.SLEEP, place);
        return handled.isEmpty()
                ? "fc_clock; exec \"$fc_sleep\" $(((fc_until - fc_now) / 100 + 1))\n"
                : "fc_trap; while :; do fc_nap 0.25; done\n";
    }

    private String delay(Duration time) {
        Duration real = scaled(time);
        long millis = real.toMillis() + (real.toNanosPart() % 1_000_000 == 0 ? 0 : 1);
        return "fc_delay " + millis / SLICE_MILLIS + " " + seconds(millis % SLICE_MILLIS) + "\n";
    }

    Duration scaled(Duration time) {
        return speed == 1 ? time : Duration.ofNanos(Math.round(time.toNanos() / speed));
    }

    /** Tells the library which signals end the fake at once while it waits in slices. */
    private String signals() {
        Set<Signal> deadly = EnumSet.copyOf(DEADLY);
        deadly.removeAll(ignored);
        deadly.removeAll(handled);
        return "fc_signals=" + ShellText.quote(names(deadly)) + "\n";
    }

    private String spawn(Step.Spawn spawn, String here) {
        int number = shared.kids++;
        shared.plan.tool(Tool.SLEEP, here);
        String record = "\"$fc_inv/kid." + number + "\"";
        String words = record + " " + spawn.id() + " " + spawn.mode() + " "
                + seconds(spawn.life().toMillis());
        if (!spawn.steps().isEmpty()) {
            Set<Signal> inherited = EnumSet.noneOf(Signal.class);
            inherited.addAll(spawn.ignore());
            String script = shared.file + ".kid." + number + ".sh";
            shared.plan.file("plan/" + script, descendantScript(spawn, number, here, inherited));
            variable(new Template.Variable("sessionId", ""));
            words += " " + script + " " + hundredths(spawn.life()) + " \"$fc_session\" \"$fc_number\" \"$@\"";
        }
        String outside = "\"$fc_shell\" \"$fc_data/plan/kid.sh\" \"$fc_data\" " + words;
        String prepare = prepare(spawn);
        String start = switch (spawn.mode()) {
            case CHILD -> "(\n" + prepare + "fc_kid " + words + "\n) &\nfc_bg=$!\n";
            case ORPHAN -> "(\n" + prepare + "( fc_kid " + words + " ) &\n)\nfc_bg=\n";
            case NEW_GROUP -> "(\n" + prepare + "fc_new_group " + outside + "\n) &\nfc_bg=$!\n";
            case NEW_SESSION -> "(\n" + prepare + "fc_new_session " + outside + "\n) &\nfc_bg=$!\n";
            case DAEMON -> "(\n" + prepare + "fc_new_session " + outside + "\n) || fc_broken spawnFailed\nfc_bg=\n";
        };
        if (spawn.mode() == SpawnMode.NEW_GROUP) {
            shared.plan.tool(Tool.NEW_GROUP, here);
        } else if (spawn.mode() == SpawnMode.NEW_SESSION || spawn.mode() == SpawnMode.DAEMON) {
            shared.plan.tool(Tool.NEW_SESSION, here);
        }
        return start + "fc_await_kid " + record + " \"$fc_bg\"\nfc_event 'spawn " + spawn.id() + "'\n";
    }

    /**
     * Signals that the fake ignores would stay ignored across exec, so they are reset where the descendant should not
     * ignore them. A descendant that keeps an inherited descriptor holds the pipe of whoever reads the fake.
     */
    String prepare(Step.Spawn spawn) {
        Set<Signal> reset = EnumSet.noneOf(Signal.class);
        reset.addAll(ignored);
        reset.addAll(handled);
        reset.removeAll(spawn.ignore());
        StringBuilder text = new StringBuilder();
        if (!reset.isEmpty()) {
            text.append("trap - ").append(names(reset)).append('\n');
        }
        if (!spawn.ignore().isEmpty()) {
            text.append("trap '' ").append(names(spawn.ignore())).append('\n');
        }
        text.append("exec < /dev/null 2> /dev/null");
        if (!spawn.holdStdout()) {
            text.append(" > /dev/null");
        } else if (burst) {
            text.append(" >&3");
        }
        return text.append(burst ? " 3>&-" : "").append('\n').toString();
    }

    // ---- text -------------------------------------------------------------------------------------------------------

    String word(String text) {
        return word(text, false);
    }

    String json(String text) {
        return word(text, true);
    }

    private String word(String text, boolean json) {
        StringBuilder word = new StringBuilder();
        for (Template.Part part : Template.parse(text).parts()) {
            if (part instanceof Template.Literal literal) {
                word.append(ShellText.quote(literal.text()));
            } else if (part instanceof Template.Variable variable) {
                int index = variable(variable);
                if (json) {
                    inJson.add(index);
                }
                word.append(json ? "\"$fc_j" : "\"$fc_v").append(index).append('"');
            }
        }
        return word.isEmpty() ? "''" : word.toString();
    }

    int variable(Template.Variable variable) {
        return variables.computeIfAbsent(variable, each -> variables.size());
    }

    /** Computes the variables that the script uses. */
    String preamble() {
        StringBuilder text = new StringBuilder();
        boolean persona = variables.keySet().stream()
                .anyMatch(each -> each.kind().equals("sessionId") || each.kind().equals("model"));
        if (persona) {
            text.append("fc_persona \"$@\"\n");
        }
        variables.forEach((variable, index) -> {
            String name = "fc_v" + index;
            text.append(
                    switch (variable.kind()) {
                        case "sessionId" -> name + "=$fc_session\n";
                        case "model" -> name + "=$fc_model\n";
                        case "attempt" -> name + "=${fc_number-}\n";
                        case "pid" -> name + "=$fc_pid\n";
                        case "cwd" -> name + "=$PWD\n";
                        case "uuid" -> "read -r " + name + " < /proc/sys/kernel/random/uuid\n";
                        case "arg" -> "fc_arg " + ShellText.quote(variable.name()) + " \"$@\"; " + name + "=$fc_text\n";
                        default -> name + "=${" + variable.name() + "-}\n";
                    });
            if (inJson.contains(index)) {
                text.append("fc_json \"$")
                        .append(name)
                        .append("\"; fc_j")
                        .append(index)
                        .append("=$fc_text\n");
            }
        });
        return text.toString();
    }

    static String names(Set<Signal> signals) {
        return String.join(" ", signals.stream().map(Signal::name).toList());
    }

    static long hundredths(Duration time) {
        return (time.toMillis() + 9) / 10;
    }

    static String seconds(long millis) {
        return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
    }
}
