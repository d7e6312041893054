/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.When;

/**
 * Compiles a scenario to shell programs.
 *
 * <h2>Basic approach</h2>
 *
 * <p>{@code main.sh} is what every call does: it takes a record directory, writes down who it is, finds its class,
 * claims an attempt number, and reads in the one file for that class and attempt, which is straight-line: a line of
 * shell for each step. What lines have in common are functions in {@code lib.sh}; the traps that each of them avoids
 * are noted there. {@code kid.sh} is the first moment of descendants that a shell function cannot start.
 *
 * <p>{@code host.sh} is not made here: it holds what differs between machines.
 */
public final class ShellCompiler {
    private static final String LIBRARY = Resources.read("lib.sh");
    private static final String KID = Resources.read("kid.sh");
    private static final long SLICE_MILLIS = 250;

    private final Scenario scenario;
    private final Dialect dialect;
    private final Map<String, String> files = new TreeMap<>();
    private final Map<String, String> gates = new TreeMap<>();
    private final Map<Tool, String> tools = new EnumMap<>(Tool.class);

    private ShellCompiler(Scenario scenario) {
        this.scenario = scenario;
        this.dialect = Dialect.of(scenario.persona());
    }

    /** The plan of a scenario. */
    public static ShellPlan compile(Scenario scenario) {
        return new ShellCompiler(scenario).plan();
    }

    private ShellPlan plan() {
        files.put("plan/lib.sh", LIBRARY + "\n" + dialect.setup());
        files.put("plan/kid.sh", KID);
        files.put("plan/main.sh", main());
        for (CallClass each : scenario.classes()) {
            for (int i = 0; i < each.attempts().size(); i++) {
                files.put("plan/" + each.name() + "." + i + ".sh", steps(each, i));
            }
        }
        return new ShellPlan(new TreeMap<>(files), new TreeMap<>(gates), new TreeMap<>(tools));
    }

    private String main() {
        StringBuilder text = new StringBuilder();
        text.append(". \"$fc_data/plan/host.sh\"\n. \"$fc_data/plan/lib.sh\"\nfc_begin \"$@\"\n");
        List<CallClass> classes = scenario.classes();
        for (int i = 0; i < classes.size(); i++) {
            text.append("fc_when_").append(i).append("() {\n");
            for (When.Condition condition : classes.get(i).when().conditions()) {
                text.append(condition(condition));
            }
            text.append("    return 0\n}\n");
        }
        for (int i = 0; i < classes.size(); i++) {
            text.append(i == 0 ? "if" : "elif").append(" fc_when_").append(i).append(" \"$@\"; then\n    ");
            text.append(call(classes.get(i))).append('\n');
        }
        return text.append("else\n    fc_unmatched \"$@\"\nfi\n")
                .append(". \"$fc_data/plan/$fc_class.$fc_plan.sh\"\n")
                .toString();
    }

    private String call(CallClass each) {
        if (!each.counts()) {
            return "fc_class=" + each.name() + " fc_plan=0; fc_started";
        }
        String repeat = scenario.onExhausted() == OnExhausted.REPEAT_LAST ? "repeat" : "fail";
        return "fc_class=" + each.name() + "; fc_claim " + each.name() + "." + counter(scenario.attemptKey())
                + "; fc_attempt " + each.attempts().size() + " " + repeat;
    }

    private static String counter(AttemptKey key) {
        if (key instanceof AttemptKey.None) {
            return "all";
        }
        throw new IllegalArgumentException("unknown attempt key " + key);
    }

    private static String condition(When.Condition condition) {
        List<String> patterns = new ArrayList<>();
        for (String flag : condition.flags()) {
            patterns.add(ShellText.quote(flag));
            if (flag.startsWith("--")) {
                patterns.add(ShellText.quote(flag + "=") + "*");
            }
        }
        String negate = condition instanceof When.ArgvNone ? "! " : "";
        String name = "fc_any";
        return "    " + name + "() { for fc_arg do case $fc_arg in " + String.join(" | ", patterns)
                + ") return 0 ;; esac; done; return 1; }\n    " + negate + name + " \"$@\" || return 1\n";
    }

