/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as they are written in annotations and configuration parameters: a number and a unit. */
final class DurationText {
    private static final Pattern FORM = Pattern.compile("\\s*(-?\\d+(?:\\.\\d+)?)\\s*(\\p{Alpha}*)\\s*");
    private static final Map<String, Long> MILLIS_BY_UNIT = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "min", 60_000L);
    private static final BigDecimal LONGEST_MILLIS =
            BigDecimal.valueOf(Duration.ofDays(1).toMillis());

    private DurationText() {}

    /**
     * The duration that is meant.
     *
     * @throws IllegalArgumentException with advice, if the text is no duration, is negative, or is longer than a day
     */
    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || !MILLIS_BY_UNIT.containsKey(matcher.group(2))) {
            throw new IllegalArgumentException(
                    "not a duration; write a number and a unit, such as \"500ms\", \"2s\" or \"1m\"");
        }
        BigDecimal millis =
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(MILLIS_BY_UNIT.get(matcher.group(2))));
        if (millis.signum() < 0) {
            throw new IllegalArgumentException("a duration cannot be negative; \"0s\" is the shortest");
        }
        if (millis.compareTo(LONGEST_MILLIS) > 0) {
            throw new IllegalArgumentException("longer than a day; did you mean another unit?");
        }
        return Duration.ofMillis(millis.longValue());
    }
}
