/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/**
 * Claude Code with {@code --input-format stream-json}: user lines, and the control protocol of its SDKs. A user line
 * opens a turn, a {@code result} line ends it.
 */
final class ClaudeControl extends Protocol {
    private boolean initialized;
    private boolean turn;
    private int turns;
    private int asked;
    private int messages;
    private String lastText = "";
    private @Nullable JsonElement pending;
    private @Nullable String open;

    ClaudeControl(Output out, Setup setup) {
        super(out, setup);
    }

    @Override
    Message read(String line) {
        JsonElement value;
        try {
            value = JsonTree.parse(line);
        } catch (JsonParseException e) {
            return malformed(line);
        }
        String type = JsonTree.string(value, "type", "");
        JsonObject object = value instanceof JsonObject one ? one : new JsonObject();
        switch (type) {
            case "user" -> {
                return object.get("message") instanceof JsonObject message && message.has("content")
                        ? new Message(Message.Kind.NOTIFICATION, "user", JsonNull.INSTANCE, object)
                        : malformed(line);
            }
            case "control_request" -> {
                String subtype =
                        JsonTree.string(object.get("request") == null ? object : object.get("request"), "subtype");
                return subtype == null || JsonTree.string(object, "request_id") == null
                        ? malformed(line)
                        : new Message(Message.Kind.REQUEST, subtype, object.get("request_id"), object.get("request"));
            }
            case "control_response" -> {
                if (!(object.get("response") instanceof JsonObject response)
                        || JsonTree.string(response, "request_id") == null) {
                    return malformed(line);
                }
                boolean failed = "error".equals(JsonTree.string(response, "subtype"));
                JsonElement content = response.get(failed ? "error" : "response");
                return new Message(
                        failed ? Message.Kind.ERROR_RESPONSE : Message.Kind.RESPONSE,
                        "",
                        response.get("request_id"),
                        content == null ? JsonNull.INSTANCE : content);
            }
            case "control_cancel_request", "keep_alive", "update_environment_variables" -> {
                return new Message(Message.Kind.NOTIFICATION, type, JsonNull.INSTANCE, object);
            }
            default -> {
                return malformed(line);
            }
        }
    }

    private static Message malformed(String line) {
        return Message.malformed(line, JsonNull.INSTANCE, 0);
    }

    /** The real program ends at the first line that it cannot read. */
    @Override
    int malformed(Message message) {
        out.error("Error parsing streaming input line: " + message.method());
        return 1;
    }

    @Override
    boolean answer(Message call) {
        if (!call.isRequest()) {
            return !call.method().equals("user");
        }
        JsonObject answer = switch (call.method()) {
            case "initialize" -> {
                initialized = true;
                yield JsonTree.of("commands", new JsonArray(), "output_style", "default");
            }
            case "mcp_status" -> JsonTree.of("mcpServers", new JsonArray());
            case "set_permission_mode", "set_model", "set_max_thinking_tokens", "interrupt" -> new JsonObject();
            default -> null;
        };
        if (answer == null) {
            return false;
        }
        success(call.id(), changed(call.method(), answer));
        return true;
    }

    @Override
    boolean isReady() {
        return initialized;
    }

    /** Only the SDKs say hello. */
    @Override
    boolean mayComeFirst(Message call) {
        return call.method().equals("user");
    }

    @Override
    void refuse(Message call) {
        if (call.isRequest()) {
            failure(call.id(), "Unsupported control request subtype: " + call.method());
        }
    }

    @Override
    void refuseParameters(Message call, String why) {
        if (call.isRequest()) {
            failure(call.id(), "Invalid request: " + why);
        }
    }

    @Override
    void begin(Message call, boolean fails) {
        if (call.isRequest()) {
            pending = call.id();
            initialized |= call.method().equals("initialize");
        } else if (call.method().equals("user")) {
            turn = true;
            turns++;
        }
    }

    @Override
    boolean isCancel(Message call) {
        return turn && call.isRequest() && call.method().equals("interrupt");
    }

    @Override
    void acceptCancel(Message call) {
        success(call.id(), new JsonObject());
        if (open != null) {
            out.message(JsonTree.of("type", "control_cancel_request", "request_id", open));
            open = null;
        }
    }

    @Override
    void reply(JsonElement value, boolean cancelled) {
        if (pending != null) {
            success(pending, value);
            pending = null;
            return;
        }
        turn = false;
        if (cancelled) {
            JsonArray errors = new JsonArray();
            errors.add("Request interrupted by user");
            out.message(JsonTree.merge(result("error_during_execution", true), JsonTree.of("errors", errors)));
            return;
        }
        JsonObject result = JsonTree.merge(result("success", false), JsonTree.of("result", lastText));
        out.message(value instanceof JsonObject changes ? JsonTree.merge(result, changes) : result);
    }

