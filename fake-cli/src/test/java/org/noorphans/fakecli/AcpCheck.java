/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that an agent has kept the Agent Client Protocol, version 1. */
final class AcpCheck extends JsonRpcCheck {
    private static final Set<String> CHUNKS =
            Set.of("user_message_chunk", "agent_message_chunk", "agent_thought_chunk");
    private static final Set<String> OTHER_UPDATES = Set.of(
            "tool_call",
            "tool_call_update",
            "plan",
            "available_commands_update",
            "current_mode_update",
            "config_option_update",
            "session_info_update",
            "usage_update");
    private static final Set<String> STOP_REASONS =
            Set.of("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled");
    private static final Set<String> OPTION_KINDS =
            Set.of("allow_once", "allow_always", "reject_once", "reject_always");

    private final Set<String> sessions = new HashSet<>();
    private final Set<String> cancelled = new HashSet<>();
    private boolean answeredCancel;

    private AcpCheck() {
        super(true);
    }

    static void checked(List<Wire.Entry> transcript) {
        new AcpCheck().check(transcript);
    }

    @Override
    void sent(JsonObject message) {
        if (!message.has("method")) {
            return;
        }
        switch (message.get("method").getAsString()) {
            case "session/cancel" -> cancelled.add(session(message));
            case "session/prompt" -> cancelled.remove(session(message));
            case "session/load", "session/resume" -> sessions.add(session(message));
            default -> {}
        }
    }

    private static String session(JsonObject message) {
        return message.getAsJsonObject("params").get("sessionId").getAsString();
    }

    @Override
    void request(String method, JsonObject params) {
        assertThat(sessions).contains(params.get("sessionId").getAsString());
        switch (method) {
            case "session/request_permission" -> {
                assertThat(params.getAsJsonObject("toolCall").get("toolCallId").getAsString())
                        .isNotEmpty();
                assertThat(params.getAsJsonArray("options")).isNotEmpty();
                for (JsonElement option : params.getAsJsonArray("options")) {
                    assertThat(Wire.text(option, "optionId")).isNotEmpty();
                    assertThat(Wire.text(option, "name")).isNotEmpty();
                    assertThat(Wire.text(option, "kind")).isIn(OPTION_KINDS);
                }
            }
            case "fs/read_text_file" -> assertThat(Wire.text(params, "path")).startsWith("/");
            case "fs/write_text_file" -> {
                assertThat(Wire.text(params, "path")).startsWith("/");
                assertThat(params.has("content")).isTrue();
            }
            default -> throw new AssertionError("agents do not ask " + method);
        }
    }

    @Override
    void notification(String method, JsonObject params) {
        assertThat(method).isEqualTo("session/update");
        assertThat(sessions).contains(params.get("sessionId").getAsString());
        JsonObject update = params.getAsJsonObject("update");
        String kind = update.get("sessionUpdate").getAsString();
        if (CHUNKS.contains(kind)) {
            assertThat(Wire.text(update, "content", "type")).isEqualTo("text");
            assertThat(update.getAsJsonObject("content")
                            .get("text")
                            .getAsJsonPrimitive()
                            .isString())
                    .isTrue();
            return;
        }
        assertThat(kind).isIn(OTHER_UPDATES);
        if (kind.startsWith("tool_call")) {
            assertThat(Wire.text(update, "toolCallId")).isNotEmpty();
        }
        if (kind.equals("tool_call")) {
            assertThat(Wire.text(update, "title")).isNotEmpty();
        }
        if (update.has("status")) {
            assertThat(Wire.text(update, "status")).isIn("pending", "in_progress", "completed", "failed");
        }
    }

    @Override
    void response(JsonObject request, JsonObject response) {
        if (!response.has("result")) {
            return;
        }
        JsonElement result = response.get("result");
        switch (request.get("method").getAsString()) {
            case "initialize" -> {
                assertThat(result.getAsJsonObject().get("protocolVersion").getAsInt())
                        .isEqualTo(1);
                assertThat(result.getAsJsonObject().get("authMethods").isJsonArray())
                        .isTrue();
                assertThat(result.getAsJsonObject().get("agentCapabilities").isJsonObject())
                        .isTrue();
            }
            case "session/new" -> sessions.add(Wire.text(result, "sessionId"));
            case "session/prompt" -> {
                String reason = Wire.text(result, "stopReason");
                assertThat(reason).isIn(STOP_REASONS);
                if (cancelled.contains(session(request))) {
                    answeredCancel = true;
                } else {
                    assertThat(reason).isNotEqualTo("cancelled");
                }
            }
            default -> {}
        }
    }

    @Override
    void ended(List<JsonObject> unanswered) {
        assertThat(cancelled.isEmpty() || answeredCancel)
                .as("a cancelled prompt is answered")
                .isTrue();
    }
}
