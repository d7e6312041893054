/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Expect;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.ScenarioFileException;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.When;

/** Reads a scenario from YAML or JSON. */
public final class ScenarioReader {
    /** The value of the key {@code schema}. */
    public static final String SCHEMA = "fakecli/1";

    private static final Pattern STEP = Pattern.compile("step (\\d+)");
    private static final Pattern ATTEMPT = Pattern.compile("attempt(\\d{1,6})");
    private static final String[] KEYS = {
        "schema",
        "name",
        "persona",
        "strictFlags",
        "probes",
        "version",
        "help",
        "attemptKey",
        "classes",
        "attemptsWhen",
        "attempts",
        "onExhausted",
        "environment",
        "expect"
    };

    private final Problems problems;
    private Persona persona = Persona.PLAIN;
    private @Nullable String name;

    private ScenarioReader(String file) {
        this.problems = new Problems(file);
    }

    /**
     * Reads YAML.
     *
     * @param file the name for messages
     * @throws ScenarioFileException with all that is wrong
     */
    public static Scenario yaml(String text, String file) {
        return new ScenarioReader(file).read(TreeReader.yaml(text, file));
    }

    /**
     * Reads JSON.
     *
     * @param file the name for messages
     * @throws ScenarioFileException with all that is wrong
     */
    public static Scenario json(String text, String file) {
        return new ScenarioReader(file).read(TreeReader.json(text, file));
    }

    private Scenario read(Tree root) {
        List<Scenario> done = new ArrayList<>();
        problems.collect(root, () -> {
            Map<String, Tree> map = root.map("a scenario");
            for (Map.Entry<String, Tree> each : map.entrySet()) {
                if (!List.of(KEYS).contains(each.getKey())) {
                    problems.add(
                            each.getValue(),
                            "a scenario has no \"" + each.getKey() + "\"; it has " + String.join(", ", KEYS));
                }
            }
            schema(root, map.get("schema"));
            Tree personaTree = map.get("persona");
            if (personaTree != null) {
                problems.collect(personaTree, () -> persona = persona(personaTree));
            }
            Tree nameTree = map.get("name");
            if (nameTree != null) {
                problems.collect(nameTree, () -> name = nameTree.text("name"));
            }
            List<CallClass> classes = classes(root, map);
            AttemptKey key = value(map.get("attemptKey"), AttemptKey.NONE, ScenarioReader::attemptKey);
            OnExhausted exhausted = value(
                    map.get("onExhausted"),
                    OnExhausted.FAIL,
                    tree -> StepReader.choice(tree, "onExhausted", OnExhausted.values()));
            List<String> environment = value(map.get("environment"), List.of(), tree -> tree.texts("environment"));
            Expect expect = value(map.get("expect"), Expect.NOTHING, ScenarioReader::expect);
            if (problems.count() == 0) {
                done.add(build(root, map, classes, key, exhausted, environment, expect));
            }
        });
        problems.throwIfAny();
        return done.get(0);
    }

    private Scenario build(
            Tree root,
            Map<String, Tree> map,
            List<CallClass> classes,
            AttemptKey key,
            OnExhausted exhausted,
            List<String> environment,
            Expect expect) {
        try {
            String executable = name == null ? persona.command() : name;
            return new Scenario(persona, executable, key, classes, exhausted, environment, expect);
        } catch (IllegalArgumentException e) {
            Tree nameTree = map.get("name");
            boolean aboutName = String.valueOf(e.getMessage()).startsWith("fake name");
            throw new Tree.Refused(aboutName && nameTree != null ? nameTree : root, String.valueOf(e.getMessage()));
        }
    }

    private <T> T value(@Nullable Tree tree, T otherwise, java.util.function.Function<Tree, T> read) {
        List<T> values = new ArrayList<>(List.of(otherwise));
        if (tree != null) {
            problems.collect(tree, () -> values.set(0, read.apply(tree)));
        }
        return values.get(0);
    }

    private void schema(Tree root, @Nullable Tree schema) {
        if (schema == null) {
            problems.add(root, "schema is missing; write schema: " + SCHEMA);
        } else if (!SCHEMA.equals(schema.value())) {
            problems.add(schema, "schema must be " + SCHEMA + ", but was " + schema.shown());
        }
    }

