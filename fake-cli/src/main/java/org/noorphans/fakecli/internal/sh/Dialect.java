/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.List;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Step;

/** How a persona's phrases become shell words. */
interface Dialect {
    /** Shell text that defines {@code fc_persona}, called with the arguments once before the first step. */
    String setup();

    /**
     * The phrase as one shell word, the line to print.
     *
     * @param before the steps before it in its attempt
     */
    String line(Phrase phrase, List<Step> before);

    /** The dialect of a persona. */
    static Dialect of(Persona persona) {
        return switch (persona) {
            case PLAIN -> new PlainDialect();
            case CLAUDE -> new ClaudeDialect();
        };
    }
}
