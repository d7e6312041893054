/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A persona's side of its protocol: reads lines, writes answers, and keeps what a real agent would have to remember.
 *
 * <p>It decides nothing: what is expected, answered or refused, and when, is the {@link Player}'s part. Words here: a
 * <em>turn</em> is the client's main request, which ends with a reply or a failure; everything else is answered at once.
 */
abstract class Protocol {
    final Output out;
    final Setup setup;
    private JsonObject handshakeChanges = new JsonObject();

    Protocol(Output out, Setup setup) {
        this.out = out;
        this.setup = setup;
    }

    /** The protocol of this name. */
    static Protocol of(String name, Output out, Setup setup) {
        return switch (name) {
            case "acp" -> new Acp(out, setup);
            case "claude-control" -> new ClaudeControl(out, setup);
            case "codex-app-server" -> new CodexAppServer(out, setup);
            default -> throw new IllegalArgumentException("no protocol " + name);
        };
    }

    /** Members that replace those of the automatic answers of the handshake. */
    void changeHandshake(JsonObject changes) {
        handshakeChanges = changes;
    }

    /** An answer of the handshake with the changes of the scenario for this method. */
    final JsonObject changed(String method, JsonObject answer) {
        return handshakeChanges.get(method) instanceof JsonObject changes ? JsonTree.merge(answer, changes) : answer;
    }

    /** What a line says. Never fails: what cannot be read is malformed. */
    abstract Message read(String line);

    /** Answers what cannot be read; the exit code if a real program ends then, else -1. */
    abstract int malformed(Message message);

    /** Answers a call of the handshake, or any other that has one plain answer; false if it is none of these. */
    abstract boolean answer(Message call);

    /** Whether the handshake is complete, so that a turn can begin. */
    abstract boolean isReady();

    /** Whether a client may begin with this call, without a handshake. */
    boolean mayComeFirst(Message call) {
        return false;
    }

    /** Refuses a call that nobody expected. A notification has no answer. */
    abstract void refuse(Message call);

    /** Refuses a call whose parameters are not those expected. */
    abstract void refuseParameters(Message call, String why);

    /** Answers an expected call with an error if its parameters cannot be right; what is wrong, or null. */
    @Nullable
    String check(Message call) {
        return null;
    }

    /**
     * An expected call has come.
     *
     * @param fails whether the scenario answers it with a failure and nothing before
     */
    abstract void begin(Message call, boolean fails);

    /** Whether the call asks for the end of the turn that is open. */
    abstract boolean isCancel(Message call);

    /** Answers such a call, if it wants an answer. */
    abstract void acceptCancel(Message call);

    /** Answers the expected call; as cancelled, if the client has cancelled it. */
    abstract void reply(JsonElement value, boolean cancelled);

    /** Answers the expected call with an error. */
    abstract void fail(int code, String message, @Nullable JsonElement data);

    /** Sends what wants no answer. */
    abstract void tell(JsonObject message);

    /** Sends a request; its id. */
    abstract Question ask(JsonObject message);

    /** What a response means, in a word or two, for the record: the decision, not the data. */
    abstract String gist(Message response);

    /**
     * A request to the client.
     *
     * @param id its id as text
     * @param method what it asks
     */
    record Question(String id, String method) {}
}
