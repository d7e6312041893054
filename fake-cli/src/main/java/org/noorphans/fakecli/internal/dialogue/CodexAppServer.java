/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of {@code codex app-server}: JSON-RPC without the member {@code jsonrpc}. A turn is answered when it
 * begins, and ends with the notification {@code turn/completed}.
 */
final class CodexAppServer extends JsonRpc {
    private final Set<String> threads = new HashSet<>();
    private boolean initialized;
    private int createdThreads;
    private int createdTurns;
    private int createdItems;
    private String thread;
    private String turn = "";
    private boolean turnOpen;
    private @Nullable Message pending;
    private @Nullable String item;
    private String itemText = "";

    CodexAppServer(Output out, Setup setup) {
        super(out, setup, false);
        thread = setup.session();
    }

    @Override
    boolean answer(Message call) {
        if (!call.isRequest()) {
            return call.method().equals("initialized");
        }
        if (call.method().equals("initialize")) {
            if (initialized) {
                error(call.id(), INVALID_REQUEST, "Already initialized", null);
            } else if (!(call.params() instanceof JsonObject params)
                    || !(params.get("clientInfo") instanceof JsonObject)) {
                error(call.id(), INVALID_REQUEST, "Invalid request: missing field `clientInfo`", null);
            } else {
                initialized = true;
                result(call.id(), changed("initialize", JsonTree.of("userAgent", "fake/0.139.0")));
            }
            return true;
        }
        if (!initialized) {
            return false;
        }
        switch (call.method()) {
            case "thread/start" -> {
                createdThreads++;
                startThread(call, createdThreads == 1 ? setup.session() : setup.session() + "-" + createdThreads, true);
            }
            case "thread/fork" -> {
                createdThreads++;
                startThread(call, setup.session() + "-" + createdThreads, true);
            }
            case "thread/resume" -> {
                String id = JsonTree.string(call.params(), "threadId");
                if (id == null) {
                    error(call.id(), INVALID_REQUEST, "Invalid request: missing field `threadId`", null);
                } else {
                    startThread(call, id, false);
                }
            }
            case "model/list", "thread/list", "thread/loaded/list", "skills/list", "mcpServerStatus/list" ->
                result(call.id(), changed(call.method(), JsonTree.of("data", new JsonArray(), "nextCursor", null)));
            case "turn/interrupt" -> error(call.id(), INVALID_REQUEST, "no active turn to interrupt", null);
            case "thread/archive", "thread/name/set" -> result(call.id(), changed(call.method(), new JsonObject()));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void startThread(Message call, String id, boolean tells) {
        String cwd = JsonTree.string(call.params(), "cwd", setup.cwd());
        String model = JsonTree.string(call.params(), "model", setup.model());
        JsonObject answer = changed(
                call.method(),
                JsonTree.of(
                        "thread",
                        JsonTree.of(
                                "id",
                                id,
                                "preview",
                                "",
                                "modelProvider",
                                "openai",
                                "createdAt",
                                0,
                                "cwd",
                                cwd,
                                "turns",
                                new JsonArray()),
                        "model",
                        model,
                        "modelProvider",
                        "openai",
                        "cwd",
                        cwd,
                        "approvalPolicy",
                        JsonTree.string(call.params(), "approvalPolicy", "on-request"),
                        "sandbox",
                        JsonTree.of("type", "readOnly"),
                        "reasoningEffort",
                        null));
        JsonElement description = answer.get("thread");
        thread = JsonTree.string(description, "id", id);
        threads.add(thread);
        result(call.id(), answer);
        if (tells) {
            notification("thread/started", JsonTree.of("thread", description));
        }
    }

    @Override
    boolean isReady() {
        return !threads.isEmpty();
    }

    @Override
    void refuse(Message call) {
        if (call.isRequest()) {
            String why = initialized ? "Invalid request: unknown method `" + call.method() + "`" : "Not initialized";
            error(call.id(), INVALID_REQUEST, why, null);
        }
    }

    @Override
    @Nullable
    String check(Message call) {
        if (!call.method().equals("turn/start")) {
            return null;
        }
        String id = JsonTree.string(call.params(), "threadId");
        if (id == null || !threads.contains(id)) {
            error(call.id(), INVALID_REQUEST, "thread not found: " + id, null);
            return "unknown thread";
        }
        if (!(call.params().getAsJsonObject().get("input") instanceof JsonArray)) {
            error(call.id(), INVALID_REQUEST, "Invalid request: missing field `input`", null);
            return "input is not an array";
        }
        return null;
    }

    @Override
    void begin(Message call, boolean fails) {
        thread = JsonTree.string(call.params(), "threadId", thread);
        if (!call.isRequest()) {
            return;
        }
        pending = call;
        if (call.method().equals("turn/start")) {
            turn = "turn_" + setup.pid() + "_" + ++createdTurns;
            turnOpen = false;
            if (!fails) {
                openTurn(call);
            }
        }
    }

    private void openTurn(Message call) {
        turnOpen = true;
        result(call.id(), JsonTree.of("turn", turn("inProgress", JsonNull.INSTANCE)));
        notification("turn/started", JsonTree.of("threadId", thread, "turn", turn("inProgress", JsonNull.INSTANCE)));
    }

    private JsonObject turn(String status, JsonElement error) {
        return JsonTree.of("id", turn, "status", status, "items", new JsonArray(), "error", error);
    }

    @Override
    boolean isCancel(Message call) {
        return turnOpen
                && call.isRequest()
                && call.method().equals("turn/interrupt")
                && turn.equals(JsonTree.string(call.params(), "turnId"));
    }

    @Override
    void acceptCancel(Message call) {
        result(call.id(), new JsonObject());
    }

    @Override
    void reply(JsonElement value, boolean cancelled) {
        Message call = pending;
        pending = null;
        if (turnOpen) {
            JsonElement error =
                    value instanceof JsonObject object && object.has("error") ? object.get("error") : JsonNull.INSTANCE;
            completeTurn(cancelled ? "interrupted" : JsonTree.string(value, "status", "completed"), error);
        } else if (call != null) {
            initialized |= call.method().equals("initialize");
            if (call.method().startsWith("thread/") && value instanceof JsonObject object && object.has("thread")) {
                thread = JsonTree.string(object.get("thread"), "id", thread);
                threads.add(thread);
            }
            result(call.id(), value);
        }
    }

    @Override
    void fail(int code, String message, @Nullable JsonElement data) {
        Message call = pending;
        pending = null;
        if (turnOpen) {
            completeTurn("failed", JsonTree.of("message", message, "codexErrorInfo", data));
        } else if (call != null) {
            error(call.id(), code, message, data);
        }
    }

    private void completeTurn(String status, JsonElement error) {
        completeItem();
        turnOpen = false;
        notification("turn/completed", JsonTree.of("threadId", thread, "turn", turn(status, error)));
    }

    @Override
    void tell(JsonObject message) {
        String method = JsonTree.string(message, "method");
        if (method != null) {
            notification(method, params(message));
            return;
        }
        String name = message.keySet().iterator().next();
        JsonElement value = message.get(name);
        switch (name) {
            case "text" -> delta(value.getAsString());
            case "message" -> {
                if (item == null) {
                    startItem();
                }
                itemText = value.getAsString();
                completeItem();
            }
            case "command" -> command(value.getAsJsonObject());
            case "usage" ->
                notification(
                        "thread/tokenUsage/updated",
                        JsonTree.of("threadId", thread, "turnId", turn, "tokenUsage", value));
            default -> throw new IllegalArgumentException("no message " + name);
        }
    }

    private void startItem() {
        item = "item_" + setup.pid() + "_" + ++createdItems;
        itemText = "";
        item("item/started", message());
    }

    private void delta(String text) {
        if (item == null) {
            startItem();
        }
        itemText = itemText.concat(text);
        notification(
                "item/agentMessage/delta",
                JsonTree.of("threadId", thread, "turnId", turn, "itemId", item, "delta", text));
    }

    private void completeItem() {
        if (item != null) {
            item("item/completed", message());
            item = null;
        }
    }

    private JsonObject message() {
        return JsonTree.of("type", "agentMessage", "id", item, "text", itemText);
    }

    private void item(String method, JsonObject description) {
        notification(method, JsonTree.of("threadId", thread, "turnId", turn, "item", description));
    }

    private void command(JsonObject given) {
        completeItem();
        String id = JsonTree.string(given, "id", "item_" + setup.pid() + "_" + ++createdItems);
        JsonObject begun = JsonTree.of(
                "type",
                "commandExecution",
                "id",
                id,
                "command",
                given.get("command"),
                "cwd",
                JsonTree.string(given, "cwd", setup.cwd()),
                "status",
                "inProgress",
                "aggregatedOutput",
                null,
                "exitCode",
                null);
        item("item/started", begun);
        JsonObject done = JsonTree.of(
                "status",
                JsonTree.string(given, "status", "completed"),
                "aggregatedOutput",
                given.get("output"),
                "exitCode",
                given.has("exitCode")
                        ? given.get("exitCode")
                        : JsonTree.of("code", 0).get("code"));
        item("item/completed", JsonTree.merge(begun.deepCopy(), done));
    }

    @Override
    JsonObject question(JsonObject message) {
        String method = JsonTree.string(message, "method");
        if (method != null) {
            return JsonTree.of("method", method, "params", params(message));
        }
        String name = message.keySet().iterator().next();
        JsonObject value = message.getAsJsonObject(name).deepCopy();
        String itemId = JsonTree.string(value, "id", "item_" + setup.pid() + "_" + ++createdItems);
        value.remove("id");
        JsonObject params = JsonTree.of("threadId", thread, "turnId", turn, "itemId", itemId);
        return switch (name) {
            case "command" ->
                JsonTree.of(
                        "method",
                        "item/commandExecution/requestApproval",
                        "params",
                        JsonTree.merge(JsonTree.merge(params, JsonTree.of("reason", null, "cwd", setup.cwd())), value));
            case "fileChange" ->
                JsonTree.of(
                        "method",
                        "item/fileChange/requestApproval",
                        "params",
                        JsonTree.merge(JsonTree.merge(params, JsonTree.of("reason", null)), value));
            case "userInput" ->
                JsonTree.of("method", "item/tool/requestUserInput", "params", JsonTree.merge(params, value));
            default -> throw new IllegalArgumentException("no question " + name);
        };
    }

    private static JsonElement params(JsonObject message) {
        return message.has("params") ? message.get("params") : new JsonObject();
    }

    @Override
    String gist(Message response) {
        return JsonTree.string(response.params(), "decision", "");
    }
}
