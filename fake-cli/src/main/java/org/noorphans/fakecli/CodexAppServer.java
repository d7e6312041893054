/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.util.Map;

/**
 * Short forms of {@link org.noorphans.fakecli.model.Persona#CODEX_APP_SERVER} for {@link Dialogue#notify},
 * {@link Dialogue#ask} and {@link Dialogue#reply}. They carry thread and turn.
 */
public final class CodexAppServer {
    private CodexAppServer() {}

    /** A piece of the agent's message; the first one begins the item, the end of the turn completes it. */
    public static Map<String, Object> text(String text) {
        return Map.of("text", text);
    }

    /** A whole message of the agent, completed. */
    public static Map<String, Object> message(String text) {
        return Map.of("message", text);
    }

    /** A command that has run, as begun and completed item. */
    public static Map<String, Object> command(String command, String output, int exitCode) {
        return Map.of("command", Dialogue.members("command", command, "output", output, "exitCode", exitCode));
    }

    /** The question whether a command may run. */
    public static Map<String, Object> approveCommand(String command) {
        return Map.of("command", Map.of("command", command));
    }

    /** The question whether files may be changed. */
    public static Map<String, Object> approveFileChange(String reason) {
        return Map.of("fileChange", Map.of("reason", reason));
    }

    /** The good end of a turn. */
    public static Map<String, Object> completed() {
        return Map.of("status", "completed");
    }
}
