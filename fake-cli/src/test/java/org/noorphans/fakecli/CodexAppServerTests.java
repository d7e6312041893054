/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Bench.SOON;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Persona;

class CodexAppServerTests {
    @TempDir
    private Path directory;

    private static FakeCliBuilder codex() {
        return FakeCli.persona(Persona.CODEX_APP_SERVER);
    }

    private static String call(int id, String method, String params) {
        return "{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    private static String thread(Wire wire) {
        wire.send(call(0, "initialize", "{\"clientInfo\":{\"name\":\"test\",\"title\":null,\"version\":\"1\"}}"))
                .response(0);
        wire.send("{\"method\":\"initialized\"}");
        wire.send(call(1, "thread/start", "{\"cwd\":\"/w\"}"));
        String thread = Wire.text(wire.response(1), "result", "thread", "id");
        assertThat(Wire.text(wire.receive(), "method")).isEqualTo("thread/started");
        return thread;
    }

    private static String turn(int id, String thread) {
        return call(
                id,
                "turn/start",
                "{\"threadId\":\"" + thread + "\",\"input\":[{\"type\":\"text\",\"text\":\"ping\"}]}");
    }

    private static JsonObject completed(Wire wire) {
        return wire.receive(
                message -> message.has("method") && Wire.text(message, "method").equals("turn/completed"));
    }

    @Test
    void a_turn_with_deltas_and_an_approval() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(codex().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("turn/start")
                    .ask(CodexAppServer.approveCommand("ls"), Map.of("decision", "accept"))
                    .notify(CodexAppServer.command("ls", "a\n", 0))
                    .notify(CodexAppServer.text("po"))
                    .notify(CodexAppServer.text("ng"))
                    .reply(CodexAppServer.completed()))));
            Wire wire = new Wire(bench.start(fake, "app-server"));

            String thread = thread(wire);
            wire.send(turn(2, thread));
            assertThat(Wire.text(wire.response(2), "result", "turn", "status")).isEqualTo("inProgress");
            JsonObject question = wire.receive(message -> message.has("method") && message.has("id"));
            assertThat(Wire.text(question, "method")).isEqualTo("item/commandExecution/requestApproval");
            wire.send("{\"id\":" + question.get("id") + ",\"result\":{\"decision\":\"accept\"}}");
            JsonObject end = completed(wire);
            wire.closeInput();

            assertThat(Wire.text(end, "params", "turn", "status")).isEqualTo("completed");
            CodexCheck.checked(wire.toTheEnd());
            assertThat(wire.transcript().toString()).contains("\"text\":\"pong\"");
            assertThat(fake.journal().awaitEnd(0, SOON).events())
                    .contains("answer item/commandExecution/requestApproval accept");
            fake.verify();
        }
    }

    @Test
    void an_interrupt_ends_the_turn() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(codex().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("turn/start")
                    .heartbeat(Duration.ofMillis(10), CodexAppServer.text("."))
                    .reply(CodexAppServer.completed()))));
            Wire wire = new Wire(bench.start(fake));

            String thread = thread(wire);
            String turn = Wire.text(wire.send(turn(2, thread)).response(2), "result", "turn", "id");
            wire.send(call(3, "turn/interrupt", "{\"threadId\":\"" + thread + "\",\"turnId\":\"" + turn + "\"}"));
            assertThat(wire.response(3).get("result").toString()).isEqualTo("{}");

            assertThat(Wire.text(completed(wire), "params", "turn", "status")).isEqualTo("interrupted");
            wire.closeInput();
            CodexCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void calls_before_initialize_are_refused_and_a_second_one_too() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(codex().attempt(a -> a.dialogue(
                    d -> d.handshake().expect("turn/start").fail(-32001, "Server overloaded; retry later."))));
            Wire wire = new Wire(bench.start(fake));

            assertThat(wire.send(call(7, "thread/start", "{}"))
                            .response(7)
                            .get("error")
                            .toString())
                    .isEqualTo("{\"code\":-32600,\"message\":\"Not initialized\"}");
            String thread = thread(wire);
            assertThat(Wire.text(
                            wire.send(call(8, "initialize", "{\"clientInfo\":{}}"))
                                    .response(8),
                            "error",
                            "message"))
                    .isEqualTo("Already initialized");
            assertThat(Wire.text(wire.send(turn(9, "other")).response(9), "error", "message"))
                    .isEqualTo("thread not found: other");
            assertThat(Wire.text(wire.send(turn(2, thread)).response(2), "error", "code"))
                    .isEqualTo("-32001");
            wire.closeInput();

            CodexCheck.checked(wire.toTheEnd());
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Exited(0));
            assertThat(fake.journal().awaitEnd(0, SOON).flags()).containsExactly("unexpected");
        }
    }

    @Test
    void a_turn_that_has_begun_fails_with_its_error() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(codex().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("turn/start")
                    .notify(CodexAppServer.text("p"))
                    .fail(0, "usage limit", Map.of("kind", "usageLimitExceeded")))));
            Wire wire = new Wire(bench.start(fake));

            String thread = thread(wire);
            wire.send(turn(2, thread)).response(2);
            JsonObject end = completed(wire);
            wire.closeInput();

            assertThat(Wire.text(end, "params", "turn", "status")).isEqualTo("failed");
            assertThat(Wire.text(end, "params", "turn", "error", "message")).isEqualTo("usage limit");
            CodexCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void a_thread_is_resumed_by_its_id_and_a_stall_answers_nothing() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(
                    codex().attempt(a -> a.dialogue(d -> d.handshake().expect("turn/start"))
                            .stall()
                            .dialogue(d -> d.reply(CodexAppServer.completed()))));
            Wire wire = new Wire(bench.start(fake));

            wire.send(call(0, "initialize", "{\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}"))
                    .response(0);
            wire.send(call(1, "thread/resume", "{\"threadId\":\"thr_1\"}"));
            assertThat(Wire.text(wire.response(1), "result", "thread", "id")).isEqualTo("thr_1");
            wire.send(turn(2, "thr_1")).response(2);
            wire.receive();
            fake.stall(0).awaitArrival(SOON);
            wire.send(call(3, "model/list", "{}"));
            assertThat(wire.isSilent()).isTrue();
            fake.stall(0).release();

            wire.response(3);
            completed(wire);
            wire.closeInput();
            CodexCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }
}
