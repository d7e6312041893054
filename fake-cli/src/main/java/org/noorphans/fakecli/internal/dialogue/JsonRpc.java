/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import org.jspecify.annotations.Nullable;

/** JSON-RPC 2.0, one message a line. */
abstract class JsonRpc extends Protocol {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;

    private final boolean header;
    private int asked;

    /**
     * A dialect.
     *
     * @param header whether messages carry the member {@code jsonrpc}
     */
    JsonRpc(Output out, Setup setup, boolean header) {
        super(out, setup);
        this.header = header;
    }

    @Override
    final Message read(String line) {
        JsonElement value;
        try {
            value = JsonTree.parse(line);
        } catch (JsonParseException e) {
            return Message.malformed("not JSON", JsonNull.INSTANCE, PARSE_ERROR);
        }
        if (!(value instanceof JsonObject object)) {
            return Message.malformed("not an object", JsonNull.INSTANCE, INVALID_REQUEST);
        }
        JsonElement id = object.get("id");
        JsonElement safeId = isId(id) ? id : JsonNull.INSTANCE;
        if (header && !"2.0".equals(JsonTree.string(object, "jsonrpc"))) {
            return Message.malformed("jsonrpc is not \"2.0\"", safeId, INVALID_REQUEST);
        }
        if (object.has("id") && !isId(id)) {
            return Message.malformed("id is neither a string nor a number", JsonNull.INSTANCE, INVALID_REQUEST);
        }
        if (object.has("method")) {
            String method = JsonTree.string(object, "method");
            JsonElement params = object.has("params") ? object.get("params") : new JsonObject();
            if (method == null) {
                return Message.malformed("method is not a string", safeId, INVALID_REQUEST);
            }
            if (params.isJsonPrimitive()) {
                return Message.malformed("params is neither an object nor an array", safeId, INVALID_REQUEST);
            }
            return new Message(
                    object.has("id") ? Message.Kind.REQUEST : Message.Kind.NOTIFICATION, method, safeId, params);
        }
        if (id != null && object.has("result") != object.has("error")) {
            boolean failed = object.has("error");
            return new Message(
                    failed ? Message.Kind.ERROR_RESPONSE : Message.Kind.RESPONSE,
                    "",
                    safeId,
                    object.get(failed ? "error" : "result"));
        }
        return Message.malformed("neither a call nor a response", safeId, INVALID_REQUEST);
    }

    private static boolean isId(@Nullable JsonElement id) {
        return id instanceof JsonNull || (id instanceof JsonPrimitive primitive && !primitive.isBoolean());
    }

    @Override
    final int malformed(Message message) {
        int code = message.params().getAsJsonObject().get("code").getAsInt();
        error(
                message.id(),
                code,
                (code == PARSE_ERROR ? "Parse error: " : "Invalid request: ") + message.method(),
                null);
        return -1;
    }

    @Override
    void refuse(Message call) {
        if (call.isRequest()) {
            error(call.id(), METHOD_NOT_FOUND, "Method not found: " + call.method(), null);
        }
    }

    @Override
    final void refuseParameters(Message call, String why) {
        if (call.isRequest()) {
            error(call.id(), INVALID_PARAMS, "Invalid params: " + why, null);
        }
    }

    @Override
    final Question ask(JsonObject message) {
        JsonObject call = question(message);
        JsonPrimitive id = new JsonPrimitive(++asked);
        String method = JsonTree.string(call, "method", "");
        send(JsonTree.of("id", id, "method", method, "params", call.get("params")));
        return new Question(id.getAsString(), method);
    }

    /** The method and the params of a request to the client. */
    abstract JsonObject question(JsonObject message);

    final void result(JsonElement id, JsonElement value) {
        send(JsonTree.of("id", id, "result", value));
    }

    final void error(JsonElement id, int code, String message, @Nullable JsonElement data) {
        JsonObject error = JsonTree.of("code", code, "message", message);
        if (data != null) {
            error.add("data", data);
        }
        send(JsonTree.of("id", id, "error", error));
    }

    final void notification(String method, JsonElement params) {
        send(JsonTree.of("method", method, "params", params));
    }

    private void send(JsonObject message) {
        out.message(header ? JsonTree.merge(JsonTree.of("jsonrpc", "2.0"), message) : message);
    }

    static JsonArray array(JsonElement... elements) {
        JsonArray array = new JsonArray();
        for (JsonElement each : elements) {
            array.add(each);
        }
        return array;
    }
}
