/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.noorphans.fakecli.internal.dialogue.ShortForms;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.DialogueStep;
import org.noorphans.fakecli.model.EffectStep;
import org.noorphans.fakecli.model.InputStep;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.ProcessStep;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;

/**
 * Compiles an attempt that is a dialogue.
 *
 * <h2>Basic approach</h2>
 *
 * <p>The shell writes down the script of the call, one record for each step, and then becomes the JVM that plays it. All
 * texts are completed by the shell, as in every other attempt, so that there is one place where that is done.
 */
final class DialogueCompiler {
    /** Signals that end a program which says nothing about them, but which a JVM handles unless told otherwise. */
    private static final Set<Signal> HANDLED = EnumSet.of(Signal.HUP, Signal.INT, Signal.TERM);

    private final ScriptCompiler.Plan plan;
    private final ScriptCompiler texts;
    private final Dialect dialect;
    private final String file;
    private final String stall;
    private final List<String> said = new ArrayList<>();
    private final StringBuilder script = new StringBuilder();
    private int kids;

    private DialogueCompiler(
            ScriptCompiler.Plan plan, ScriptCompiler texts, Dialect dialect, String file, String stall) {
        this.plan = plan;
        this.texts = texts;
        this.dialect = dialect;
        this.file = file;
        this.stall = stall;
    }

    static boolean isDialogue(List<Step> steps) {
        return steps.stream().anyMatch(DialogueStep.class::isInstance);
    }

    /** The program of an attempt. */
    static String compile(ScriptCompiler.Plan plan, Persona persona, Dialect dialect, CallClass each, int attempt) {
        String file = each.name() + "." + attempt;
        String stall = GateName.ofStall(each.name(), attempt);
        String place = "class " + each.name() + ", attempt " + attempt;
        ScriptCompiler texts = new ScriptCompiler(new ScriptCompiler.Shared(plan, file), dialect, false, stall, place);
        plan.tool(Tool.JVM, place + " (a dialogue)");
        plan.gate(GateName.OWNER, place + " (a dialogue)");
        DialogueCompiler compiler = new DialogueCompiler(plan, texts, dialect, file, stall);
        return compiler.program(persona, each.attempts().get(attempt), place);
    }

