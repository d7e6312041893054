/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a transcript against the rules of JSON-RPC 2.0, from its text and nothing of the fake's code. */
abstract class JsonRpcCheck {
    private final boolean header;

    JsonRpcCheck(boolean header) {
        this.header = header;
    }

    final void check(List<Wire.Entry> transcript) {
        Map<JsonElement, JsonObject> ofClient = new HashMap<>();
        Set<JsonElement> idsOfFake = new HashSet<>();
        for (Wire.Entry entry : transcript) {
            JsonObject message = entry.message();
            if (entry.byClient()) {
                if (message.has("method") && message.has("id")) {
                    ofClient.put(message.get("id"), message);
                }
                sent(message);
                continue;
            }
            assertThat(message.has("jsonrpc")).as("jsonrpc in %s", message).isEqualTo(header);
            if (header) {
                assertThat(message.get("jsonrpc").getAsString()).isEqualTo("2.0");
            }
            if (message.has("method")) {
                assertThat(message.get("method").getAsJsonPrimitive().isString())
                        .isTrue();
                assertThat(message.has("result") || message.has("error")).isFalse();
                if (message.has("id")) {
                    assertThat(idsOfFake.add(message.get("id")))
                            .as("a fresh id in %s", message)
                            .isTrue();
                    request(message.get("method").getAsString(), message.getAsJsonObject("params"));
                } else {
                    notification(message.get("method").getAsString(), message.getAsJsonObject("params"));
                }
                continue;
            }
            assertThat(message.has("result") ^ message.has("error"))
                    .as("result or error in %s", message)
                    .isTrue();
            if (message.has("error")) {
                JsonObject error = message.getAsJsonObject("error");
                assertThat(error.get("code").getAsJsonPrimitive().isNumber()).isTrue();
                assertThat(error.get("message").getAsJsonPrimitive().isString()).isTrue();
                if (message.get("id").isJsonNull()) {
                    assertThat(error.get("code").getAsInt()).isIn(-32700, -32600);
                    continue;
                }
            }
            // Elements are equal only if their types are: "1" is not 1.
            JsonObject request = ofClient.remove(message.get("id"));
            assertThat(request).as("an open request that %s answers", message).isNotNull();
            response(request, message);
        }
        ended(ofClient.values().stream().toList());
    }

    abstract void sent(JsonObject message);

    abstract void request(String method, JsonObject params);

    abstract void notification(String method, JsonObject params);

    abstract void response(JsonObject request, JsonObject response);

    abstract void ended(List<JsonObject> unanswered);
}
