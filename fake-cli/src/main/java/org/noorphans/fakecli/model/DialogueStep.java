/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.internal.check.Times;
import org.noorphans.fakecli.internal.dialogue.JsonTree;
import org.noorphans.fakecli.internal.json.JsonText;

/**
 * A step that talks with the client, line by line: it reads what the client writes and answers it.
 *
 * <p>An attempt with such a step is played by a JVM that the fake becomes, under the same process number. JSON is kept as
 * text on one line, so that steps are values.
 */
public sealed interface DialogueStep extends Step {
    /**
     * Answers what the persona's client always asks first, until a turn can begin, and goes on answering such calls
     * until the end of the attempt, except those that a later step expects.
     *
     * @param changes an object that holds, by method, members that replace those of the fake's own answers
     */
    record Auto(String changes) implements DialogueStep {
        public Auto {
            changes = object("auto", changes);
        }

        @Override
        public String describe() {
            return "auto handshake";
        }
    }

    /**
     * Waits for a call of the client. Another one that nothing answers is refused with the protocol's error and flagged.
     *
     * @param method the method; of Claude's control protocol, the subtype of the request, or {@code user}
     * @param match what the parameters must contain: an object of which each member must be there and match; lists and
     *     plain values must be equal
     */
    record Expect(String method, Optional<String> match) implements DialogueStep {
        public Expect {
            Texts.checkLine("expect", method);
            if (method.isBlank()) {
                throw new IllegalArgumentException("expect needs a method, but was given \"" + method + "\"");
            }
            match = match.map(text -> object("expect " + method + ", match", text));
        }

        @Override
        public String describe() {
            return "expect " + method;
        }
    }

    /**
     * Answers the call that was expected last; for a turn, ends it.
     *
     * @param value the result; of a turn, members of what ends it
     * @param onCancel what to do if the client has cancelled the turn
     */
    record Reply(String value, OnCancel onCancel) implements DialogueStep {
        public Reply {
            JsonElement parsed = parsed("reply", value);
            refuseMember("reply", parsed, "cancel");
            value = JsonText.of(parsed);
            Objects.requireNonNull(onCancel, "onCancel");
        }
    }

    /** What a reply does about a cancel that has come before it. */
    enum OnCancel {
        /** The cancel ends what the fake is doing, and the reply says that the turn was cancelled. */
        HONOUR,
        /** The fake goes on, and replies as if nothing had come. */
        IGNORE
    }

    /**
     * Answers the call that was expected last with an error; ends a turn as failed.
     *
     * @param code the protocol's number; of Claude, the HTTP status in the result
     * @param message what went wrong
     * @param data more about it, any JSON value
     */
    record Fail(int code, String message, Optional<String> data) implements DialogueStep {
        public Fail {
            Texts.check("fail", message);
            data = data.map(text -> JsonText.of(parsed("fail, data", text)));
        }

        @Override
        public String describe() {
            return "fail " + code;
        }
    }

    /**
     * Tells the client something.
     *
     * @param message an object: one of the persona's short forms, such as {@code {"text":"pong"}}, or a whole message
     */
    record Notify(String message) implements DialogueStep {
        public Notify {
            message = object("notify", message);
        }
    }

    /**
     * Asks the client something and waits for its answer, whatever it is.
     *
     * @param message an object: one of the persona's short forms, such as {@code {"permission":{…}}}, or a whole request
     * @param answer what the answer must contain, as in {@link Expect}; another one is flagged
     */
    record Ask(String message, Optional<String> answer) implements DialogueStep {
        public Ask {
            message = object("ask", message);
            refuseMember("ask", parsed("ask", message), "answer");
            answer = answer.map(text -> object("ask, answer", text));
        }
    }

    /**
     * Tells the client the same thing again and again.
     *
     * @param every the time between two; one millisecond to ten minutes
     * @param message as in {@link Notify}
     * @param count how often; empty means until the fake is ended or the turn cancelled
     */
    record Beat(Duration every, String message, OptionalInt count) implements DialogueStep {
        public Beat {
            Times.check("heartbeat, every", every, Duration.ofMillis(1));
            message = object("heartbeat, notify", message);
            if (count.isPresent() && count.getAsInt() < 1) {
                throw new IllegalArgumentException("heartbeat, count must be at least 1, but was " + count.getAsInt());
            }
        }

        @Override
        public String describe() {
            return "heartbeat";
        }
    }

    private static String object(String what, String text) {
        JsonElement value = parsed(what, text);
        if (!(value instanceof JsonObject)) {
            throw new IllegalArgumentException(what + " needs one object, {…}, but was given: " + text);
        }
        return JsonText.of(value);
    }

    /** In files this name stands for something else. */
    private static void refuseMember(String what, JsonElement value, String name) {
        if (value instanceof JsonObject object && object.has(name)) {
            throw new IllegalArgumentException(
                    what + " cannot have a member \"" + name + "\": there it says what to do");
        }
    }

    private static JsonElement parsed(String what, String text) {
        Texts.check(what, text);
        try {
            return JsonTree.parse(text);
        } catch (JsonParseException e) {
            throw new IllegalArgumentException(what + " is not JSON: " + e.getMessage(), e);
        }
    }
}
