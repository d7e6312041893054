/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.internal.persona.Macro;
import org.noorphans.fakecli.model.EffectStep;
import org.noorphans.fakecli.model.InputStep;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.ProcessStep;
import org.noorphans.fakecli.model.Quirk;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;

/** Reads steps. Everything wrong is told to the {@link Problems}; what is right is read all the same. */
final class StepReader {
    private final Persona persona;
    private final Problems problems;
    private final Map<String, BiFunction<Tree, Map<String, Tree>, List<Step>>> kinds = new java.util.TreeMap<>();

    StepReader(Persona persona, Problems problems) {
        this.persona = persona;
        this.problems = problems;
        one("out", (value, all) -> new Step.Out(value.text("out")));
        one("err", (value, all) -> new Step.Err(value.text("err")));
        one("partial", (value, all) -> new Step.Partial(value.text("partial")));
        one("json", (value, all) -> new Step.Json(value.isMap() ? JsonText.of(value.plain()) : value.text("json")));
        one("say", (value, all) -> say(value));
        one("bytes", (value, all) -> new OutputStep.Bytes(value.text("bytes")));
        one("replay", (value, all) -> new OutputStep.Replay(value.text("replay")));
        one("flood", (value, all) -> flood(value));
        one("burst", (value, all) -> new OutputStep.Burst());
        one("delay", (value, all) -> new Step.Delay(time(value, "delay")));
        one("stall", (value, all) -> stall(value));
        one("gate", (value, all) -> new Step.Gate(value.text("gate")));
        one("heartbeat", (value, all) -> heartbeat(value));
        one("busy", (value, all) -> new WaitStep.Busy(time(value, "busy")));
        one("speed", (value, all) -> new WaitStep.Speed(value.number("speed")));
        one("stdin", this::stdin);
        one("spawn", (value, all) -> spawn(value, "spawn", "", false));
        one("ignore", (value, all) -> new Step.Ignore(signals(value, "ignore")));
        one("on", (value, all) -> on(value));
        one("respawn", (value, all) -> respawn(value));
        one(
                "execSelf",
                (value, all) -> new ProcessStep.ExecSelf(value.value() == null ? List.of() : value.texts("execSelf")));
        one("closeStdout", (value, all) -> new ProcessStep.CloseStdout());
        one("file", (value, all) -> file(value));
        one("run", (value, all) -> run(value));
        one("exit", (value, all) -> new Step.Exit(value.whole("exit")));
        one("exitAs", (value, all) -> new Step.ExitAs(exitAs(value)));
        one("crash", (value, all) -> new Step.Crash(signal(value)));
        DialogueFile.kinds((name, read) -> one(name, (value, all) -> read.apply(value)));
        kinds.put("preset", (value, all) -> Quirk.ofId(value.text("preset")).steps());
    }

    private void one(String name, BiFunction<Tree, Map<String, Tree>, Step> read) {
        kinds.put(name, (value, all) -> List.of(read.apply(value, all)));
    }

    /** All steps that can be read. */
    List<Step> steps(Tree tree) {
        List<Step> steps = new ArrayList<>();
        for (Tree each : tree.list("steps")) {
            problems.collect(each, () -> steps.addAll(step(each)));
        }
        return steps;
    }

    private List<Step> step(Tree tree) {
        Map<String, Tree> map = tree.isMap()
                ? tree.map("step")
                : Map.of(tree.text("a step"), new Tree(null, tree.line(), tree.column()));
        String name = map.keySet().stream().findFirst().orElse("");
        BiFunction<Tree, Map<String, Tree>, List<Step>> kind = kinds.get(name);
        if (kind == null) {
            throw new Tree.Refused(
                    tree,
                    "unknown step \"" + name + "\"; there are " + String.join(", ", new TreeSet<>(kinds.keySet())));
        }
        if (map.size() > 1 && !name.equals("stdin")) {
            throw new Tree.Refused(
                    tree,
                    "a step is one thing, but this has the keys " + String.join(", ", map.keySet())
                            + "; write a step for each");
        }
        Tree value = map.get(name);
        return kind.apply(value == null ? tree : value, map);
    }