    @Override
    void fail(int code, String message, @Nullable JsonElement data) {
        if (pending != null) {
            failure(pending, message);
            pending = null;
            return;
        }
        turn = false;
        out.message(JsonTree.merge(
                result("success", true),
                JsonTree.of("result", message, "api_error_status", code, "terminal_reason", "api_error")));
    }

    private JsonObject result(String subtype, boolean failed) {
        return JsonTree.of(
                "type",
                "result",
                "subtype",
                subtype,
                "is_error",
                failed,
                "duration_ms",
                12,
                "duration_api_ms",
                8,
                "num_turns",
                turns,
                "session_id",
                setup.session(),
                "total_cost_usd",
                0,
                "usage",
                usage());
    }

    private static JsonObject usage() {
        return JsonTree.of("input_tokens", 1, "output_tokens", 1);
    }

    @Override
    void tell(JsonObject message) {
        if (message.has("type")) {
            out.message(message);
            return;
        }
        String name = message.keySet().iterator().next();
        JsonElement value = message.get(name);
        switch (name) {
            case "text" -> {
                lastText = value.getAsString();
                assistant(JsonTree.of("type", "text", "text", value), "end_turn");
            }
            case "thought" -> assistant(JsonTree.of("type", "thinking", "thinking", value, "signature", "fake"), null);
            case "tool" -> {
                JsonObject tool = value.getAsJsonObject();
                assistant(
                        JsonTree.of(
                                "type",
                                "tool_use",
                                "id",
                                tool.get("id"),
                                "name",
                                tool.get("name"),
                                "input",
                                tool.has("input") ? tool.get("input") : new JsonObject()),
                        "tool_use");
            }
            case "toolResult" -> {
                JsonObject tool = value.getAsJsonObject();
                JsonArray content = new JsonArray();
                content.add(JsonTree.of(
                        "type",
                        "tool_result",
                        "tool_use_id",
                        tool.get("id"),
                        "content",
                        tool.get("content"),
                        "is_error",
                        tool.has("isError") && tool.get("isError").getAsBoolean()));
                out.message(JsonTree.of(
                        "type",
                        "user",
                        "message",
                        JsonTree.of("role", "user", "content", content),
                        "parent_tool_use_id",
                        null,
                        "session_id",
                        setup.session()));
            }
            case "delta" ->
                out.message(JsonTree.of(
                        "type",
                        "stream_event",
                        "event",
                        JsonTree.of(
                                "type",
                                "content_block_delta",
                                "index",
                                0,
                                "delta",
                                JsonTree.of("type", "text_delta", "text", value)),
                        "uuid",
                        "fake-" + setup.pid() + "-" + ++messages,
                        "session_id",
                        setup.session(),
                        "parent_tool_use_id",
                        null));
            default -> throw new IllegalArgumentException("no message " + name);
        }
    }

    private void assistant(JsonObject block, @Nullable String stopReason) {
        JsonArray content = new JsonArray();
        content.add(block);
        JsonObject message = JsonTree.of(
                "id",
                "msg_fake_" + setup.pid() + "_d" + ++messages,
                "type",
                "message",
                "role",
                "assistant",
                "model",
                setup.model(),
                "content",
                content,
                "stop_reason",
                stopReason,
                "usage",
                usage());
        out.message(JsonTree.of(
                "type", "assistant", "message", message, "parent_tool_use_id", null, "session_id", setup.session()));
    }

    @Override
    Question ask(JsonObject message) {
        JsonObject request = message;
        if (message.get("permission") instanceof JsonObject permission) {
            request = JsonTree.of(
                    "subtype",
                    "can_use_tool",
                    "tool_name",
                    permission.get("tool"),
                    "input",
                    permission.has("input") ? permission.get("input") : new JsonObject(),
                    "tool_use_id",
                    permission.has("id") ? permission.get("id") : new JsonPrimitive("toolu_fake_" + (asked + 1)),
                    "permission_suggestions",
                    new JsonArray());
        }
        open = "fake_req_" + ++asked;
        out.message(JsonTree.of("type", "control_request", "request_id", open, "request", request));
        return new Question(open, JsonTree.string(request, "subtype", ""));
    }

    @Override
    String gist(Message response) {
        open = null;
        return JsonTree.string(response.params(), "behavior", "");
    }

    private void success(JsonElement id, JsonElement value) {
        out.message(JsonTree.of(
                "type",
                "control_response",
                "response",
                JsonTree.of("subtype", "success", "request_id", id, "response", value)));
    }

    private void failure(JsonElement id, String message) {
        out.message(JsonTree.of(
                "type",
                "control_response",
                "response",
                JsonTree.of("subtype", "error", "request_id", id, "error", message)));
    }
}
