/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTests {
    @Nested
    class Escaping {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "node /opt/agent/server.js --port 43121",
                    "sh -c 'echo \"a b\"'",
                    "größe 北京 €",
                    "🦊 fox",
                    "back\\slash",
                    "()[]{}<>|&;$%"
                })
        void leaves_what_people_write(String text) {
            assertThat(OneLine.escape(text)).isEqualTo(text);
        }

        @Test
        void shows_line_breaks_and_tabs_by_their_names() {
            assertThat(OneLine.escape("a\nb\rc\td")).isEqualTo("a\\nb\\rc\\td");
        }

        @Test
        void shows_every_other_control_character_by_its_number() {
            assertThat(OneLine.escape("\u001b[31mred\u0007\u0000\u007f\u009b"))
                    .isEqualTo("\\u001b[31mred\\u0007\\u0000\\u007f\\u009b");
        }

        @Test
        void shows_what_turns_the_direction_of_writing_or_is_invisible() {
            assertThat(OneLine.escape("a\u202eb\u2066c\u200bd\ufeffe\u00adf"))
                    .isEqualTo("a\\u202eb\\u2066c\\u200bd\\ufeffe\\u00adf");
        }

        @Test
        void shows_unicode_line_and_paragraph_separators() {
            assertThat(OneLine.escape("a\u2028b\u2029c\u0085d")).isEqualTo("a\\u2028b\\u2029c\\u0085d");
        }

        @Test
        void shows_half_a_character() {
            assertThat(OneLine.escape("a\ud83eb")).isEqualTo("a\\ud83eb");
        }

        @Test
        void leaves_no_character_that_could_start_a_line_or_a_terminal_command() {
            IntStream.rangeClosed(0, 0x10ffff).forEach(c -> {
                String escaped = OneLine.escape(Character.toString(c));
                if (escaped.codePoints()
                        .anyMatch(e -> Character.isISOControl(e)
                                || e == 0x2028
                                || e == 0x2029
                                || Character.getType(e) == Character.FORMAT)) {
                    throw new AssertionError("U+%04X passes unescaped".formatted(c));
                }
            });
        }
    }

    @Nested
    class Cutting {
        @Test
        void leaves_what_fits() {
            assertThat(OneLine.cut("x".repeat(60), 60)).isEqualTo("x".repeat(60));
            assertThat(OneLine.cut("", 60)).isEmpty();
        }

        @Test
        void keeps_the_begin_and_the_end() {
            assertThat(OneLine.cut("0123456789".repeat(4), 20)).isEqualTo("0123456789 ... 56789");
        }

        @ParameterizedTest
        @CsvSource({"61, 60", "62, 60", "1000, 60", "161, 160", "65536, 160"})
        void gives_exactly_the_width(int length, int width) {
            assertThat(OneLine.cut("x".repeat(length), width)).hasSize(width).contains("x ... x");
        }

        @Test
        void never_cuts_a_character_in_two() {
            for (int shift = 0; shift < 4; shift++) {
                String cut = OneLine.cut("x".repeat(shift) + "🦊".repeat(100), 60);
                assertThat(cut.codePoints().filter(c -> c >= 0xd800 && c <= 0xdfff))
                        .as("halves of characters in %s", cut)
                        .isEmpty();
            }
        }
    }
}
