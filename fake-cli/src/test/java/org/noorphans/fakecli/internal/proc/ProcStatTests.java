/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcStatTests {
    /** From Linux 6.18, with another name put in. */
    private static final String TAIL =
            " 4711 4711 4711 0 -1 4194304 95 0 0 0 0 0 0 0 20 0 1 0 146631 2596864 220 18446744073709551615 1 1 0 0 0 0 0\n";

    @Test
    void the_name_may_look_like_the_rest_of_the_line() {
        assertThat(ProcStat.parse("4713 (a) Z 1 (b) S" + TAIL)).isEqualTo(new ProcStat('S', 146631));
    }

    @Test
    void zombies_and_the_dead_are_not_alive() {
        assertThat(ProcStat.parse("1 (x) S" + TAIL).isAlive()).isTrue();
        assertThat(ProcStat.parse("1 (x) T" + TAIL).isAlive()).isTrue();
        assertThat(ProcStat.parse("1 (x) Z" + TAIL).isAlive()).isFalse();
        assertThat(ProcStat.parse("1 (x) X" + TAIL).isAlive()).isFalse();
    }

    @Test
    void another_line_is_refused() {
        assertThatThrownBy(() -> ProcStat.parse("4713 (x) S 1 2\n"))
                .hasMessage("not a line of /proc/PID/stat: 4713 (x) S 1 2\n");
    }
}
