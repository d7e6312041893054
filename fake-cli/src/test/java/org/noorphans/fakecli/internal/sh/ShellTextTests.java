/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShellTextTests {
    @Test
    void everything_is_literal_between_single_quotes_but_the_quote_itself() {
        assertThat(ShellText.quote("a $b `c` \\ \" *\n")).isEqualTo("'a $b `c` \\ \" *\n'");
        assertThat(ShellText.quote("it's")).isEqualTo("'it'\\''s'");
        assertThat(ShellText.quote("")).isEqualTo("''");
    }
}
