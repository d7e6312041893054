/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The agent's side of the Agent Client Protocol, version 1. */
final class Acp extends JsonRpc {
    private static final int VERSION = 1;
    private static final int NOT_FOUND = -32002;

    private final Set<String> sessions = new HashSet<>();
    private boolean initialized;
    private int created;
    private String session;
    private @Nullable Message pending;

    Acp(Output out, Setup setup) {
        super(out, setup, true);
        session = setup.session();
    }

    @Override
    boolean answer(Message call) {
        if (!call.isRequest()) {
            // Notifications of this form may be ignored by whoever does not know them.
            return call.method().startsWith("$/") || call.method().equals("session/cancel");
        }
        switch (call.method()) {
            case "initialize" -> initialize(call);
            case "authenticate", "logout" -> result(call.id(), new JsonObject());
            case "session/new" -> newSession(call);
            case "session/load", "session/resume" -> knownSession(call);
            case "session/set_mode", "session/set_model" -> result(call.id(), changed(call.method(), new JsonObject()));
            case "session/set_config_option" ->
                result(call.id(), changed(call.method(), JsonTree.of("configOptions", new JsonArray())));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void initialize(Message call) {
        if (!(call.params() instanceof JsonObject params)
                || !(params.get("protocolVersion") instanceof JsonPrimitive version)
                || !version.isNumber()) {
            refuseParameters(call, "protocolVersion is missing");
            return;
        }
        initialized = true;
        JsonObject prompts = JsonTree.of("image", false, "audio", false, "embeddedContext", false);
        result(
                call.id(),
                changed(
                        "initialize",
                        JsonTree.of(
                                "protocolVersion",
                                VERSION,
                                "agentCapabilities",
                                JsonTree.of("loadSession", true, "promptCapabilities", prompts),
                                "agentInfo",
                                JsonTree.of("name", "fake", "version", "1.0.0"),
                                "authMethods",
                                new JsonArray())));
    }

    private void newSession(Message call) {
        if (refusesSetUp(call)) {
            return;
        }
        created++;
        String id = created == 1 ? setup.session() : setup.session() + "-" + created;
        JsonObject answer = changed("session/new", JsonTree.of("sessionId", id));
        session = JsonTree.string(answer, "sessionId", id);
        sessions.add(session);
        result(call.id(), answer);
    }

    private void knownSession(Message call) {
        if (refusesSetUp(call)) {
            return;
        }
        String id = JsonTree.string(call.params(), "sessionId");
        if (id == null) {
            refuseParameters(call, "sessionId is missing");
            return;
        }
        session = id;
        sessions.add(id);
        result(call.id(), changed(call.method(), new JsonObject()));
    }

    private boolean refusesSetUp(Message call) {
        if (!initialized) {
            error(call.id(), INVALID_REQUEST, "Invalid request: not initialized", null);
            return true;
        }
        String cwd = JsonTree.string(call.params(), "cwd");
        if (cwd == null || !cwd.startsWith("/")) {
            refuseParameters(call, "cwd is not an absolute path");
            return true;
        }
        if (!(call.params().getAsJsonObject().get("mcpServers") instanceof JsonArray)) {
            refuseParameters(call, "mcpServers is not an array");
            return true;
        }
        return false;
    }

    @Override
    boolean isReady() {
        return !sessions.isEmpty();
    }

    @Override
    void refuse(Message call) {
        if (call.isRequest() && !initialized) {
            error(call.id(), INVALID_REQUEST, "Invalid request: not initialized", null);
        } else {
            super.refuse(call);
        }
    }

    @Override
    @Nullable
    String check(Message call) {
        if (!call.method().equals("session/prompt")) {
            return null;
        }
        String id = JsonTree.string(call.params(), "sessionId");
        if (id == null || !sessions.contains(id)) {
            error(call.id(), NOT_FOUND, "Resource not found: session " + id, null);
            return "unknown session";
        }
        if (!(call.params().getAsJsonObject().get("prompt") instanceof JsonArray)) {
            refuseParameters(call, "prompt is not an array");
            return "prompt is not an array";
        }
        return null;
    }

    @Override
    void begin(Message call, boolean fails) {
        session = JsonTree.string(call.params(), "sessionId", session);
        if (call.isRequest()) {
            pending = call;
        }
    }

    @Override
    boolean isCancel(Message call) {
        return call.method().equals("session/cancel")
                && pending != null
                && pending.method().equals("session/prompt")
                && session.equals(JsonTree.string(call.params(), "sessionId"));
    }

    @Override
    void acceptCancel(Message call) {
        // A notification: the answer is that of the prompt.
    }

    @Override
    void reply(JsonElement value, boolean cancelled) {
        Message call = pending;
        pending = null;
        if (call == null) {
            return;
        }
        if (call.method().equals("session/new") && JsonTree.string(value, "sessionId") != null) {
            session = JsonTree.string(value, "sessionId", session);
        }
        if (call.method().startsWith("session/")) {
            sessions.add(session);
        }
        initialized |= call.method().equals("initialize");
        result(call.id(), cancelled ? JsonTree.of("stopReason", "cancelled") : value);
    }

    @Override
    void fail(int code, String message, @Nullable JsonElement data) {
        if (pending != null) {
            error(pending.id(), code, message, data);
            pending = null;
        }
    }

    @Override
    void tell(JsonObject message) {
        String method = JsonTree.string(message, "method");
        if (method != null) {
            notification(method, params(method, message));
        } else {
            notification("session/update", JsonTree.of("sessionId", session, "update", update(message)));
        }
    }

    private JsonObject update(JsonObject message) {
        if (message.has("sessionUpdate")) {
            return message;
        }
        String name = message.keySet().iterator().next();
        JsonElement value = message.get(name);
        return switch (name) {
            case "text" -> chunk("agent_message_chunk", value);
            case "thought" -> chunk("agent_thought_chunk", value);
            case "userText" -> chunk("user_message_chunk", value);
            case "tool" -> tool("tool_call", value);
            case "toolUpdate" -> tool("tool_call_update", value);
            case "plan" -> JsonTree.of("sessionUpdate", "plan", "entries", value);
            case "mode" -> JsonTree.of("sessionUpdate", "current_mode_update", "currentModeId", value);
            case "commands" -> JsonTree.of("sessionUpdate", "available_commands_update", "availableCommands", value);
            default -> throw new IllegalArgumentException("no update " + name);
        };
    }

    private static JsonObject chunk(String kind, JsonElement text) {
        return JsonTree.of("sessionUpdate", kind, "content", JsonTree.of("type", "text", "text", text));
    }

    /** A bare id is a call that has just begun, or one that is done. */
    private static JsonObject tool(String kind, JsonElement value) {
        boolean begins = kind.equals("tool_call");
        if (value instanceof JsonObject fields) {
            JsonObject base = JsonTree.of("sessionUpdate", kind, "toolCallId", fields.get("id"));
            if (begins) {
                base.add("title", fields.has("title") ? fields.get("title") : fields.get("id"));
                base.addProperty("status", "pending");
            }
            JsonObject rest = fields.deepCopy();
            rest.remove("id");
            return JsonTree.merge(base, rest);
        }
        JsonObject update = JsonTree.of("sessionUpdate", kind, "toolCallId", value);
        if (begins) {
            update.add("title", value);
        }
        update.addProperty("status", begins ? "pending" : "completed");
        return update;
    }

    @Override
    JsonObject question(JsonObject message) {
        String method = JsonTree.string(message, "method");
        if (method != null) {
            return JsonTree.of("method", method, "params", params(method, message));
        }
        String name = message.keySet().iterator().next();
        JsonObject value = message.getAsJsonObject(name);
        return switch (name) {
            case "permission" ->
                JsonTree.of(
                        "method",
                        "session/request_permission",
                        "params",
                        JsonTree.of(
                                "sessionId",
                                session,
                                "toolCall",
                                toolCall(value),
                                "options",
                                options(value.getAsJsonArray("options"))));
            case "readFile" -> file("fs/read_text_file", value);
            case "writeFile" -> file("fs/write_text_file", value);
            default -> throw new IllegalArgumentException("no question " + name);
        };
    }

    private JsonObject file(String method, JsonObject value) {
        return JsonTree.of("method", method, "params", JsonTree.merge(JsonTree.of("sessionId", session), value));
    }

    private static JsonObject toolCall(JsonObject permission) {
        JsonElement id = permission.get("tool");
        JsonObject call = JsonTree.of(
                "toolCallId", id, "title", permission.has("title") ? permission.get("title") : id, "status", "pending");
        if (permission.has("input")) {
            call.add("rawInput", permission.get("input"));
        }
        return call;
    }

    /** An option that is only a word is id, name and kind in one. */
    private static JsonArray options(JsonArray given) {
        JsonArray options = new JsonArray();
        for (JsonElement option : given) {
            if (option instanceof JsonObject) {
                options.add(option);
            } else {
                String word = option.getAsString();
                String name = Character.toUpperCase(word.charAt(0))
                        + word.substring(1).replace('_', ' ');
                options.add(JsonTree.of("optionId", word, "name", name, "kind", word));
            }
        }
        return options;
    }

    /** The given params; those of session methods get the session if they name none. */
    private JsonElement params(String method, JsonObject message) {
        JsonElement params = message.has("params") ? message.get("params") : new JsonObject();
        boolean ofSession = method.startsWith("session/") || method.startsWith("fs/") || method.startsWith("terminal/");
        return ofSession && params instanceof JsonObject object && !object.has("sessionId")
                ? JsonTree.merge(JsonTree.of("sessionId", session), object)
                : params;
    }

    @Override
    String gist(Message response) {
        if (response.params() instanceof JsonObject result && result.get("outcome") instanceof JsonObject outcome) {
            return JsonTree.string(outcome, "optionId", JsonTree.string(outcome, "outcome", ""));
        }
        return response.params() instanceof JsonNull ? "null" : "";
    }
}