    private String steps(CallClass each, int attempt) {
        StringBuilder text = new StringBuilder();
        List<Step> steps = each.attempts().get(attempt);
        Set<Signal> ignored = EnumSet.noneOf(Signal.class);
        int kids = 0;
        if (steps.stream().anyMatch(Step.Say.class::isInstance)) {
            text.append("fc_persona \"$@\"\n");
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String place = "class " + each.name() + ", attempt " + attempt + ", step " + (i + 1) + " ("
                    + step.describe() + ")";
            if (step instanceof Step.Out out) {
                text.append(line(ShellText.quote(out.line())));
            } else if (step instanceof Step.Json json) {
                text.append(line(ShellText.quote(json.object())));
            } else if (step instanceof Step.Say say) {
                text.append(line(dialect.line(say.phrase(), steps.subList(0, i))));
            } else if (step instanceof Step.Err err) {
                text.append("printf '%s\\n' ")
                        .append(ShellText.quote(err.line()))
                        .append(" >&2\n");
            } else if (step instanceof Step.Partial partial) {
                text.append("printf '%s' ")
                        .append(ShellText.quote(partial.text()))
                        .append('\n');
            } else if (step instanceof Step.Delay delay) {
                tools.putIfAbsent(Tool.SLEEP, place);
                text.append(delay(delay.time(), ignored));
            } else if (step instanceof Step.Stall) {
                text.append(gate(GateName.ofStall(each.name(), attempt), "stall", place));
            } else if (step instanceof Step.Gate gate) {
                text.append(gate(GateName.ofGate(gate.name()), "gate " + gate.name(), place));
            } else if (step instanceof Step.Spawn spawn) {
                text.append(spawn(spawn, kids++, ignored, place));
            } else if (step instanceof Step.Ignore ignore) {
                ignored.addAll(ignore.signals());
                text.append("trap '' ").append(names(ignore.signals())).append('\n');
            } else if (step instanceof Step.Exit exit) {
                text.append("fc_exit ").append(exit.code()).append('\n');
            } else if (step instanceof Step.Crash crash) {
                text.append("fc_crash ").append(crash.signal()).append('\n');
            }
        }
        if (!steps.get(steps.size() - 1).ends()) {
            text.append("fc_exit 0\n");
        }
        return text.toString();
    }

    /** printf and not echo: the echo of dash expands backslashes, and so breaks JSON strings. */
    private static String line(String word) {
        return "printf '%s\\n' " + word + "\n";
    }

    private String gate(String file, String event, String place) {
        gates.putIfAbsent(file, place);
        return "fc_gate " + file + " " + ShellText.quote(event) + "\n";
    }

    /** The signals that the fake ignores stay ignored; the others that a fake may be sent end it at once. */
    private static String delay(Duration time, Set<Signal> ignored) {
        Set<Signal> trapped = EnumSet.of(Signal.HUP, Signal.INT, Signal.QUIT, Signal.TERM);
        trapped.removeAll(ignored);
        long millis = time.toMillis() + (time.toNanosPart() % 1_000_000 == 0 ? 0 : 1);
        return "fc_delay " + millis / SLICE_MILLIS + " " + seconds(millis % SLICE_MILLIS) + " " + names(trapped) + "\n";
    }

    private String spawn(Step.Spawn spawn, int number, Set<Signal> ignored, String place) {
        tools.putIfAbsent(Tool.SLEEP, place);
        String record = "\"$fc_inv/kid." + number + "\"";
        String words = record + " " + spawn.id() + " " + spawn.mode() + " "
                + seconds(spawn.life().toMillis());
        String outside = "\"$fc_shell\" \"$fc_data/plan/kid.sh\" \"$fc_data\" " + words;
        String prepare = prepare(spawn, ignored);
        String start = switch (spawn.mode()) {
            case CHILD -> "(\n" + prepare + "fc_kid " + words + "\n) &\nfc_bg=$!\n";
            case ORPHAN -> "(\n" + prepare + "( fc_kid " + words + " ) &\n)\nfc_bg=\n";
            case NEW_GROUP -> {
                tools.putIfAbsent(Tool.NEW_GROUP, place);
                yield "(\n" + prepare + "fc_new_group " + outside + "\n) &\nfc_bg=$!\n";
            }
            case NEW_SESSION -> {
                tools.putIfAbsent(Tool.NEW_SESSION, place);
                yield "(\n" + prepare + "fc_new_session " + outside + "\n) &\nfc_bg=$!\n";
            }
            case DAEMON -> {
                tools.putIfAbsent(Tool.NEW_SESSION, place);
                yield "(\n" + prepare + "fc_new_session " + outside + "\n) || fc_broken spawnFailed\nfc_bg=\n";
            }
        };
        return start + "fc_await_kid " + record + " \"$fc_bg\"\nfc_event 'spawn " + spawn.id() + "'\n";
    }

    /**
     * Signals that the fake ignores would stay ignored across exec, so they are reset where the descendant should not
     * ignore them. A descendant that keeps an inherited descriptor holds the pipe of whoever reads the fake.
     */
    private static String prepare(Step.Spawn spawn, Set<Signal> ignored) {
        Set<Signal> reset = EnumSet.noneOf(Signal.class);
        reset.addAll(ignored);
        reset.removeAll(spawn.ignore());
        StringBuilder text = new StringBuilder();
        if (!reset.isEmpty()) {
            text.append("trap - ").append(names(reset)).append('\n');
        }
        if (!spawn.ignore().isEmpty()) {
            text.append("trap '' ").append(names(spawn.ignore())).append('\n');
        }
        return text.append("exec < /dev/null 2> /dev/null")
                .append(spawn.holdStdout() ? "" : " > /dev/null")
                .append('\n')
                .toString();
    }

    private static String names(Set<Signal> signals) {
        return String.join(" ", signals.stream().map(Signal::name).toList());
    }

    private static String seconds(long millis) {
        return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
    }
}
