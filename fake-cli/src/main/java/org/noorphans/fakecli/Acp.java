/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Short forms of {@link org.noorphans.fakecli.model.Persona#ACP}, for {@link Dialogue#notify}, {@link Dialogue#ask} and
 * {@link Dialogue#reply}. They carry the session of the turn.
 */
public final class Acp {
    private Acp() {}

    /** A piece of the agent's answer. */
    public static Map<String, Object> text(String text) {
        return Map.of("text", text);
    }

    /** A piece of the agent's thoughts. */
    public static Map<String, Object> thought(String text) {
        return Map.of("thought", text);
    }

    /** A tool call begins; its id is its title too. */
    public static Map<String, Object> tool(String id) {
        return Map.of("tool", id);
    }

    /** A tool call is done. */
    public static Map<String, Object> toolDone(String id) {
        return Map.of("toolUpdate", id);
    }

    /**
     * The question whether a tool call is allowed.
     *
     * @param tool the id of the tool call
     * @param kinds of the options: {@code allow_once}, {@code allow_always}, {@code reject_once}, {@code reject_always};
     *     they are the ids too
     */
    public static Map<String, Object> permission(String tool, String... kinds) {
        return Map.of("permission", Dialogue.members("tool", tool, "options", List.copyOf(Arrays.asList(kinds))));
    }

    /** The usual end of a turn. */
    public static Map<String, Object> endTurn() {
        return Map.of("stopReason", "end_turn");
    }
}
