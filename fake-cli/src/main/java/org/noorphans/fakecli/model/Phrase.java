/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.List;
import java.util.Objects;

/**
 * Something said in the dialect of a {@link Persona}: the name of a macro and its values.
 *
 * @param name the name of the macro, for example {@code text}
 * @param values its values in order; often one, for some macros none
 */
public record Phrase(String name, List<String> values) {
    public Phrase {
        Objects.requireNonNull(name, "name");
        values = List.copyOf(values);
    }

    /** A phrase with the given values. */
    public static Phrase of(String name, String... values) {
        return new Phrase(name, List.of(values));
    }

    /** Name and values for people, for example {@code text("Recovered")}. */
    @Override
    public String toString() {
        return values.isEmpty() ? name : name + "(\"" + String.join("\", \"", values) + "\")";
    }
}
