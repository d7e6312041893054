/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTests {
    @Test
    void values_keep_their_order_and_kind() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("b", List.of(1, 2.5, true));
        List<Object> withNull = new ArrayList<>();
        withNull.add(null);
        map.put("a", withNull);
        map.put("c", Map.of("d", "e"));

        assertThat(JsonText.of(map)).isEqualTo("{\"b\":[1,2.5,true],\"a\":[null],\"c\":{\"d\":\"e\"}}");
    }

    @Test
    void what_json_escapes_is_escaped_and_nothing_else() {
        assertThat(JsonText.quote("\"\\/\n\r\t\u0001 é 日 😀")).isEqualTo("\"\\\"\\\\/\\n\\r\\t\\u0001 é 日 😀\"");
    }

    @Test
    void half_a_pair_that_has_no_utf_8_form_becomes_an_escape() {
        assertThat(JsonText.quote("\ud83d x \ude00")).isEqualTo("\"\\ud83d x \\ude00\"");
    }

    @Test
    void numbers_that_json_lacks_are_refused() {
        assertThatThrownBy(() -> JsonText.of(Double.NaN)).hasMessage("json has no number NaN; give a finite one");
    }
}
