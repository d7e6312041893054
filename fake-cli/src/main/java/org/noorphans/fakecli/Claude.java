/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

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
     * @param text its text, any characters
     */
    public static Phrase text(String text) {
        return Phrase.of("text", text);
    }

    /**
     * The closing {@code result} line of a good run. Durations and costs in it are fixed numbers.
     *
     * @param result the final text, any characters
     */
    public static Phrase success(String result) {
        return Phrase.of("success", result);
    }
}
