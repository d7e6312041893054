/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text with variables: {@code ${sessionId}}, {@code ${model}}, {@code ${attempt}}, {@code ${pid}}, {@code ${cwd}},
 * {@code ${uuid}}, {@code ${arg:FLAG}} and {@code ${env:NAME}}. A doubled dollar sign before the brace stands for the
 * characters themselves.
 *
 * @param parts literals and variables, in order
 */
public record Template(List<Part> parts) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)(}?)");
    private static final Pattern SIMPLE = Pattern.compile("sessionId|model|attempt|pid|cwd|uuid");
    private static final Pattern ARG = Pattern.compile("arg:[^\\s'\"\\\\\\p{Cntrl}*?\\[]+");
    private static final Pattern ENV = Pattern.compile("env:[A-Za-z_][A-Za-z0-9_]*");

    /** A piece of the text. */
    public sealed interface Part {}

    /**
     * Text as it is.
     *
     * @param text the text
     */
    public record Literal(String text) implements Part {}

    /**
     * What is known only when the fake runs.
     *
     * @param kind {@code sessionId}, {@code arg}, …
     * @param name the flag or the name of the environment variable; else empty
     */
    public record Variable(String kind, String name) implements Part {}

    public Template {
        parts = List.copyOf(parts);
    }

    /**
     * The parts of a text.
     *
     * @throws IllegalArgumentException if it has an unknown variable, naming it and those there are
     */
    public static Template parse(String text) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher matcher = VARIABLE.matcher(text);
        int from = 0;
        while (matcher.find()) {
            literal.append(text, from, matcher.start());
            from = matcher.end();
            String name = matcher.group(1);
            if (name == null) {
                literal.append("${");
                continue;
            }
            if (!literal.isEmpty()) {
                parts.add(new Literal(literal.toString()));
                literal.setLength(0);
            }
            parts.add(variable(name, matcher.group(2).isEmpty()));
        }
        literal.append(text, from, text.length());
        if (!literal.isEmpty()) {
            parts.add(new Literal(literal.toString()));
        }
        return new Template(parts);
    }

    private static Variable variable(String name, boolean open) {
        if (!open && SIMPLE.matcher(name).matches()) {
            return new Variable(name, "");
        }
        if (!open && (ARG.matcher(name).matches() || ENV.matcher(name).matches())) {
            return new Variable(name.substring(0, 3), name.substring(4));
        }
        throw new IllegalArgumentException("unknown variable ${" + name + (open ? "" : "}")
                + "; there are ${sessionId}, ${model}, ${attempt}, ${pid}, ${cwd}, ${uuid}, ${arg:FLAG} and ${env:NAME};"
                + " for the characters themselves write $${");
    }

    /** A text that stands for exactly these characters. */
    public static String literal(String text) {
        return text.replace("${", "$${");
    }
}
