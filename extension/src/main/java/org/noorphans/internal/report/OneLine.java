/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.report;

/** Text that comes from processes, made fit for one line of a report. */
public final class OneLine {
    private OneLine() {}

    /**
     * The text without anything that could move the cursor, break the line or hide what follows: control characters, line
     * and paragraph separators, and bidirectional controls become escapes such as {@code \n} or {@code \u001b}.
     */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (isHarmful(c)) {
                        escaped.append(String.format("\\u%04x", c));
                    } else {
                        escaped.appendCodePoint(c);
                    }
                }
            }
        });
        return escaped.toString();
    }

    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> true;
            default -> false;
        };
    }

    /** The text, cut in the middle if it has more than {@code width} characters: the begin and the end tell the most. */
    public static String cut(String text, int width) {
        if (text.length() <= width) {
            return text;
        }
        int head = (width - 5) * 2 / 3;
        int tail = width - 5 - head;
        int from = text.length() - tail;
        if (Character.isHighSurrogate(text.charAt(head - 1))) {
            head--;
        }
        if (Character.isLowSurrogate(text.charAt(from))) {
            from++;
        }
        return text.substring(0, head) + " ... " + text.substring(from);
    }
}
