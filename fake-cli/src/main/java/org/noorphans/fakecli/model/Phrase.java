/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.internal.json.JsonText;

/**
 * Something said in the dialect of a {@link Persona}: the name of a macro and its values.
 *
 * @param name the name of the macro, for example {@code text}
 * @param values its values by name, a JSON object on one line; texts in it may contain variables
 */
public record Phrase(String name, String values) {
    public Phrase {
        Objects.requireNonNull(name, "name");
        values = JsonText.of(JsonParser.parseString(values).getAsJsonObject());
        Texts.check("say " + name, values);
    }

    /** A phrase without values. */
    public static Phrase of(String name) {
        return new Phrase(name, "{}");
    }

    /** The same with one more value: a string, number, boolean, list, map or JSON element. */
    public Phrase with(String key, @Nullable Object value) {
        JsonObject object = object();
        object.add(key, JsonText.element(value));
        return new Phrase(name, JsonText.of(object));
    }

    /** The values, as an object of the caller's own. */
    public JsonObject object() {
        return JsonParser.parseString(values).getAsJsonObject();
    }

    /** The value of this name; null if it was not given. */
    public @Nullable JsonElement value(String key) {
        return object().get(key);
    }

    /** Name and values for people, for example {@code text {"text":"Recovered"}}. */
    @Override
    public String toString() {
        return values.equals("{}") ? name : name + " " + values;
    }
}
