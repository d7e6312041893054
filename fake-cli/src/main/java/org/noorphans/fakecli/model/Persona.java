/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whose dialect a fake speaks: its phrases, and its answers to {@code --version} and {@code --help}. */
public enum Persona {
    /** Any program: no phrases, no answers of its own. Every call is an attempt unless a rule says otherwise. */
    PLAIN("fake", List.of(), null, List.of(), null, Set.of()),

    /**
     * Claude Code in print mode. {@code --version} or {@code -v} prints {@code 2.1.0 (Claude Code)}, {@code --help} or
     * {@code -h} a usage line; both end with 0 and count as no attempt. Phrases: {@code Claude}.
     */
    CLAUDE(
            "claude",
            List.of("--version", "-v"),
            "2.1.0 (Claude Code)",
            List.of("--help", "-h"),
            "Usage: claude [options] [command] [prompt]",
            Set.of("init", "text", "success"));

    private final String command;
    private final List<String> versionFlags;
    private final Optional<String> versionLine;
    private final List<String> helpFlags;
    private final Optional<String> usageLine;
    private final Set<String> phrases;

    Persona(
            String command,
            List<String> versionFlags,
            @Nullable String versionLine,
            List<String> helpFlags,
            @Nullable String usageLine,
            Set<String> phrases) {
        this.command = command;
        this.versionFlags = versionFlags;
        this.versionLine = Optional.ofNullable(versionLine);
        this.helpFlags = helpFlags;
        this.usageLine = Optional.ofNullable(usageLine);
        this.phrases = phrases;
    }

    /** The usual name of the executable; the default of the name of a fake. */
    public String command() {
        return command;
    }

    /** The line that answers a question for the version; empty if the persona does not answer it. */
    public Optional<String> versionLine() {
        return versionLine;
    }

    /** The line that answers a question for help; empty if the persona does not answer it. */
    public Optional<String> usageLine() {
        return usageLine;
    }

    /** The arguments that ask for the version. */
    public List<String> versionFlags() {
        return versionFlags.isEmpty() ? List.of("--version") : versionFlags;
    }

    /** The arguments that ask for help. */
    public List<String> helpFlags() {
        return helpFlags.isEmpty() ? List.of("--help") : helpFlags;
    }

    /** The names of the phrases that this persona can say. */
    public Set<String> phrases() {
        return phrases;
    }
}