    private Step say(Tree value) {
        if (!value.isMap()) {
            return checked(value, Phrase.of(value.text("say")));
        }
        Map<String, Tree> map = value.map("say");
        String name = map.keySet().stream().findFirst().orElse("");
        Macro macro = Dialect.named(persona.dialect()).macros().get(name);
        Phrase phrase = Phrase.of(name);
        if (macro == null) {
            return checked(value, phrase);
        }
        Tree first = map.get(name);
        if (first != null && first.isMap()) {
            for (Map.Entry<String, Tree> each : first.map(name).entrySet()) {
                phrase = phrase.with(each.getKey(), each.getValue().plain());
            }
        } else if (first != null && first.value() != null) {
            if (macro.parameters().isEmpty()) {
                throw new Tree.Refused(first, "phrase \"" + name + "\" takes no value; write say: " + name);
            }
            phrase = phrase.with(macro.parameters().get(0).name(), first.plain());
        }
        for (Map.Entry<String, Tree> each : map.entrySet()) {
            if (!each.getKey().equals(name)) {
                phrase = phrase.with(each.getKey(), each.getValue().plain());
            }
        }
        return checked(value, phrase);
    }

    private Step checked(Tree where, Phrase phrase) {
        try {
            persona.check(phrase);
        } catch (IllegalArgumentException e) {
            throw new Tree.Refused(where, String.valueOf(e.getMessage()));
        }
        return new Step.Say(phrase);
    }

    private static Step flood(Tree value) {
        Map<String, Tree> map = keys(value, "flood", "stream", "bytes");
        Tree stream = map.get("stream");
        OutputStep.Stream where =
                stream == null ? OutputStep.Stream.OUT : choice(stream, "stream", OutputStep.Stream.values());
        return new OutputStep.Flood(where, need(value, map, "flood", "bytes").wholeLong("bytes"));
    }

    private static Step stall(Tree value) {
        if (value.value() != null) {
            Map<String, Tree> map = keys(value, "stall", "until");
            Tree until = map.get("until");
            if (until != null && !List.of("killed", "released").contains(until.text("until"))) {
                throw new Tree.Refused(until, "stall until must be killed or released, but was " + until.shown());
            }
        }
        return new Step.Stall();
    }

    private static Step heartbeat(Tree value) {
        if (value.isMap() && value.map("heartbeat").containsKey("notify")) {
            return DialogueFile.heartbeat(value);
        }
        Map<String, Tree> map = keys(value, "heartbeat", "every", "out", "count", "until");
        Tree count = map.get("count");
        Tree until = map.get("until");
        if (until != null && (count != null || !until.text("until").equals("killed"))) {
            throw new Tree.Refused(until, "a heartbeat has either a count or until: killed");
        }
        return new WaitStep.Heartbeat(
                time(need(value, map, "heartbeat", "every"), "every"),
                need(value, map, "heartbeat", "out").text("out"),
                count == null ? OptionalInt.empty() : OptionalInt.of(count.whole("count")));
    }

    private Step stdin(Tree value, Map<String, Tree> all) {
        for (Map.Entry<String, Tree> each : all.entrySet()) {
            if (!List.of("stdin", "save").contains(each.getKey())) {
                throw new Tree.Refused(each.getValue(), "stdin has no \"" + each.getKey() + "\"; it has save");
            }
        }
        Tree save = all.get("save");
        return new InputStep.Stdin(choice(value, "stdin", StdinPolicy.values()), save != null && save.flag("save"));
    }

    private Step.Spawn spawn(Tree value, String what, String usualId, boolean holds, String... more) {
        Set<String> allowed = new LinkedHashSet<>(List.of("id", "mode", "ignore", "holdStdout", "life", "do"));
        allowed.addAll(List.of(more));
        Map<String, Tree> map = keys(value, what, allowed.toArray(String[]::new));
        Tree ignore = map.get("ignore");
        Tree hold = map.get("holdStdout");
        Tree life = map.get("life");
        Tree steps = map.get("do");
        Tree id = usualId.isEmpty() ? need(value, map, what, "id") : map.get("id");
        return new Step.Spawn(
                id == null ? usualId : id.text("id"),
                mode(need(value, map, what, "mode")),
                ignore == null ? Set.of() : signals(ignore, "ignore"),
                hold == null ? holds : hold.flag("holdStdout"),
                life == null ? Step.Spawn.DEFAULT_LIFE : time(life, "life"),
                steps == null ? List.of() : steps(steps));
    }

    private Step respawn(Tree value) {
        Map<String, Tree> map = value.map("respawn");
        Signal when = signal(need(value, map, "respawn", "when"));
        return new ProcessStep.Respawn(when, spawn(value, "respawn", "respawned", true, "when"));
    }

    private Step on(Tree value) {
        Map<Signal, List<Step>> handlers = new EnumMap<>(Signal.class);
        value.map("on").forEach((name, steps) -> {
            Signal signal = signal(new Tree(name, steps.line(), steps.column()));
            boolean log =
                    !steps.isList() && steps.value() != null && steps.text("on").equals("log");
            handlers.put(signal, log ? List.of() : steps(steps));
        });
        return new ProcessStep.On(handlers);
    }

