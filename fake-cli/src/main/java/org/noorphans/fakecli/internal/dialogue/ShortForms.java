/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What scenarios may write in short, so that a mistake shows when a scenario is made and not when it runs.
 *
 * @param protocol the name of the protocol
 * @param notices what can be told
 * @param questions what can be asked
 * @param whole the members by which a whole message is known
 */
public record ShortForms(String protocol, Set<String> notices, Set<String> questions, List<String> whole) {
    private static final Map<String, ShortForms> BY_PERSONA = Map.of(
            "ACP",
            new ShortForms(
                    "acp",
                    Set.of("text", "thought", "userText", "tool", "toolUpdate", "plan", "mode", "commands"),
                    Set.of("permission", "readFile", "writeFile"),
                    List.of("method", "sessionUpdate")),
            "CLAUDE",
            new ShortForms(
                    "claude-control",
                    Set.of("text", "thought", "tool", "toolResult", "delta"),
                    Set.of("permission"),
                    List.of("type", "subtype")),
            "CODEX_APP_SERVER",
            new ShortForms(
                    "codex-app-server",
                    Set.of("text", "message", "command", "usage"),
                    Set.of("command", "fileChange", "userInput"),
                    List.of("method")));

    /** Those of a persona; empty if it speaks no protocol. */
    public static Optional<ShortForms> of(String persona) {
        return Optional.ofNullable(BY_PERSONA.get(persona));
    }

    /** The personas that speak a protocol. */
    public static Set<String> personas() {
        return BY_PERSONA.keySet();
    }

    /** Whether an object is a whole message of the protocol. */
    public boolean isWhole(JsonObject message) {
        return whole.stream().anyMatch(message::has);
    }
}
