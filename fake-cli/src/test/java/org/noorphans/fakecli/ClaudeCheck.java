/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks what the SDKs of Claude Code need: the fields without which their parsers throw, and answers to requests. */
final class ClaudeCheck {
    private final Set<String> open = new HashSet<>();
    private final Set<String> asked = new HashSet<>();
    private final Set<String> messages = new HashSet<>();
    private final Set<String> sessions = new HashSet<>();

    private ClaudeCheck() {}

    static void checked(List<Wire.Entry> transcript) {
        ClaudeCheck check = new ClaudeCheck();
        for (Wire.Entry entry : transcript) {
            if (entry.byClient()) {
                check.sent(entry.message());
            } else {
                check.received(entry.message());
            }
        }
        assertThat(check.open).as("requests without answer").isEmpty();
        assertThat(check.sessions).as("session ids").hasSizeLessThanOrEqualTo(1);
    }

    private void sent(JsonObject message) {
        if (Wire.text(message, "type").equals("control_request")) {
            open.add(Wire.text(message, "request_id"));
        }
    }

    private void received(JsonObject message) {
        assertThat(message.has("jsonrpc")).isFalse();
        switch (Wire.text(message, "type")) {
            case "control_response" -> {
                assertThat(open.remove(Wire.text(message, "response", "request_id")))
                        .as("an open request that %s answers", message)
                        .isTrue();
                String subtype = Wire.text(message, "response", "subtype");
                assertThat(subtype).isIn("success", "error");
                assertThat(message.getAsJsonObject("response").has(subtype.equals("error") ? "error" : "response"))
                        .isTrue();
            }
            case "control_request" -> {
                assertThat(asked.add(Wire.text(message, "request_id"))).isTrue();
                if (Wire.text(message, "request", "subtype").equals("can_use_tool")) {
                    assertThat(Wire.text(message, "request", "tool_name")).isNotEmpty();
                    assertThat(message.getAsJsonObject("request").get("input").isJsonObject())
                            .isTrue();
                }
            }
            case "control_cancel_request" -> assertThat(asked).contains(Wire.text(message, "request_id"));
            case "system" -> {
                assertThat(Wire.text(message, "subtype")).isNotEmpty();
                session(message);
            }
            case "assistant" -> {
                assertThat(Wire.text(message, "message", "model")).isNotEmpty();
                assertThat(Wire.text(message, "message", "role")).isEqualTo("assistant");
                assertThat(messages.add(Wire.text(message, "message", "id")))
                        .as("a fresh message id in %s", message)
                        .isTrue();
                for (JsonElement block : message.getAsJsonObject("message").getAsJsonArray("content")) {
                    block(block.getAsJsonObject());
                }
                session(message);
            }
            case "user" -> {
                assertThat(Wire.text(message, "message", "role")).isEqualTo("user");
                session(message);
            }
            case "stream_event" -> {
                assertThat(Wire.text(message, "uuid")).isNotEmpty();
                assertThat(Wire.text(message, "event", "type")).isNotEmpty();
                session(message);
            }
            case "result" -> {
                for (String field :
                        List.of("subtype", "duration_ms", "duration_api_ms", "is_error", "num_turns", "session_id")) {
                    assertThat(message.has(field))
                            .as("%s in %s", field, message)
                            .isTrue();
                }
                boolean success = Wire.text(message, "subtype").equals("success");
                assertThat(message.has(success ? "result" : "errors")).isTrue();
                session(message);
            }
            default -> throw new AssertionError("no such type: " + message);
        }
    }

    private static void block(JsonObject block) {
        switch (Wire.text(block, "type")) {
            case "text" -> assertThat(block.has("text")).isTrue();
            case "thinking" -> assertThat(block.has("signature")).isTrue();
            case "tool_use" -> {
                assertThat(Wire.text(block, "id")).isNotEmpty();
                assertThat(Wire.text(block, "name")).isNotEmpty();
                assertThat(block.get("input").isJsonObject()).isTrue();
            }
            default -> throw new AssertionError("no such block: " + block);
        }
    }

    private void session(JsonObject message) {
        sessions.add(Wire.text(message, "session_id"));
    }
}
