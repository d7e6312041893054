/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as JSON text on one line. */
public final class JsonText {
    private static final Gson GSON =
            new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    private JsonText() {}

    /**
     * The JSON text of a map, collection, string, number, boolean, JSON element or null.
     *
     * @throws IllegalArgumentException for anything else, and for numbers that JSON cannot express
     */
    public static String of(@Nullable Object value) {
        return escapeUnpaired(GSON.toJson(element(value)));
    }

    /** The text as a JSON string, with its quotes. */
    public static String quote(String text) {
        return of(text);
    }

    /** The same value as a JSON element. */
    public static JsonElement element(@Nullable Object value) {
        if (value == null) {
            return JsonNull.INSTANCE;
        }
        if (value instanceof JsonElement element) {
            return element;
        }
        if (value instanceof Boolean flag) {
            return new JsonPrimitive(flag);
        }
        if (value instanceof Number number) {
            double asDouble = number.doubleValue();
            if (number instanceof Double || number instanceof Float) {
                if (Double.isNaN(asDouble) || Double.isInfinite(asDouble)) {
                    throw new IllegalArgumentException("json has no number " + value + "; give a finite one");
                }
            }
            return new JsonPrimitive(number);
        }
        if (value instanceof CharSequence) {
            return new JsonPrimitive(value.toString());
        }
        if (value instanceof Map<?, ?> map) {
            JsonObject object = new JsonObject();
            map.forEach((key, each) -> object.add(String.valueOf(key), element(each)));
            return object;
        }
        if (value instanceof Collection<?> collection) {
            JsonArray array = new JsonArray();
            collection.forEach(each -> array.add(element(each)));
            return array;
        }
        throw new IllegalArgumentException("json cannot express a "
                + value.getClass().getName() + "; give maps, collections, strings, numbers, booleans or null");
    }

    /** Half a surrogate pair has no UTF-8 form, but an escape can carry it. It can only stand inside a string. */
    private static String escapeUnpaired(String json) {
        StringBuilder text = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < json.length() && Character.isLowSurrogate(json.charAt(i + 1))) {
                text.append(c).append(json.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
