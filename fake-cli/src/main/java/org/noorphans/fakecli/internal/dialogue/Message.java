/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;

/**
 * One line from the client, as its protocol reads it.
 *
 * @param kind what it is
 * @param method what it is about; of a malformed line, what is wrong with it
 * @param id the id with its JSON type; JSON null if it has none
 * @param params its parameters; of a response, the result, of an error response, the error
 */
record Message(Kind kind, String method, JsonElement id, JsonElement params) {
    /** The kinds of lines. */
    enum Kind {
        /** Wants an answer. */
        REQUEST,
        /** Wants none. */
        NOTIFICATION,
        /** Answers a request of the fake. */
        RESPONSE,
        /** Answers a request of the fake with an error. */
        ERROR_RESPONSE,
        /** Is none of these. */
        MALFORMED
    }

    static Message malformed(String problem, JsonElement id, int code) {
        return new Message(Kind.MALFORMED, problem, id, JsonTree.of("code", code));
    }

    boolean isRequest() {
        return kind == Kind.REQUEST;
    }

    boolean isResponse() {
        return kind == Kind.RESPONSE || kind == Kind.ERROR_RESPONSE;
    }

    boolean isCall() {
        return kind == Kind.REQUEST || kind == Kind.NOTIFICATION;
    }

    boolean hasId() {
        return !(id instanceof JsonNull);
    }
}
