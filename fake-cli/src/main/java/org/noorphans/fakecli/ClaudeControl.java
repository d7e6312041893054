/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.util.Map;

/**
 * Short forms of {@link org.noorphans.fakecli.model.Persona#CLAUDE} for {@link Dialogue#notify}, {@link Dialogue#ask}
 * and {@link Dialogue#reply}. The phrases of {@link Claude} can be said between them.
 */
public final class ClaudeControl {
    private ClaudeControl() {}

    /** A message of the assistant. */
    public static Map<String, Object> text(String text) {
        return Map.of("text", text);
    }

    /** A piece of a message, as with {@code --include-partial-messages}. */
    public static Map<String, Object> delta(String text) {
        return Map.of("delta", text);
    }

    /** The assistant calls a tool. */
    public static Map<String, Object> tool(String id, String name, Map<String, ?> input) {
        return Map.of("tool", Dialogue.members("id", id, "name", name, "input", input));
    }

    /** A tool has given its result. */
    public static Map<String, Object> toolResult(String id, String content) {
        return Map.of("toolResult", Dialogue.members("id", id, "content", content));
    }

    /** The question whether a tool may be used. */
    public static Map<String, Object> permission(String tool, Map<String, ?> input) {
        return Map.of("permission", Dialogue.members("tool", tool, "input", input));
    }

    /** The good end of a turn. */
    public static Map<String, Object> result(String text) {
        return Map.of("result", text);
    }
}