    private static Step file(Tree value) {
        Map<String, Tree> map = keys(value, "file", "write", "append", "delete", "text");
        Tree write = map.get("write");
        Tree append = map.get("append");
        Tree delete = map.get("delete");
        int deeds = (write == null ? 0 : 1) + (append == null ? 0 : 1) + (delete == null ? 0 : 1);
        if (deeds != 1) {
            throw new Tree.Refused(value, "file needs exactly one of write, append and delete");
        }
        if (delete != null) {
            return new EffectStep.Delete(delete.text("delete"));
        }
        String text = need(value, map, "file", "text").text("text");
        return write != null
                ? new EffectStep.Write(write.text("write"), text)
                : new EffectStep.Append(append == null ? "" : append.text("append"), text);
    }

    private static Step run(Tree value) {
        if (!value.isMap()) {
            return new EffectStep.Run(value.texts("run"), EffectStep.Run.DEFAULT_LIFE);
        }
        Map<String, Tree> map = keys(value, "run", "argv", "life");
        Tree life = map.get("life");
        return new EffectStep.Run(
                need(value, map, "run", "argv").texts("argv"),
                life == null ? EffectStep.Run.DEFAULT_LIFE : time(life, "life"));
    }

    private static Signal exitAs(Tree value) {
        if (value.value() instanceof Long code) {
            return Arrays.stream(Signal.values())
                    .filter(signal -> signal.number() + 128 == code)
                    .findFirst()
                    .orElseThrow(() -> new Tree.Refused(
                            value, "exitAs " + code + " looks like no signal that there is; use exit: " + code));
        }
        return signal(value);
    }

    // ---- values -----------------------------------------------------------------------------------------------------

    static Duration time(Tree value, String what) {
        try {
            return DurationText.parse(value.text(what));
        } catch (Tree.Refused e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new Tree.Refused(value, what + ": " + e.getMessage());
        }
    }

    static Set<Signal> signals(Tree value, String what) {
        Set<Signal> signals = EnumSet.noneOf(Signal.class);
        if (value.isList()) {
            value.list(what).forEach(each -> signals.add(signal(each)));
        } else {
            signals.add(signal(value));
        }
        return signals;
    }

    static Signal signal(Tree value) {
        String name = value.text("a signal");
        return Arrays.stream(Signal.values())
                .filter(signal -> signal.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Tree.Refused(
                        value,
                        "unknown signal \"" + name + "\"; there are "
                                + String.join(
                                        ", ",
                                        Arrays.stream(Signal.values())
                                                .map(Signal::name)
                                                .toList())));
    }

    static SpawnMode mode(Tree value) {
        String name = value.text("mode");
        return Arrays.stream(SpawnMode.values())
                .filter(mode -> camel(mode.name()).equals(name))
                .findFirst()
                .orElseThrow(() -> new Tree.Refused(
                        value,
                        "unknown mode \"" + name + "\"; there are "
                                + String.join(
                                        ", ",
                                        Arrays.stream(SpawnMode.values())
                                                .map(mode -> camel(mode.name()))
                                                .toList())));
    }

    static <E extends Enum<E>> E choice(Tree value, String what, E[] choices) {
        String name = value.text(what);
        return Arrays.stream(choices)
                .filter(each -> camel(each.name()).equals(name))
                .findFirst()
                .orElseThrow(() -> new Tree.Refused(
                        value,
                        what + " must be one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(choices)
                                                .map(each -> camel(each.name()))
                                                .toList())
                                + ", but was \"" + name + "\""));
    }

    /** {@code NEW_GROUP} as {@code newGroup}. */
    static String camel(String constant) {
        StringBuilder text = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_")) {
            text.append(text.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return text.toString();
    }

    static Map<String, Tree> keys(Tree value, String what, String... allowed) {
        Map<String, Tree> map = value.map(what);
        for (Map.Entry<String, Tree> each : map.entrySet()) {
            if (!List.of(allowed).contains(each.getKey())) {
                throw new Tree.Refused(
                        each.getValue(),
                        what + " has no \"" + each.getKey() + "\"; it has " + String.join(", ", allowed));
            }
        }
        return map;
    }

    static Tree need(Tree whole, Map<String, Tree> map, String what, String key) {
        Tree value = map.get(key);
        if (value == null) {
            throw new Tree.Refused(whole, what + " needs \"" + key + "\"");
        }
        return value;
    }
}
