/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks that a server has kept the protocol of {@code codex app-server}. */
final class CodexCheck extends JsonRpcCheck {
    private final Set<String> threads = new HashSet<>();
    private final Map<String, String> openTurns = new HashMap<>();
    private final Set<String> startedTurns = new HashSet<>();
    private final Map<String, StringBuilder> openItems = new HashMap<>();
    private boolean initialized;

    private CodexCheck() {
        super(false);
    }

    static void checked(List<Wire.Entry> transcript) {
        new CodexCheck().check(transcript);
    }

    @Override
    void sent(JsonObject message) {
        if (message.has("method") && message.get("method").getAsString().equals("thread/resume")) {
            threads.add(Wire.text(message, "params", "threadId"));
        }
    }

    @Override
    void request(String method, JsonObject params) {
        assertThat(method)
                .isIn(
                        "item/commandExecution/requestApproval",
                        "item/fileChange/requestApproval",
                        "item/tool/requestUserInput");
        inOpenTurn(params);
        assertThat(Wire.text(params, "itemId")).isNotEmpty();
    }

    private void inOpenTurn(JsonObject params) {
        assertThat(openTurns).containsEntry(Wire.text(params, "turnId"), Wire.text(params, "threadId"));
    }

    @Override
    void notification(String method, JsonObject params) {
        assertThat(initialized).isTrue();
        switch (method) {
            case "thread/started" -> assertThat(threads).contains(Wire.text(params, "thread", "id"));
            case "turn/started" -> {
                assertThat(openTurns).containsKey(Wire.text(params, "turn", "id"));
                assertThat(startedTurns.add(Wire.text(params, "turn", "id"))).isTrue();
            }
            case "item/started" -> {
                inOpenTurn(params);
                assertThat(openItems.put(Wire.text(params, "item", "id"), new StringBuilder()))
                        .isNull();
            }
            case "item/agentMessage/delta" -> {
                inOpenTurn(params);
                assertThat(openItems).containsKey(Wire.text(params, "itemId"));
                openItems.get(Wire.text(params, "itemId")).append(Wire.text(params, "delta"));
            }
            case "item/completed" -> {
                inOpenTurn(params);
                StringBuilder deltas = openItems.remove(Wire.text(params, "item", "id"));
                assertThat(deltas).as("started before %s", params).isNotNull();
                if (Wire.text(params, "item", "type").equals("agentMessage") && deltas.length() > 0) {
                    assertThat(Wire.text(params, "item", "text")).isEqualTo(deltas.toString());
                }
            }
            case "thread/tokenUsage/updated" -> inOpenTurn(params);
            case "turn/completed" -> {
                String turn = Wire.text(params, "turn", "id");
                assertThat(startedTurns).contains(turn);
                assertThat(openTurns.remove(turn)).isEqualTo(Wire.text(params, "threadId"));
                assertThat(openItems).isEmpty();
                String status = Wire.text(params, "turn", "status");
                assertThat(status).isIn("completed", "interrupted", "failed");
                assertThat(params.getAsJsonObject("turn").get("error").isJsonObject())
                        .isEqualTo(status.equals("failed"));
            }
            default -> throw new AssertionError("servers do not tell " + method);
        }
    }

    @Override
    void response(JsonObject request, JsonObject response) {
        String method = request.get("method").getAsString();
        if (!response.has("result")) {
            return;
        }
        assertThat(initialized || method.equals("initialize")).isTrue();
        switch (method) {
            case "initialize" -> {
                assertThat(Wire.text(response, "result", "userAgent")).isNotEmpty();
                initialized = true;
            }
            case "thread/start", "thread/fork", "thread/resume" -> {
                threads.add(Wire.text(response, "result", "thread", "id"));
                assertThat(Wire.text(response, "result", "model")).isNotEmpty();
            }
            case "turn/start" -> {
                assertThat(Wire.text(response, "result", "turn", "status")).isEqualTo("inProgress");
                openTurns.put(Wire.text(response, "result", "turn", "id"), Wire.text(request, "params", "threadId"));
            }
            default -> {}
        }
    }

    @Override
    void ended(List<JsonObject> unanswered) {
        assertThat(startedTurns).containsAll(openTurns.keySet());
    }
}
