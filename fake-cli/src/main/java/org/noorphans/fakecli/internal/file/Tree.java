/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A value of a file and where it stands.
 *
 * @param value a {@code Map<String, Tree>}, a {@code List<Tree>}, a string, number or boolean, or null
 * @param line from 1
 * @param column from 1
 */
record Tree(@Nullable Object value, int line, int column) {
    /** A refusal that knows its place. */
    static final class Refused extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1;

        final transient Tree where;

        Refused(Tree where, String message) {
            super(message);
            this.where = where;
        }
    }

    boolean isMap() {
        return value instanceof Map;
    }

    boolean isList() {
        return value instanceof List;
    }

    @SuppressWarnings("unchecked")
    Map<String, Tree> map(String what) {
        if (!isMap()) {
            throw new Refused(this, what + " must be a mapping, but was " + shown());
        }
        return (Map<String, Tree>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    List<Tree> list(String what) {
        if (!isList()) {
            throw new Refused(this, what + " must be a list, but was " + shown());
        }
        return (List<Tree>) Objects.requireNonNull(value);
    }

    /** A list of texts, or one text. */
    List<String> texts(String what) {
        if (!isList()) {
            return List.of(text(what));
        }
        return list(what).stream().map(each -> each.text(what)).toList();
    }

    /** A text; a plain number or boolean counts as the text that it was not quoted as. */
    String text(String what) {
        if (value == null || isMap() || isList()) {
            throw new Refused(this, what + " must be a text, but was " + shown());
        }
        return value.toString();
    }

    int whole(String what) {
        return Math.toIntExact(wholeLong(what));
    }

    long wholeLong(String what) {
        if (value instanceof Long number) {
            if (number > Integer.MAX_VALUE * 2L || number < Integer.MIN_VALUE) {
                throw new Refused(this, what + " is too large: " + number);
            }
            return number;
        }
        throw new Refused(this, what + " must be a whole number, but was " + shown());
    }

    double number(String what) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw new Refused(this, what + " must be a number, but was " + shown());
    }

    boolean flag(String what) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new Refused(this, what + " must be true or false, but was " + shown());
    }

    /** The same as maps, lists and simple values, without places. */
    @Nullable
    Object plain() {
        if (isMap()) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            map("").forEach((key, each) -> plain.put(key, each.plain()));
            return plain;
        }
        if (isList()) {
            List<@Nullable Object> plain = new ArrayList<>();
            list("").forEach(each -> plain.add(each.plain()));
            return plain;
        }
        return value;
    }

    String shown() {
        if (value == null) {
            return "nothing";
        }
        return isMap() ? "a mapping" : isList() ? "a list" : "\"" + value + "\"";
    }
}
