/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

class ProcStatTests {
    /** What follows the name in a capture of perl reading its own file, Linux 6.18, x86-64. */
    private static final String REST = " R 5514 5513 24364 0 -1 4194304 241 0 0 0 0 0 0 0 20 0 1 0 214349 8069120 1252"
            + " 18446744073709551615 94083237126144 94083238781349 140729014180080 0 0 0 0 128 0 0 0 0 17 0 0 0 0 0 0"
            + " 94083240558632 94083240629076 94084086259712 140729014184507 140729014184687 140729014184687"
            + " 140729014185962 0\n";

    private static ProcessRow perl(String name) {
        return new ProcessRow(
                new ProcessId(5525, 214349),
                5514,
                OptionalLong.of(5513),
                OptionalLong.of(24364),
                ProcessState.RUNNING,
                name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "perl",
                "a b",
                "tmux: server",
                ") S 1 2 3 (x",
                "a\nb",
                "((((",
                "))))",
                "",
                "€€€€€",
                ") ) ) ) ) ) )",
                " ",
                ")",
                "(",
                "\t",
                "(sd-pam)",
                "1 2 3 4 5 6 7"
            })
    void takes_the_name_as_it_is(String name) {
        assertThat(ProcStat.parse(("5525 (" + name + ")" + REST).getBytes(UTF_8)))
                .contains(perl(name));
    }

    @Test
    void replaces_bytes_of_a_name_that_are_not_utf_8() {
        assertThat(ProcStat.parse(("5525 (\u00ff\u00fe\u0080)" + REST).getBytes(ISO_8859_1)))
                .contains(perl("\ufffd\ufffd\ufffd"));
    }

    @Test
    void takes_a_name_that_the_kernel_cut_inside_a_character() {
        byte[] name = {(byte) 0xe2, (byte) 0x82, (byte) 0xac, (byte) 0xe2, (byte) 0x82};
        String capture = "5525 (" + new String(name, ISO_8859_1) + ")" + REST;
        assertThat(ProcStat.parse(capture.getBytes(ISO_8859_1))).contains(perl("€\ufffd"));
    }

    @Nested
    class A_capture {
        @Test
        void of_process_1_has_no_parent_and_no_group() {
            assertThat(parse("1 (process_api) S 0 0 0 0 -1 4194560 36487 7879896 0 546 169 756 92872 7391 20 0 13 0 30"
                            + " 46510080 3808 18446744073709551615 1 1 0 0 0 0 0 4096 1256 0 0 0 17 1 0 0 0 0 0 0 0 0 0"
                            + " 0 0 0 0\n"))
                    .isEqualTo(new ProcessRow(
                            new ProcessId(1, 30),
                            0,
                            OptionalLong.of(0),
                            OptionalLong.of(0),
                            ProcessState.SLEEPING,
                            "process_api"));
        }

        @Test
        void of_a_kernel_thread() {
            ProcessRow row = parse("13 (kworker/u8:0-flush-254:0) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0 31 0 0"
                    + " 18446744073709551615 0 0 0 0 0 0 0 2147483647 0 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
            assertThat(row.state()).isEqualTo(ProcessState.IDLE);
            assertThat(row.name()).isEqualTo("kworker/u8:0-flush-254:0");
        }

        @Test
        void of_a_zombie_is_not_alive() {
            ProcessRow row = parse("4242 (sleep) Z 4200 4200 24364 0 -1 4228108 85 0 0 0 0 0 0 0 20 0 1 0 99887766 0 0"
                    + " 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
            assertThat(row.isAlive()).isFalse();
            assertThat(row.id()).isEqualTo(new ProcessId(4242, 99887766));
        }

        private static ProcessRow parse(String capture) {
            return ProcStat.parse(capture.getBytes(UTF_8)).orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "R, RUNNING, true",
        "S, SLEEPING, true",
        "D, UNINTERRUPTIBLE, true",
        "T, STOPPED, true",
        "t, TRACED, true",
        "Z, ZOMBIE, false",
        "X, DEAD, false",
        "x, DEAD, false",
        "I, IDLE, true",
        "P, UNKNOWN, true",
        "W, UNKNOWN, true"
    })
    void knows_the_state(String letter, ProcessState state, boolean alive) {
        String capture = "5525 (perl)" + REST.replaceFirst("R", letter);
        ProcessRow row = ProcStat.parse(capture.getBytes(UTF_8)).orElseThrow();
        assertThat(row.state()).isEqualTo(state);
        assertThat(row.isAlive()).isEqualTo(alive);
    }

    @Test
    void takes_the_largest_numbers_that_linux_has() {
        String capture =
                "4194304 (x) S 4194303 4194302 4194301 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9223372036854775807 0 0\n";
        assertThat(ProcStat.parse(capture.getBytes(UTF_8)).orElseThrow().id())
                .isEqualTo(new ProcessId(4194304, Long.MAX_VALUE));
    }

    @Nested
    class What_is_cut_short {
        private final byte[] whole = ("5525 (a) b) (c)" + REST).getBytes(UTF_8);

        /** Cut anywhere, it may give nothing, or the right process, but never another identity. */
        @Test
        void never_gives_another_process() {
            assertThat(IntStream.range(0, whole.length)
                            .mapToObj(length -> ProcStat.parse(Arrays.copyOf(whole, length)))
                            .flatMap(Optional::stream)
                            .map(ProcessRow::id)
                            .distinct())
                    .containsExactly(new ProcessId(5525, 214349));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    " ",
                    "\n",
                    "5525",
                    "5525 ",
                    "5525 (",
                    "5525 (perl",
                    "5525 (perl)",
                    "5525 (perl) ",
                    "5525 (perl) S",
                    "5525 (perl) S ",
                    "5525 (perl) S 1 2 3",
                    "5525 (perl) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
                    ")(",
                    "(x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
                    "0 (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
                    "-1 (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
                    "abc (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
                    "no such file"
                })
        void is_no_row(String content) {
            assertThat(ProcStat.parse(content.getBytes(UTF_8))).isEmpty();
        }
    }
}
