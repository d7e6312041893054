/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.DialogueStep;
import org.noorphans.fakecli.model.Step;

/**
 * Collects the steps of an attempt that talks with its client. JSON is given as maps, lists, strings, numbers, booleans
 * and null.
 *
 * <pre>{@code
 * FakeCli.persona(Persona.ACP).attempt(a -> a.dialogue(d -> d.handshake()
 *         .expect("session/prompt")
 *         .ask(Acp.permission("call_1", "allow_once", "reject_once"))
 *         .notify(Acp.text("done"))
 *         .reply(Map.of("stopReason", "end_turn"))))
 * }</pre>
 *
 * <p>An attempt with such steps needs no end: after its last step the fake answers calls of the handshake until the
 * client closes standard input, and exits with 0.
 */
public final class Dialogue {
    private final Steps steps;

    Dialogue(Steps steps) {
        this.steps = steps;
    }

    /** Answers the persona's handshake, and calls like it until the end. */
    public Dialogue handshake() {
        return handshake(Map.of());
    }

    /**
     * Answers the persona's handshake with changes.
     *
     * @param changes by method, members that replace those of the fake's own answers
     */
    public Dialogue handshake(Map<String, ?> changes) {
        return add(() -> new DialogueStep.Auto(JsonText.of(changes)));
    }

    /** Waits for a call of this method. */
    public Dialogue expect(String method) {
        return add(() -> new DialogueStep.Expect(method, Optional.empty()));
    }

    /**
     * Waits for a call of this method whose parameters contain all of this; one with others is refused and flagged.
     *
     * @param match members that must be there; objects in it likewise, anything else must be equal
     */
    public Dialogue expect(String method, Map<String, ?> match) {
        return add(() -> new DialogueStep.Expect(method, Optional.of(JsonText.of(match))));
    }

    /** Answers the call expected last, or ends its turn; as cancelled, if the client has cancelled it. */
    public Dialogue reply(Map<String, ?> value) {
        return add(() -> new DialogueStep.Reply(JsonText.of(value), DialogueStep.OnCancel.HONOUR));
    }

    /** As {@link #reply}, and goes on to it as if no cancel had come. */
    public Dialogue replyIgnoringCancel(Map<String, ?> value) {
        return add(() -> new DialogueStep.Reply(JsonText.of(value), DialogueStep.OnCancel.IGNORE));
    }

    /** Answers the call expected last with an error, or ends its turn as failed. */
    public Dialogue fail(int code, String message) {
        return add(() -> new DialogueStep.Fail(code, message, Optional.empty()));
    }

    /** As {@link #fail(int, String)}, with more about it. */
    public Dialogue fail(int code, String message, Map<String, ?> data) {
        return add(() -> new DialogueStep.Fail(code, message, Optional.of(JsonText.of(data))));
    }

    /** Tells the client something: a short form of the persona, such as {@code Acp.text("pong")}, or a whole message. */
    public Dialogue notify(Map<String, ?> message) {
        return add(() -> new DialogueStep.Notify(JsonText.of(message)));
    }

    /** Tells the client something again and again, until the fake is ended or the turn cancelled. */
    public Dialogue heartbeat(Duration every, Map<String, ?> message) {
        return add(() -> new DialogueStep.Beat(every, JsonText.of(message), OptionalInt.empty()));
    }

    /** Tells the client something so many times. */
    public Dialogue heartbeat(Duration every, Map<String, ?> message, int count) {
        return add(() -> new DialogueStep.Beat(every, JsonText.of(message), OptionalInt.of(count)));
    }

    /** Asks the client something and waits for its answer. */
    public Dialogue ask(Map<String, ?> message) {
        return add(() -> new DialogueStep.Ask(JsonText.of(message), Optional.empty()));
    }

    /**
     * Asks the client something and flags any answer but this.
     *
     * @param answer what the answer must contain, as in {@link #expect(String, Map)}
     */
    public Dialogue ask(Map<String, ?> message, Map<String, ?> answer) {
        return add(() -> new DialogueStep.Ask(JsonText.of(message), Optional.of(JsonText.of(answer))));
    }

    /** Steps of other kinds in between: time, gates, descendants, output that is no message. */
    public Dialogue steps(Consumer<Steps> others) {
        others.accept(steps);
        return this;
    }

    /** Members in this order, so that equal steps are equal texts. */
    static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }

    private Dialogue add(Supplier<Step> step) {
        steps.add(step);
        return this;
    }
}
