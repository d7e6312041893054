/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.persona.Dialect;

/**
 * Whose dialect a fake speaks: its phrases, its answers to questions such as {@code --version}, and the arguments that
 * tell it session and model. All answers end with 0 and count as no attempt.
 */
public enum Persona {
    /** Any program: no phrases, no answers of its own. Every call is an attempt unless a rule says otherwise. */
    PLAIN("plain", "fake", "plain"),

    /** Claude Code in print mode, {@code --output-format stream-json}. Phrases: {@code Claude}. */
    CLAUDE(
            "claude",
            "claude",
            "claude",
            flags("version", "2.1.0 (Claude Code)", "--version", "-v"),
            flags("help", "Usage: claude [options] [command] [prompt]", "--help", "-h"),
            command("auth", "{\"loggedIn\":true}", "auth", "status")),

    /** {@code codex exec --json}. */
    CODEX_EXEC(
            "codex-exec",
            "codex",
            "codex-exec",
            flags("version", "codex-cli 0.139.0", "--version", "-V"),
            flags("help", "Usage: codex [OPTIONS] [PROMPT]", "--help", "-h"),
            command("login", "Logged in", "login", "status"),
            command("models", "{\"models\":[]}", "debug", "models")),

    /** Gemini CLI, {@code --output-format stream-json}. */
    GEMINI(
            "gemini",
            "gemini",
            "gemini",
            flags("version", "0.20.0", "--version", "-v"),
            flags("help", "Usage: gemini [options] [command]", "--help", "-h")),

    /** {@code opencode run --format json}, line v1. */
    OPENCODE(
            "opencode",
            "opencode",
            "opencode",
            flags("version", "1.18.32", "--version", "-v"),
            flags("help", "opencode run [message..]", "--help", "-h"),
            command("models", "fake/model", "models")),

    /** {@code opencode run --format json}, line v2. */
    OPENCODE_V2(
            "opencode-v2",
            "opencode",
            "opencode-v2",
            flags("version", "opencode v2.0.18", "--version", "-v"),
            flags("help", "opencode run [message..]", "--help", "-h"),
            command("models", "fake/model", "models")),

    /** {@code cursor-agent --print --output-format stream-json}. */
    CURSOR(
            "cursor",
            "cursor-agent",
            "cursor",
            flags("version", "2026.01.01-fake", "--version", "-v"),
            flags("help", "Usage: cursor-agent [options] [command] [prompt...]", "--help", "-h"),
            command("models", "fake-model", "models"),
            command("status", "Logged in", "status")),

    /** GitHub Copilot's command. Its JSON fields are not documented, so it has no phrases. */
    COPILOT("copilot", "copilot", "plain"),

    /** Qwen Code, whose output is plain text unless asked otherwise. No phrases. */
    QWEN("qwen", "qwen", "plain"),

    /**
     * Any agent that speaks the Agent Client Protocol, version 1, on its standard streams; give it the name of the real
     * one. Its attempts are dialogues.
     */
    ACP(
            "acp",
            "acp-agent",
            "plain",
            flags("version", "1.0.0", "--version"),
            flags("help", "Usage: acp-agent [options]", "--help")),

    /** {@code codex app-server}. Its attempts are dialogues. */
    CODEX_APP_SERVER(
            "codex-app-server",
            "codex",
            "plain",
            flags("version", "codex-cli 0.139.0", "--version", "-V"),
            flags("help", "Usage: codex [OPTIONS] [COMMAND]", "--help", "-h"));

    private final String id;
    private final String command;
    private final String dialect;
    private final List<Probe> probes;

    Persona(String id, String command, String dialect, Probe... probes) {
        this.id = id;
        this.command = command;
        this.dialect = dialect;
        this.probes = List.of(probes);
    }

    /** The name in scenario files, for example {@code codex-exec}. */
    public String id() {
        return id;
    }

    /** The usual name of the executable, and the name of a fake that was given none. */
    public String command() {
        return command;
    }

    /** The names of the phrases that this persona can say, sorted. */
    public Set<String> phrases() {
        return Dialect.named(dialect).phrases();
    }

    /** The name of its dialect among the resources. */
    public String dialect() {
        return dialect;
    }

    /**
     * The questions that it answers by itself: one class each, counting no attempts.
     *
     * @param version the line that answers {@code --version}; null: the persona's own, if it has one
     * @param help the line that answers {@code --help}; null: the persona's own, if it has one
     */
    public List<CallClass> probes(@Nullable String version, @Nullable String help) {
        List<CallClass> classes = new ArrayList<>();
        add(classes, "version", version, flags("version", "", "--version"));
        add(classes, "help", help, flags("help", "", "--help"));
        probes.stream()
                .filter(probe -> !probe.name.equals("version") && !probe.name.equals("help"))
                .forEach(probe -> classes.add(probe.answering(probe.line)));
        return classes;
    }

    /**
     * The class of calls whose arguments the real program rejects.
     *
     * @throws IllegalArgumentException if nothing is known about them
     */
    public CallClass strictFlags() {
        if (this != CODEX_EXEC) {
            throw new IllegalArgumentException("strictFlags: it is not known what persona " + id
                    + " rejects; write a class for it, or use persona codex-exec");
        }
        String problem = "error: unexpected argument found; exec resume takes neither -C, --sandbox nor --add-dir";
        return new CallClass(
                "strict-flags",
                When.when().argvStarts("exec", "resume").argvAny("-C", "--cd", "--sandbox", "-s", "--add-dir"),
                false,
                List.of(List.of(new Step.Err(problem), new Step.Exit(2))));
    }

    private void add(List<CallClass> classes, String name, @Nullable String line, Probe otherwise) {
        Optional<Probe> own =
                probes.stream().filter(probe -> probe.name.equals(name)).findFirst();
        if (line != null) {
            classes.add(own.orElse(otherwise).answering(line));
        } else {
            own.ifPresent(probe -> classes.add(probe.answering(probe.line)));
        }
    }

    /**
     * The persona of this name in scenario files.
     *
     * @throws IllegalArgumentException if there is none, naming those there are
     */
    public static Persona ofId(String id) {
        return Arrays.stream(values())
                .filter(persona -> persona.id.equals(id.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown persona \"" + id + "\"; there are "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Persona::id).toList())));
    }

    /**
     * Refuses a phrase that it does not have, or values that the phrase does not take.
     *
     * @throws IllegalArgumentException naming what there is
     */
    public void check(Phrase phrase) {
        try {
            Dialect.named(dialect).check(phrase.name(), phrase.object());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "persona " + this + (dialectHas(phrase) ? ": " : " ") + e.getMessage(), e);
        }
    }

    private boolean dialectHas(Phrase phrase) {
        return phrases().contains(phrase.name());
    }

    private static Probe flags(String name, String line, String... flags) {
        return new Probe(name, When.when().argvAny(flags), line);
    }

    private static Probe command(String name, String line, String... words) {
        return new Probe(name, When.when().argvStarts(words), line);
    }

    private record Probe(String name, When when, String line) {
        CallClass answering(String answer) {
            return new CallClass(name, when, false, List.of(List.of(new Step.Out(answer), new Step.Exit(0))));
        }
    }
}
