/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Expect;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.When;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes a scenario as YAML or JSON; read again it is equal. */
public final class ScenarioWriter {
    private ScenarioWriter() {}

    /** The scenario as YAML. */
    public static String yaml(Scenario scenario) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(Integer.MAX_VALUE)
                .setSplitLines(false)
                .build();
        return new Dump(settings).dumpToString(tree(scenario));
    }

    /** The scenario as JSON. */
    public static String json(Scenario scenario) {
        return new GsonBuilder()
                        .setPrettyPrinting()
                        .disableHtmlEscaping()
                        .serializeNulls()
                        .create()
                        .toJson(JsonText.element(tree(scenario)))
                + "\n";
    }

    private static Map<String, @Nullable Object> tree(Scenario scenario) {
        StepWriter steps = new StepWriter(scenario.persona());
        Map<String, @Nullable Object> tree = StepWriter.map("schema", ScenarioReader.SCHEMA);
        tree.put("name", scenario.name());
        tree.put("persona", persona(scenario.persona()));
        List<CallClass> others =
                new ArrayList<>(scenario.classes().subList(0, scenario.classes().size() - 1));
        List<CallClass> probes = scenario.persona().probes(null, null);
        if (others.size() >= probes.size() && others.subList(0, probes.size()).equals(probes)) {
            others.subList(0, probes.size()).clear();
        } else {
            tree.put("probes", "none");
        }
        if (!scenario.attemptKey().equals(AttemptKey.NONE)) {
            tree.put("attemptKey", attemptKey(scenario.attemptKey()));
        }
        if (!others.isEmpty()) {
            tree.put(
                    "classes",
                    others.stream().map(each -> callClass(each, steps)).toList());
        }
        if (!scenario.run().when().conditions().isEmpty()) {
            tree.put("attemptsWhen", when(scenario.run().when()));
        }
        tree.put("attempts", attempts(scenario.run().attempts(), steps));
        if (scenario.onExhausted() != OnExhausted.FAIL) {
            tree.put("onExhausted", StepReader.camel(scenario.onExhausted().name()));
        }
        if (!scenario.environment().isEmpty()) {
            tree.put("environment", scenario.environment());
        }
        if (!scenario.expect().equals(Expect.NOTHING)) {
            tree.put("expect", expect(scenario.expect()));
        }
        return tree;
    }

    private static Object persona(Persona persona) {
        if (persona == Persona.OPENCODE_V2) {
            Map<String, @Nullable Object> map = StepWriter.map("name", Persona.OPENCODE.id());
            map.put("line", "v2");
            return map;
        }
        return persona.id();
    }

    private static Object attemptKey(AttemptKey key) {
        if (key instanceof AttemptKey.Arg arg) {
            return StepWriter.map("arg", arg.flag());
        } else if (key instanceof AttemptKey.Env env) {
            return StepWriter.map("env", env.name());
        }
        return "cwd";
    }

    private static Map<String, @Nullable Object> callClass(CallClass each, StepWriter steps) {
        Map<String, @Nullable Object> map = StepWriter.map("name", each.name());
        map.put("counts", each.counts());
        if (!each.when().conditions().isEmpty()) {
            map.put("when", when(each.when()));
        }
        if (each.counts()) {
            map.put("attempts", attempts(each.attempts(), steps));
        } else {
            map.put("do", steps.steps(each.attempts().get(0)));
        }
        return map;
    }

    private static List<Object> attempts(List<List<Step>> attempts, StepWriter steps) {
        List<Object> list = new ArrayList<>();
        attempts.forEach(each -> list.add(StepWriter.map("do", steps.steps(each))));
        return list;
    }

    private static Map<String, @Nullable Object> when(When when) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (When.Condition condition : when.conditions()) {
            String key = condition instanceof When.ArgvAny
                    ? "argvAny"
                    : condition instanceof When.ArgvNone ? "argvNone" : "argvStarts";
            if (map.put(key, condition.flags()) != null) {
                throw new IllegalArgumentException("a file can say " + key + " once in a rule; join the two");
            }
        }
        return map;
    }

    private static Map<String, @Nullable Object> expect(Expect expect) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        expect.attempts().ifPresent(number -> map.put("attempts", number));
        expect.distinct().ifPresent(flag -> map.put("distinct", StepWriter.map("arg", flag)));
        expect.absent().ifPresent(flag -> map.put("absent", StepWriter.map("arg", flag)));
        if (!expect.dead().isEmpty()) {
            map.put("dead", expect.dead());
        }
        if (!expect.mayLive().isEmpty()) {
            map.put("mayLive", expect.mayLive());
        }
        expect.each().forEach((number, attempt) -> map.put("attempt" + number, ofAttempt(attempt)));
        return map;
    }

    private static Map<String, @Nullable Object> ofAttempt(Expect.OfAttempt attempt) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        Map<String, @Nullable Object> argv = new LinkedHashMap<>();
        put(argv, "has", attempt.argvHas());
        put(argv, "hasNot", attempt.argvHasNot());
        if (!argv.isEmpty()) {
            map.put("argv", argv);
        }
        Map<String, @Nullable Object> stdin = new LinkedHashMap<>();
        put(stdin, "contains", attempt.stdinContains());
        put(stdin, "notContains", attempt.stdinNotContains());
        if (!stdin.isEmpty()) {
            map.put("stdin", stdin);
        }
        attempt.exit().ifPresent(code -> map.put("exit", StepWriter.map("code", code)));
        attempt.signals()
                .ifPresent(signals ->
                        map.put("signals", signals.stream().map(Signal::name).toList()));
        return map;
    }

    private static void put(Map<String, @Nullable Object> map, String key, List<String> values) {
        if (!values.isEmpty()) {
            map.put(key, values);
        }
    }
}
