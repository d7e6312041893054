/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.dialogue.JsonTree;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.DialogueStep;
import org.noorphans.fakecli.model.Step;

/**
 * Reads and writes the steps of dialogues.
 *
 * <p>JSON is written as a mapping or list, or, where that would not give the same text again, as its text.
 */
final class DialogueFile {
    private DialogueFile() {}

    /** Tells the name of each step and how it is read. */
    static void kinds(BiConsumer<String, Function<Tree, Step>> kinds) {
        kinds.accept("auto", DialogueFile::auto);
        kinds.accept("expect", DialogueFile::expect);
        kinds.accept("reply", DialogueFile::reply);
        kinds.accept("fail", DialogueFile::fail);
        kinds.accept("notify", value -> new DialogueStep.Notify(object(value, "notify")));
        kinds.accept("ask", DialogueFile::ask);
    }

    private static Step auto(Tree value) {
        String changes = "{}";
        if (value.isMap()) {
            Map<String, Tree> map = StepReader.keys(value, "auto", "handshake");
            changes = object(StepReader.need(value, map, "auto", "handshake"), "handshake");
        } else if (!value.text("auto").equals("handshake")) {
            throw new Tree.Refused(value, "auto must be handshake, but was " + value.shown());
        }
        return new DialogueStep.Auto(changes);
    }

    private static Step expect(Tree value) {
        if (!value.isMap()) {
            return new DialogueStep.Expect(value.text("expect"), Optional.empty());
        }
        Map<String, Tree> map = StepReader.keys(value, "expect", "method", "match");
        Tree match = map.get("match");
        return new DialogueStep.Expect(
                StepReader.need(value, map, "expect", "method").text("method"),
                match == null ? Optional.empty() : Optional.of(object(match, "match")));
    }

    private static Step reply(Tree value) {
        if (value.value() instanceof String text && (text.startsWith("{") || text.startsWith("["))) {
            JsonElement json = JsonTree.parse(text);
            boolean ignores = json instanceof JsonObject object && object.remove("cancel") != null;
            return new DialogueStep.Reply(
                    JsonText.of(json), ignores ? DialogueStep.OnCancel.IGNORE : DialogueStep.OnCancel.HONOUR);
        }
        if (!value.isMap()) {
            return new DialogueStep.Reply(JsonText.of(value.plain()), DialogueStep.OnCancel.HONOUR);
        }
        Map<String, Tree> map = new LinkedHashMap<>(value.map("reply"));
        Tree cancel = map.remove("cancel");
        DialogueStep.OnCancel onCancel = cancel == null
                ? DialogueStep.OnCancel.HONOUR
                : StepReader.choice(cancel, "cancel", DialogueStep.OnCancel.values());
        return new DialogueStep.Reply(JsonText.of(plain(map)), onCancel);
    }

    private static Step fail(Tree value) {
        Map<String, Tree> map = StepReader.keys(value, "fail", "code", "message", "data");
        Tree data = map.get("data");
        return new DialogueStep.Fail(
                StepReader.need(value, map, "fail", "code").whole("code"),
                StepReader.need(value, map, "fail", "message").text("message"),
                data == null ? Optional.empty() : Optional.of(JsonText.of(data.plain())));
    }

    private static Step ask(Tree value) {
        if (!value.isMap()) {
            JsonObject json = JsonTree.object(value.text("ask"));
            JsonElement answer = json.remove("answer");
            return new DialogueStep.Ask(
                    JsonText.of(json), Optional.ofNullable(answer).map(JsonText::of));
        }
        Map<String, Tree> map = new LinkedHashMap<>(value.map("ask"));
        Tree answer = map.remove("answer");
        return new DialogueStep.Ask(
                JsonText.of(plain(map)), answer == null ? Optional.empty() : Optional.of(object(answer, "answer")));
    }

    /** A heartbeat that tells something, where others print a line. */
    static Step heartbeat(Tree value) {
        Map<String, Tree> map = StepReader.keys(value, "heartbeat", "every", "notify", "count", "until");
        Tree count = map.get("count");
        Tree until = map.get("until");
        if (until != null && (count != null || !until.text("until").equals("killed"))) {
            throw new Tree.Refused(until, "a heartbeat has either a count or until: killed");
        }
        return new DialogueStep.Beat(
                StepReader.time(StepReader.need(value, map, "heartbeat", "every"), "every"),
                object(StepReader.need(value, map, "heartbeat", "notify"), "notify"),
                count == null ? OptionalInt.empty() : OptionalInt.of(count.whole("count")));
    }

    private static String object(Tree value, String what) {
        return value.isMap() || value.isList() ? JsonText.of(value.plain()) : value.text(what);
    }

    private static Map<String, @Nullable Object> plain(Map<String, Tree> map) {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        map.forEach((key, each) -> plain.put(key, each.plain()));
        return plain;
    }

    /** A step as its file form. */
    static Map<String, @Nullable Object> write(DialogueStep step) {
        if (step instanceof DialogueStep.Auto auto) {
            return StepWriter.map(
                    "auto",
                    auto.changes().equals("{}")
                            ? "handshake"
                            : StepWriter.map("handshake", StepWriter.json(auto.changes())));
        } else if (step instanceof DialogueStep.Expect expect) {
            if (expect.match().isEmpty()) {
                return StepWriter.map("expect", expect.method());
            }
            Map<String, @Nullable Object> map = StepWriter.map("method", expect.method());
            map.put("match", StepWriter.json(expect.match().get()));
            return StepWriter.map("expect", map);
        } else if (step instanceof DialogueStep.Reply reply) {
            return StepWriter.map("reply", with(reply.value(), "cancel", cancel(reply)));
        } else if (step instanceof DialogueStep.Fail fail) {
            Map<String, @Nullable Object> map = StepWriter.map("code", fail.code());
            map.put("message", fail.message());
            fail.data().ifPresent(data -> map.put("data", StepWriter.json(data)));
            return StepWriter.map("fail", map);
        } else if (step instanceof DialogueStep.Notify notify) {
            return StepWriter.map("notify", StepWriter.json(notify.message()));
        } else if (step instanceof DialogueStep.Ask ask) {
            return StepWriter.map(
                    "ask",
                    with(
                            ask.message(),
                            "answer",
                            ask.answer().map(StepWriter::json).orElse(null)));
        }
        DialogueStep.Beat beat = (DialogueStep.Beat) step;
        Map<String, @Nullable Object> map = StepWriter.map("every", DurationText.of(beat.every()));
        map.put("notify", StepWriter.json(beat.message()));
        if (beat.count().isPresent()) {
            map.put("count", beat.count().getAsInt());
        } else {
            map.put("until", "killed");
        }
        return StepWriter.map("heartbeat", map);
    }

    private static @Nullable Object cancel(DialogueStep.Reply reply) {
        return reply.onCancel() == DialogueStep.OnCancel.IGNORE ? "ignore" : null;
    }

    /** The value with one more member, if it is given; as text if only that gives the same again. */
    @SuppressWarnings("unchecked")
    private static @Nullable Object with(String json, String key, @Nullable Object value) {
        Object tree = StepWriter.json(json);
        if (value == null) {
            return tree;
        }
        if (!(tree instanceof Map)) {
            JsonObject object = JsonTree.parse(json) instanceof JsonObject one ? one : new JsonObject();
            object.add(key, JsonText.element(value));
            return JsonText.of(object);
        }
        ((Map<String, @Nullable Object>) tree).put(key, value);
        return tree;
    }
}
