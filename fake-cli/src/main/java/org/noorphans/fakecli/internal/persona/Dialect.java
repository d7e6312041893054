/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.persona;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a persona speaks, and how it is told session and model.
 *
 * @param sessionFlags the arguments before a session id; one without a hyphen is a sub-command
 * @param forkFlags the arguments that ask for a new session in spite of those
 * @param modelFlags the arguments before a model's name
 * @param macros its phrases by name
 */
public record Dialect(
        List<String> sessionFlags, List<String> forkFlags, List<String> modelFlags, Map<String, Macro> macros) {
    private static final Map<String, Dialect> READ = new ConcurrentHashMap<>();
    private static final Pattern HEAD = Pattern.compile("([a-zA-Z]+)\\((.*)\\)");
    private static final Pattern PARAMETER = Pattern.compile("([a-zA-Z]+)([#*?]?)(?:=([^,]+))?");

    public Dialect {
        sessionFlags = List.copyOf(sessionFlags);
        forkFlags = List.copyOf(forkFlags);
        modelFlags = List.copyOf(modelFlags);
    }

    /** The dialect of this name; it must exist. */
    public static Dialect named(String name) {
        return READ.computeIfAbsent(name, Dialect::read);
    }

    /** The names of its phrases. */
    public SortedSet<String> phrases() {
        return new TreeSet<>(macros.keySet());
    }

    /**
     * The phrase of this name.
     *
     * @throws IllegalArgumentException if there is none, naming those there are
     */
    public Macro macro(String name) {
        Macro macro = macros.get(name);
        if (macro == null) {
            throw new IllegalArgumentException("has no phrase \"" + name + "\"; it has "
                    + (macros.isEmpty() ? "none, use out" : String.join(", ", phrases())));
        }
        return macro;
    }

    /** Refuses a phrase that it does not have, or values that the phrase does not take. */
    public void check(String phrase, JsonObject values) {
        macro(phrase).check(values);
    }

    /**
     * What a phrase prints: lines of JSON that may contain variables.
     *
     * @param before the names of the phrases said before it in the same attempt
     */
    public List<String> lines(String phrase, JsonObject values, List<String> before) {
        int messages = (int) before.stream()
                .map(macros::get)
                .filter(macro -> macro != null && macro.isMessage())
                .count();
        return macro(phrase).fill(values, new Macro.Counts(before.size(), messages));
    }

    private static Dialect read(String name) {
        List<String> session = new ArrayList<>();
        List<String> fork = new ArrayList<>();
        List<String> model = new ArrayList<>();
        Map<String, Macro> macros = new LinkedHashMap<>();
        List<Macro.Parameter> parameters = List.of();
        String macro = "";
        List<String> lines = new ArrayList<>();
        for (String line : (text(name) + "\n.").lines().toList()) {
            if (line.startsWith("  ")) {
                lines.add(line.strip());
                continue;
            }
            if (!macro.isEmpty()) {
                macros.put(macro, new Macro(macro, parameters, lines));
                lines.clear();
                macro = "";
            }
            Matcher head = HEAD.matcher(line);
            if (head.matches()) {
                macro = head.group(1);
                parameters = parameters(head.group(2));
            } else {
                List<String> words = List.of(line.split(" "));
                List<String> flags = words.subList(1, words.size());
                switch (words.get(0)) {
                    case "session" -> session.addAll(flags);
                    case "fork" -> fork.addAll(flags);
                    case "model" -> model.addAll(flags);
                    default -> {}
                }
            }
        }
        return new Dialect(session, fork, model, macros);
    }

    private static List<Macro.Parameter> parameters(String text) {
        List<Macro.Parameter> parameters = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            Macro.Kind kind = switch (matcher.group(2)) {
                case "#" -> Macro.Kind.NUMBER;
                case "*" -> Macro.Kind.ANY;
                case "?" -> Macro.Kind.BOOLEAN;
                default -> Macro.Kind.STRING;
            };
            Optional<JsonElement> usual = Optional.ofNullable(matcher.group(3)).map(JsonParser::parseString);
            parameters.add(new Macro.Parameter(matcher.group(1), kind, usual));
        }
        return parameters;
    }

    private static String text(String name) {
        try (InputStream stream = Dialect.class.getResourceAsStream(name + ".txt")) {
            if (stream == null) {
                throw new IllegalStateException("no dialect " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the dialect " + name, e);
        }
    }
}
