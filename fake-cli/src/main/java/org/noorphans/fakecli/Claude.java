/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.util.Map;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;

/**
 * The phrases of {@link Persona#CLAUDE}: one line of {@code --output-format stream-json} each.
 *
 * <p>Every line carries the session id that the call was given ({@code --session-id}, {@code --resume}, {@code -r}),
 * or a fresh random one if it was given none or {@code --fork-session}; a call keeps its id for all its lines. The
 * model is the value of {@code --model}, else {@code fake-model}. Message ids are unique across calls, because
 * consumers drop repeated ones.
 *
 * <p>A phrase prints and nothing else: {@code success} does not end the fake, and the exit code is a step of its own,
 * since the real program's result and exit code contradict each other too.
 */
public final class Claude {
    private Claude() {}

    /** The first line: {@code system}/{@code init}, with session, model and working directory. */
    public static Phrase init() {
        return Phrase.of("init");
    }

    /**
     * One message of the assistant that ends its turn.
     *
     * @param text its text, any characters; may contain variables
     */
    public static Phrase text(String text) {
        return Phrase.of("text").with("text", text);
    }

    /** A message of the assistant whose turn goes on. */
    public static Phrase openText(String text) {
        return Phrase.of("openText").with("text", text);
    }

    /** A thought of the assistant. */
    public static Phrase thinking(String text) {
        return Phrase.of("thinking").with("text", text);
    }

    /** A call of a tool. */
    public static Phrase tool(String name, Map<String, ?> input) {
        return Phrase.of("tool").with("tool", name).with("input", input);
    }

    /** The result of the tool call before. */
    public static Phrase toolResult(String content) {
        return Phrase.of("toolResult").with("content", content);
    }

    /** A piece of a streamed message. */
    public static Phrase delta(String text) {
        return Phrase.of("delta").with("text", text);
    }

    /** A message of a sub-agent, which ends the sub-agent's turn and not the main one. */
    public static Phrase agentText(String text) {
        return Phrase.of("agentText").with("text", text);
    }

    /** The message that the program makes up when the service fails. */
    public static Phrase synthetic(String text) {
        return Phrase.of("synthetic").with("text", text);
    }

    /**
     * The closing {@code result} line of a good run. Durations and costs in it are fixed numbers.
     *
     * @param result the final text, any characters
     */
    public static Phrase success(String result) {
        return Phrase.of("success").with("result", result);
    }

    /** A closing {@code result} line that says success and is an error. */
    public static Phrase apiErrorAsSuccess(int status, String text) {
        return Phrase.of("apiErrorAsSuccess").with("text", text).with("status", status);
    }

    /** The closing {@code result} line of a run that failed. */
    public static Phrase error(String subtype, String message) {
        return Phrase.of("error").with("message", message).with("subtype", subtype);
    }
}
