/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.persona;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.noorphans.fakecli.internal.json.JsonText;

/**
 * One phrase of a dialect.
 *
 * @param name its name
 * @param parameters its parameters; a value given without a name is the first one's
 * @param lines what it prints: JSON in which {@code @name} is a value, {@code @{name}} its characters inside a string,
 *     and {@code @n}, {@code @m}, {@code @i}, {@code @iii}, {@code @turns} are counts
 */
public record Macro(String name, List<Parameter> parameters, List<String> lines) {
    private static final Pattern HOLE = Pattern.compile("@(?:\\{([a-zA-Z]+)}|([a-zA-Z]+))");

    /** What a value must be. */
    public enum Kind {
        /** A text. */
        STRING,
        /** A number. */
        NUMBER,
        /** True or false. */
        BOOLEAN,
        /** Any JSON. */
        ANY
    }

    /**
     * A value that a phrase takes.
     *
     * @param name its name
     * @param kind what it must be
     * @param usual what it is if it is not given; empty: it must be given
     */
    public record Parameter(String name, Kind kind, Optional<JsonElement> usual) {}

    public Macro {
        parameters = List.copyOf(parameters);
        lines = List.copyOf(lines);
    }

    /** Whether it is a message, by which turns and message ids are counted. */
    boolean isMessage() {
        return lines.stream().anyMatch(line -> line.contains("_@n\""));
    }

    /**
     * Refuses values that it does not take.
     *
     * @throws IllegalArgumentException naming the value and what it takes
     */
    void check(JsonObject values) {
        for (String key : values.keySet()) {
            if (parameters.stream().noneMatch(parameter -> parameter.name().equals(key))) {
                throw new IllegalArgumentException("phrase \"" + name + "\" takes no value \"" + key + "\"; it takes "
                        + (parameters.isEmpty() ? "none" : names()));
            }
        }
        for (Parameter parameter : parameters) {
            JsonElement value = values.get(parameter.name());
            if (value == null && parameter.usual().isEmpty()) {
                throw new IllegalArgumentException(
                        "phrase \"" + name + "\" needs the value \"" + parameter.name() + "\"");
            }
            if (value != null && !fits(value, parameter.kind())) {
                throw new IllegalArgumentException("phrase \"" + name + "\" needs a "
                        + parameter.kind().name().toLowerCase(Locale.ROOT) + " as \"" + parameter.name()
                        + "\", but was given " + JsonText.of(value));
            }
        }
    }

    /** The lines: JSON text that may contain variables. */
    List<String> fill(JsonObject values, Counts counts) {
        return lines.stream().map(line -> fill(line, values, counts)).toList();
    }

    private String fill(String line, JsonObject values, Counts counts) {
        Matcher matcher = HOLE.matcher(line);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            boolean inside = matcher.group(1) != null;
            String key = inside ? matcher.group(1) : matcher.group(2);
            String value = counts.value(key).orElseGet(() -> value(key, values, inside));
            matcher.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(text).toString();
    }

    private String value(String key, JsonObject values, boolean inside) {
        JsonElement value = values.has(key)
                ? values.get(key)
                : parameters.stream()
                        .filter(parameter -> parameter.name().equals(key))
                        .findFirst()
                        .flatMap(Parameter::usual)
                        .orElseThrow(() -> new IllegalStateException("macro " + name + " has no value " + key));
        if (!inside) {
            return JsonText.of(value);
        }
        String quoted = JsonText.quote(value.getAsString());
        return quoted.substring(1, quoted.length() - 1);
    }

    private String names() {
        return String.join(", ", parameters.stream().map(Parameter::name).toList());
    }

    private static boolean fits(JsonElement value, Kind kind) {
        if (kind == Kind.ANY) {
            return true;
        }
        if (!(value instanceof JsonPrimitive primitive)) {
            return false;
        }
        return switch (kind) {
            case STRING -> primitive.isString();
            case NUMBER -> primitive.isNumber();
            default -> primitive.isBoolean();
        };
    }

    /**
     * What has been said before in the same attempt.
     *
     * @param phrases how many phrases
     * @param messages how many of them were messages
     */
    record Counts(int phrases, int messages) {
        Optional<String> value(String key) {
            return switch (key) {
                case "n" -> Optional.of(Integer.toString(messages + 1));
                case "m", "i" -> Optional.of(Integer.toString(phrases));
                case "iii" -> Optional.of(String.format("%03d", phrases % 1000));
                case "turns" -> Optional.of(Integer.toString(Math.max(1, messages)));
                default -> Optional.empty();
            };
        }
    }
}
