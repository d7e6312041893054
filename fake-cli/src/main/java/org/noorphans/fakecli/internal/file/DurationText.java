/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times such as {@code 20ms}, {@code 4s} or {@code 2m}. */
final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,15})(ns|us|ms|s|m)");
    private static final Map<String, Long> NANOS = new LinkedHashMap<>();

    static {
        NANOS.put("m", 60_000_000_000L);
        NANOS.put("s", 1_000_000_000L);
        NANOS.put("ms", 1_000_000L);
        NANOS.put("us", 1_000L);
        NANOS.put("ns", 1L);
    }

    private DurationText() {}

    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no time; write a whole number and ms, s or m, for example 250ms");
        }
        try {
            return Duration.ofNanos(
                    Math.multiplyExact(Long.parseLong(matcher.group(1)), NANOS.getOrDefault(matcher.group(2), 1L)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + text + "\" is too long a time", e);
        }
    }

    static String of(Duration time) {
        long nanos = time.toNanos();
        if (nanos == 0) {
            return "0ms";
        }
        return NANOS.entrySet().stream()
                .filter(unit -> nanos % unit.getValue() == 0)
                .findFirst()
                .map(unit -> nanos / unit.getValue() + unit.getKey())
                .orElseThrow();
    }
}