    private static Persona persona(Tree tree) {
        if (!tree.isMap()) {
            return Persona.ofId(tree.text("persona"));
        }
        Map<String, Tree> map = StepReader.keys(tree, "persona", "name", "line");
        String base = StepReader.need(tree, map, "persona", "name").text("name");
        Tree line = map.get("line");
        if (line == null || line.text("line").equals("v1")) {
            return Persona.ofId(base);
        }
        return Persona.ofId(base + "-" + line.text("line"));
    }

    private static AttemptKey attemptKey(Tree tree) {
        if (!tree.isMap()) {
            return switch (tree.text("attemptKey")) {
                case "none" -> AttemptKey.NONE;
                case "cwd" -> AttemptKey.CWD;
                default ->
                    throw new Tree.Refused(
                            tree, "attemptKey must be none, cwd, {arg: FLAG} or {env: NAME}, but was " + tree.shown());
            };
        }
        Map<String, Tree> map = StepReader.keys(tree, "attemptKey", "arg", "env");
        Tree arg = map.get("arg");
        Tree env = map.get("env");
        if (map.size() != 1) {
            throw new Tree.Refused(tree, "attemptKey must be none, cwd, {arg: FLAG} or {env: NAME}");
        }
        return arg != null ? AttemptKey.arg(arg.text("arg")) : AttemptKey.env(env == null ? "" : env.text("env"));
    }

    private List<CallClass> classes(Tree root, Map<String, Tree> map) {
        List<CallClass> classes = new ArrayList<>();
        Tree probes = map.get("probes");
        boolean none = value(probes, false, tree -> {
            String text = tree.text("probes");
            if (!List.of("default", "none").contains(text)) {
                throw new Tree.Refused(tree, "probes must be default or none, but was " + tree.shown());
            }
            return text.equals("none");
        });
        Optional<String> version =
                value(map.get("version"), Optional.empty(), tree -> Optional.of(tree.text("version")));
        Optional<String> help = value(map.get("help"), Optional.empty(), tree -> Optional.of(tree.text("help")));
        if (!none) {
            problems.collect(root, () -> classes.addAll(persona.probes(version.orElse(null), help.orElse(null))));
        }
        Tree strict = map.get("strictFlags");
        if (strict != null) {
            problems.collect(strict, () -> {
                if (strict.flag("strictFlags")) {
                    classes.add(persona.strictFlags());
                }
            });
        }
        Tree others = map.get("classes");
        if (others != null) {
            problems.collect(
                    others,
                    () -> others.list("classes")
                            .forEach(each -> problems.collect(each, () -> classes.add(callClass(each)))));
        }
        Tree attempts = map.get("attempts");
        if (attempts == null) {
            problems.add(root, "attempts is missing; write at least one, - do: [...]");
            return classes;
        }
        When when = value(map.get("attemptsWhen"), When.when(), ScenarioReader::when);
        problems.collect(attempts, () -> classes.add(run(CallClass.RUN, when, attempts)));
        return classes;
    }

    private CallClass callClass(Tree tree) {
        Map<String, Tree> map = StepReader.keys(tree, "class", "name", "counts", "when", "do", "attempts");
        String className = StepReader.need(tree, map, "class", "name").text("name");
        When when = value(map.get("when"), When.when(), ScenarioReader::when);
        Tree counts = map.get("counts");
        Tree attempts = map.get("attempts");
        if (counts != null && counts.flag("counts")) {
            return run(className, when, StepReader.need(tree, map, "a class that counts", "attempts"));
        }
        if (attempts != null) {
            throw new Tree.Refused(attempts, "a class that does not count has do, not attempts; or write counts: true");
        }
        Tree steps = StepReader.need(tree, map, "class", "do");
        return together(className, when, false, List.of(steps), tree);
    }

    private CallClass run(String className, When when, Tree attempts) {
        List<Tree> lists = new ArrayList<>();
        for (Tree each : attempts.list("attempts")) {
            problems.collect(
                    each,
                    () -> lists.add(
                            StepReader.need(each, StepReader.keys(each, "an attempt", "do"), "an attempt", "do")));
        }
        return together(className, when, true, lists, attempts);
    }

    private CallClass together(String className, When when, boolean counts, List<Tree> lists, Tree place) {
        List<List<Step>> attempts = new ArrayList<>();
        int before = problems.count();
        for (int i = 0; i < lists.size(); i++) {
            Tree list = lists.get(i);
            int number = i;
            int broken = problems.count();
            problems.collect(list, () -> {
                List<Step> steps = new StepReader(persona, problems).steps(list);
                attempts.add(steps);
                if (problems.count() == broken) {
                    checkTogether(CallClass.place(className, counts, number), steps, list);
                }
            });
        }
        if (problems.count() > before) {
            // Told already; any steps do, since the scenario is not built.
            List<Step> any = List.of(new Step.Exit(0));
            return new CallClass(className, when, counts, List.of(any));
        }
        if (attempts.isEmpty()) {
            throw new Tree.Refused(place, "attempts is empty; write at least one, - do: [...]");
        }
        return new CallClass(className, when, counts, attempts);
    }

