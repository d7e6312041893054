/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Scenario;
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
public final class ShellCompiler implements ScriptCompiler.Plan {
    private static final String LIBRARY = Resources.read("lib.sh");
    private static final String KID = Resources.read("kid.sh");
    private static final String KID_MAIN = Resources.read("kid-main.sh");

    private final Scenario scenario;
    private final Dialect dialect;
    private final Map<String, String> files = new TreeMap<>();
    private final Map<String, String> gates = new TreeMap<>();
    private final Map<String, String> replays = new LinkedHashMap<>();
    private final Map<Tool, String> tools = new EnumMap<>(Tool.class);

    private ShellCompiler(Scenario scenario) {
        this.scenario = scenario;
        this.dialect = Dialect.named(scenario.persona().dialect());
    }

    /** The plan of a scenario. */
    public static ShellPlan compile(Scenario scenario) {
        return new ShellCompiler(scenario).plan();
    }

    private ShellPlan plan() {
        files.put("plan/lib.sh", LIBRARY + "\n" + PersonaText.of(dialect));
        files.put("plan/kid.sh", KID);
        files.put("plan/kid-main.sh", KID_MAIN);
        files.put("plan/main.sh", main());
        for (CallClass each : scenario.classes()) {
            for (int i = 0; i < each.attempts().size(); i++) {
                files.put("plan/" + each.name() + "." + i + ".sh", steps(each, i));
            }
        }
        return new ShellPlan(new TreeMap<>(files), new TreeMap<>(gates), new TreeMap<>(tools), replays);
    }

    private String main() {
        StringBuilder text = new StringBuilder();
        text.append(". \"$fc_data/plan/host.sh\"\n. \"$fc_data/plan/lib.sh\"\nfc_begin \"$@\"\nfc_environ")
                .append(scenario.environment().stream().map(name -> " " + name).collect(Collectors.joining()))
                .append('\n');
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
        return "fc_class=" + each.name() + "; " + claim(each.name(), scenario.attemptKey()) + "; fc_attempt "
                + each.attempts().size() + " " + repeat;
    }

    private static String claim(String name, AttemptKey key) {
        String keyed = "; fc_claim " + name + ".k\"$fc_text\"";
        if (key instanceof AttemptKey.Cwd) {
            return "fc_key \"$(pwd -P)\"" + keyed;
        } else if (key instanceof AttemptKey.Arg arg) {
            return "fc_arg " + ShellText.quote(arg.flag()) + " \"$@\"; fc_key \"$fc_text\"" + keyed;
        } else if (key instanceof AttemptKey.Env env) {
            return "fc_key \"${" + env.name() + "-}\"" + keyed;
        }
        return "fc_claim " + name + ".all";
    }

    private static String condition(When.Condition condition) {
        if (condition instanceof When.ArgvStarts) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < condition.flags().size(); i++) {
                text.append("    [ \"${").append(i + 1).append("-}\" = ");
                text.append(ShellText.quote(condition.flags().get(i))).append(" ] || return 1\n");
            }
            return text.toString();
        }
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
        if (DialogueCompiler.isDialogue(each.attempts().get(attempt))) {
            return DialogueCompiler.compile(this, scenario.persona(), dialect, each, attempt);
        }
        return ScriptCompiler.attempt(
                this,
                dialect,
                each.name() + "." + attempt,
                GateName.ofStall(each.name(), attempt),
                "class " + each.name() + ", attempt " + attempt,
                each.attempts().get(attempt));
    }

    @Override
    public void gate(String file, String why) {
        gates.putIfAbsent(file, why);
    }

    @Override
    public void tool(Tool tool, String why) {
        tools.putIfAbsent(tool, why);
    }

    @Override
    public void file(String path, String text) {
        files.put(path, text);
    }

    @Override
    public String replay(String source) {
        return replays.computeIfAbsent(source, each -> "plan/replay." + replays.size() + ".sh");
    }
}
