/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON values of messages. Reads strictly, since what a real program refuses must not pass here; writes one line.
 *
 * <p>Gson's tree and reader, but neither its parser nor its writer of trees, which load a hundred classes more and
 * would double the time to the first message. Numbers keep their text, so that an id goes back as it came.
 */
public final class JsonTree {
    private JsonTree() {}

    /**
     * The value of a text that holds exactly one.
     *
     * @throws JsonParseException that says what is wrong and where
     */
    public static JsonElement parse(String text) {
        JsonReader reader = new JsonReader(new StringReader(text));
        reader.setStrictness(Strictness.STRICT);
        try {
            JsonElement value = value(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new JsonParseException("more than one value");
            }
            return value;
        } catch (IOException | IllegalStateException | NumberFormatException e) {
            throw new JsonParseException(String.valueOf(e.getMessage()), e);
        }
    }

    /** As {@link #parse} for a text that is known to hold an object. */
    public static JsonObject object(String text) {
        return parse(text).getAsJsonObject();
    }

    private static JsonElement value(JsonReader reader) throws IOException {
        switch (reader.peek()) {
            case BEGIN_OBJECT -> {
                JsonObject object = new JsonObject();
                reader.beginObject();
                while (reader.hasNext()) {
                    String name = reader.nextName();
                    object.add(name, value(reader));
                }
                reader.endObject();
                return object;
            }
            case BEGIN_ARRAY -> {
                JsonArray array = new JsonArray();
                reader.beginArray();
                while (reader.hasNext()) {
                    array.add(value(reader));
                }
                reader.endArray();
                return array;
            }
            case STRING -> {
                return new JsonPrimitive(reader.nextString());
            }
            case NUMBER -> {
                return new JsonPrimitive(new Verbatim(reader.nextString()));
            }
            case BOOLEAN -> {
                return new JsonPrimitive(reader.nextBoolean());
            }
            case NULL -> {
                reader.nextNull();
                return JsonNull.INSTANCE;
            }
            default -> throw new JsonParseException("no value");
        }
    }

    /** The value as text on one line, without blanks between its parts. */
    public static String write(JsonElement value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(JsonElement value, StringBuilder text) {
        if (value instanceof JsonObject object) {
            text.append('{');
            boolean first = true;
            for (Map.Entry<String, JsonElement> member : object.entrySet()) {
                if (!first) {
                    text.append(',');
                }
                first = false;
                quote(member.getKey(), text);
                text.append(':');
                write(member.getValue(), text);
            }
            text.append('}');
        } else if (value instanceof JsonArray array) {
            text.append('[');
            for (int i = 0; i < array.size(); i++) {
                if (i > 0) {
                    text.append(',');
                }
                write(array.get(i), text);
            }
            text.append(']');
        } else if (value instanceof JsonPrimitive primitive) {
            if (primitive.isString()) {
                quote(primitive.getAsString(), text);
            } else {
                text.append(primitive.getAsString());
            }
        } else {
            text.append("null");
        }
    }

    /** Half a surrogate pair has no UTF-8 form, but an escape can carry it. */
    private static void quote(String string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f || (Character.isSurrogate(c) && !isPaired(string, i))) {
                        text.append("\\u");
                        for (int shift = 12; shift >= 0; shift -= 4) {
                            text.append(Character.forDigit(c >> shift & 0xf, 16));
                        }
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isPaired(String string, int i) {
        return Character.isHighSurrogate(string.charAt(i))
                ? i + 1 < string.length() && Character.isLowSurrogate(string.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(string.charAt(i - 1));
    }

    /** An object with these members; values are strings, numbers, booleans, elements or null. */
    static JsonObject of(@Nullable Object... namesAndValues) {
        JsonObject object = new JsonObject();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.add(String.valueOf(namesAndValues[i]), element(namesAndValues[i + 1]));
        }
        return object;
    }

    private static JsonElement element(@Nullable Object value) {
        if (value == null) {
            return JsonNull.INSTANCE;
        }
        if (value instanceof JsonElement element) {
            return element;
        }
        if (value instanceof Number number) {
            return new JsonPrimitive(number);
        }
        if (value instanceof Boolean yes) {
            return new JsonPrimitive(yes);
        }
        return new JsonPrimitive(value.toString());
    }

    /** The members of both, those of {@code changes} where both have one; objects in objects likewise. */
    static JsonObject merge(JsonObject base, JsonObject changes) {
        for (Map.Entry<String, JsonElement> change : changes.entrySet()) {
            JsonElement old = base.get(change.getKey());
            if (old instanceof JsonObject oldObject && change.getValue() instanceof JsonObject newObject) {
                base.add(change.getKey(), merge(oldObject.deepCopy(), newObject));
            } else {
                base.add(change.getKey(), change.getValue());
            }
        }
        return base;
    }

    /** Whether a value has everything that a pattern has: members of objects by name, everything else equal. */
    static boolean matches(@Nullable JsonElement value, JsonElement pattern) {
        if (pattern instanceof JsonObject wanted) {
            if (!(value instanceof JsonObject object)) {
                return false;
            }
            for (Map.Entry<String, JsonElement> member : wanted.entrySet()) {
                if (!matches(object.get(member.getKey()), member.getValue())) {
                    return false;
                }
            }
            return true;
        }
        if (pattern instanceof JsonArray wanted) {
            if (!(value instanceof JsonArray array) || array.size() != wanted.size()) {
                return false;
            }
            for (int i = 0; i < wanted.size(); i++) {
                if (!matches(array.get(i), wanted.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return pattern.equals(value);
    }

    /** A member that is a string; null if there is none. */
    static @Nullable String string(JsonElement value, String name) {
        return value instanceof JsonObject object
                        && object.get(name) instanceof JsonPrimitive member
                        && member.isString()
                ? member.getAsString()
                : null;
    }

    /** A member that is a string, or else this text. */
    static String string(JsonElement value, String name, String otherwise) {
        String found = string(value, name);
        return found == null ? otherwise : found;
    }

    /** A number as it was written: 1, 1.0 and 1e0 are equal, but go back as they came. */
    private static final class Verbatim extends Number {
        private static final long serialVersionUID = 1;

        private final String text;

        private Verbatim(String text) {
            this.text = text;
        }

        @Override
        public int intValue() {
            return (int) longValue();
        }

        @Override
        public long longValue() {
            return (long) doubleValue();
        }

        @Override
        public float floatValue() {
            return (float) doubleValue();
        }

        @Override
        public double doubleValue() {
            return Double.parseDouble(text);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