    /** Steps that do not go together: the place is that of the step that the message names. */
    private static void checkTogether(String place, List<Step> steps, Tree list) {
        try {
            CallClass.checkTogether(place, steps);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            Matcher step = STEP.matcher(message);
            List<Tree> trees = list.list("do");
            boolean known = step.find() && trees.size() == steps.size();
            int index = known ? Integer.parseInt(step.group(1)) - 1 : trees.size() - 1;
            throw new Tree.Refused(index >= 0 && index < trees.size() ? trees.get(index) : list, message);
        }
    }

    private static When when(Tree tree) {
        When when = When.when();
        for (Map.Entry<String, Tree> each : StepReader.keys(tree, "when", "argvAny", "argvNone", "argvStarts")
                .entrySet()) {
            String[] words = each.getValue().texts(each.getKey()).toArray(String[]::new);
            when = switch (each.getKey()) {
                case "argvAny" -> when.argvAny(words);
                case "argvNone" -> when.argvNone(words);
                default -> when.argvStarts(words);
            };
        }
        return when;
    }

    // ---- expectations -----------------------------------------------------------------------------------------------

    private static Expect expect(Tree tree) {
        OptionalInt attempts = OptionalInt.empty();
        Optional<String> distinct = Optional.empty();
        Optional<String> absent = Optional.empty();
        List<String> dead = List.of();
        List<String> mayLive = List.of();
        Map<Integer, Expect.OfAttempt> attemptsExpected = new HashMap<>();
        for (Map.Entry<String, Tree> each : tree.map("expect").entrySet()) {
            Tree value = each.getValue();
            Matcher attempt = ATTEMPT.matcher(each.getKey());
            switch (each.getKey()) {
                case "attempts" -> attempts = OptionalInt.of(value.whole("attempts"));
                case "distinct" -> distinct = Optional.of(argument(value, "distinct"));
                case "absent" -> absent = Optional.of(argument(value, "absent"));
                case "dead" -> dead = value.texts("dead");
                case "mayLive" -> mayLive = value.texts("mayLive");
                default -> {
                    if (!attempt.matches()) {
                        throw new Tree.Refused(
                                value,
                                "expect has no \"" + each.getKey()
                                        + "\"; it has attempts, distinct, absent, dead, mayLive, attempt0, attempt1, ...");
                    }
                    attemptsExpected.put(Integer.parseInt(attempt.group(1)), ofAttempt(value));
                }
            }
        }
        return new Expect(attempts, distinct, absent, dead, mayLive, attemptsExpected);
    }

    private static String argument(Tree tree, String what) {
        return StepReader.need(tree, StepReader.keys(tree, what, "arg"), what, "arg")
                .text("arg");
    }

    private static Expect.OfAttempt ofAttempt(Tree tree) {
        Map<String, Tree> map = StepReader.keys(tree, "an expected attempt", "argv", "stdin", "exit", "signals");
        Tree argv = map.get("argv");
        Tree stdin = map.get("stdin");
        Tree exit = map.get("exit");
        Tree signals = map.get("signals");
        Map<String, Tree> words = argv == null ? Map.of() : StepReader.keys(argv, "argv", "has", "hasNot");
        Map<String, Tree> texts = stdin == null ? Map.of() : StepReader.keys(stdin, "stdin", "contains", "notContains");
        OptionalInt code = exit == null
                ? OptionalInt.empty()
                : OptionalInt.of(StepReader.need(exit, StepReader.keys(exit, "exit", "code"), "exit", "code")
                        .whole("code"));
        Optional<List<Signal>> seen = signals == null
                ? Optional.empty()
                : Optional.of(
                        signals.list("signals").stream().map(StepReader::signal).toList());
        return new Expect.OfAttempt(
                texts(words.get("has"), "has"),
                texts(words.get("hasNot"), "hasNot"),
                texts(texts.get("contains"), "contains"),
                texts(texts.get("notContains"), "notContains"),
                code,
                seen);
    }

    private static List<String> texts(@Nullable Tree tree, String what) {
        return tree == null ? List.of() : tree.texts(what);
    }
}