    private String program(Persona persona, List<Step> steps, String place) {
        Set<Signal> ignored = EnumSet.noneOf(Signal.class);
        for (Step step : steps) {
            if (step instanceof Step.Ignore ignore) {
                ignored.addAll(ignore.signals());
            }
        }
        boolean handles = ignored.stream().anyMatch(HANDLED::contains);
        String reset = handles ? ScriptCompiler.names(HANDLED) : "";
        String protocol = ShortForms.of(persona.name()).orElseThrow().protocol();
        act(
                "setup",
                ShellText.quote(protocol),
                texts.word("${sessionId}"),
                texts.word("${model}"),
                texts.word("${cwd}"),
                texts.word("${pid}"),
                ShellText.quote(reset));
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            step(step, place + ", step " + (i + 1) + " (" + step.describe() + ")");
        }
        return texts.preamble() + "{\n" + script + "} > \"$fc_inv/script\"\n"
                + "printf 'line\\n' > \"$fc_inv/stdin.policy\"\nfc_play '" + (handles ? "" : "-Xrs") + "' \"$@\"\n";
    }

    private void step(Step step, String here) {
        if (step instanceof DialogueStep dialogue) {
            dialogue(dialogue);
        } else if (step instanceof Step.Out out) {
            act("line", texts.word(out.line()));
        } else if (step instanceof Step.Json json) {
            act("line", texts.json(json.object()));
        } else if (step instanceof Step.Say say) {
            dialect.lines(say.phrase().name(), say.phrase().object(), said)
                    .forEach(each -> act("line", texts.json(each)));
            said.add(say.phrase().name());
        } else if (step instanceof Step.Err err) {
            act("err", texts.word(err.line()));
        } else if (step instanceof Step.Partial partial) {
            act("text", texts.word(partial.text()));
        } else if (step instanceof Step.Delay delay) {
            act("delay", millis(delay.time()));
        } else if (step instanceof Step.Stall) {
            plan.gate(stall, here);
            act("stall", stall);
        } else if (step instanceof Step.Gate gate) {
            plan.gate(GateName.ofGate(gate.name()), here);
            act("gate", GateName.ofGate(gate.name()), ShellText.quote("gate " + gate.name()));
        } else if (step instanceof Step.Spawn spawn) {
            spawn(spawn, kids++, here);
        } else if (step instanceof Step.Ignore ignore) {
            act("ignore", ignore.signals().stream().map(Signal::name).toArray(String[]::new));
        } else if (step instanceof Step.Exit exit) {
            act("exit", Integer.toString(exit.code()));
        } else if (step instanceof Step.ExitAs exit) {
            act("exit", Integer.toString(128 + exit.signal().number()));
        } else if (step instanceof Step.Crash crash) {
            act("crash", crash.signal().name());
        } else if (step instanceof OutputStep.Bytes bytes) {
            act("bytes", ShellText.quote(bytes.base64()));
        } else if (step instanceof OutputStep.Flood flood) {
            act("flood", flood.stream().name(), Long.toString(flood.bytes()));
        } else if (step instanceof OutputStep.Replay replay) {
            act("replay", plan.replay(replay.file()));
        } else if (step instanceof WaitStep.Heartbeat beat) {
            act("beat", millis(beat.every()), count(beat.count()), "out", texts.word(beat.out()));
        } else if (step instanceof WaitStep.Busy busy) {
            act("busy", millis(busy.time()));
        } else if (step instanceof WaitStep.Speed chosen) {
            texts.speed = chosen.factor();
        } else if (step instanceof InputStep.Stdin stdin && stdin.policy() == StdinPolicy.EOF) {
            act("stdin-eof");
        } else if (step instanceof ProcessStep.CloseStdout) {
            act("closeStdout");
        } else if (step instanceof EffectStep effect) {
            effect(effect);
        } else {
            throw new IllegalArgumentException(here + " cannot be part of a dialogue");
        }
    }

    private void dialogue(DialogueStep step) {
        if (step instanceof DialogueStep.Auto auto) {
            act("auto", texts.json(auto.changes()));
        } else if (step instanceof DialogueStep.Expect expect) {
            act(
                    "expect",
                    ShellText.quote(expect.method()),
                    texts.json(expect.match().orElse("")));
        } else if (step instanceof DialogueStep.Reply reply) {
            boolean honours = reply.onCancel() == DialogueStep.OnCancel.HONOUR;
            act("reply", texts.json(reply.value()), honours ? "honour" : "ignore");
        } else if (step instanceof DialogueStep.Fail fail) {
            act(
                    "fail",
                    Integer.toString(fail.code()),
                    texts.word(fail.message()),
                    texts.json(fail.data().orElse("")));
        } else if (step instanceof DialogueStep.Notify notify) {
            act("notify", texts.json(notify.message()));
        } else if (step instanceof DialogueStep.Ask ask) {
            act("ask", texts.json(ask.message()), texts.json(ask.answer().orElse("")));
        } else if (step instanceof DialogueStep.Beat beat) {
            act("beat", millis(beat.every()), count(beat.count()), "notify", texts.json(beat.message()));
        }
    }

    private void effect(EffectStep step) {
        if (step instanceof EffectStep.Write write) {
            act("write", texts.word(write.path()), texts.word(write.text()));
        } else if (step instanceof EffectStep.Append append) {
            act("append", texts.word(append.path()), texts.word(append.text()));
        } else if (step instanceof EffectStep.Delete delete) {
            act("delete", texts.word(delete.path()));
        } else if (step instanceof EffectStep.Run run) {
            List<String> words =
                    new ArrayList<>(List.of(Long.toString(run.life().toMillis())));
            run.argv().forEach(word -> words.add(texts.word(word)));
            act("run", words.toArray(String[]::new));
        }
    }

    /** A program of its own, which the JVM starts: so a child of the fake is a child of the JVM. */
    private void spawn(Step.Spawn spawn, int number, String here) {
        plan.tool(Tool.SLEEP, here);
        String record = "kid." + number;
        String words = "\"$fc_inv/" + record + "\" " + spawn.id() + " " + spawn.mode() + " "
                + ScriptCompiler.seconds(spawn.life().toMillis());
        if (!spawn.steps().isEmpty()) {
            String kid = file + ".kid." + number + ".sh";
            Set<Signal> inherited = EnumSet.noneOf(Signal.class);
            inherited.addAll(spawn.ignore());
            plan.file("plan/" + kid, texts.descendantScript(spawn, number, here, inherited));
            words += " " + kid + " " + ScriptCompiler.hundredths(spawn.life())
                    + " \"$fc_session\" \"$fc_number\" \"$@\"";
        }
        String outside = "\"$fc_shell\" \"$fc_data/plan/kid.sh\" \"$fc_data\" " + words;
        String start = switch (spawn.mode()) {
            case CHILD -> "fc_kid " + words + "\n";
            case ORPHAN -> "( fc_kid " + words + " ) &\n";
            case NEW_GROUP -> "fc_new_group " + outside + "\n";
            case NEW_SESSION, DAEMON -> "fc_new_session " + outside + "\n";
        };
        if (spawn.mode() == SpawnMode.NEW_GROUP) {
            plan.tool(Tool.NEW_GROUP, here);
        } else if (spawn.mode() == SpawnMode.NEW_SESSION || spawn.mode() == SpawnMode.DAEMON) {
            plan.tool(Tool.NEW_SESSION, here);
        }
        String program = "plan/" + file + ".start." + number + ".sh";
        plan.file(
                program,
                "fc_data=$1 fc_inv=$2 fc_session=$3 fc_number=$4\nshift 4\n"
                        + ". \"$fc_data/plan/host.sh\"\n. \"$fc_data/plan/lib.sh\"\n"
                        + texts.prepare(spawn) + start);
        act("spawn", program, Integer.toString(number), spawn.id());
    }

    private void act(String kind, String... words) {
        List<String> all = new ArrayList<>(List.of(kind, Integer.toString(words.length)));
        all.addAll(List.of(words));
        script.append("printf '%s\\0' ").append(String.join(" ", all)).append('\n');
    }

    private String millis(Duration time) {
        Duration real = texts.scaled(time);
        return Long.toString(real.toMillis() + (real.toNanosPart() % 1_000_000 == 0 ? 0 : 1));
    }

    private static String count(OptionalInt count) {
        return Integer.toString(count.orElse(-1));
    }
}
