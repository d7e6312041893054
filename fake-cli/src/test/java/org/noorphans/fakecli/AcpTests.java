/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Bench.SOON;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;

class AcpTests {
    @TempDir
    private Path directory;

    private static FakeCliBuilder acp() {
        return FakeCli.persona(Persona.ACP);
    }

    private static String initialize(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"initialize\",\"params\":{\"protocolVersion\":1,"
                + "\"clientCapabilities\":{\"fs\":{\"readTextFile\":false,\"writeTextFile\":false}}}}";
    }

    private static String newSession(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"method\":\"session/new\",\"params\":{\"cwd\":\"/w\",\"mcpServers\":[]}}";
    }

    private static String prompt(Object id, String session) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"session/prompt\",\"params\":{\"sessionId\":\""
                + session + "\",\"prompt\":[{\"type\":\"text\",\"text\":\"ping\"}]}}";
    }

    private static String cancel(String session) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"" + session + "\"}}";
    }

    private static String handshake(Wire wire) {
        wire.send(initialize(0)).response(0);
        wire.send(newSession(1));
        return Wire.text(wire.response(1), "result", "sessionId");
    }

    @Test
    void a_turn_with_a_permission_request() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .notify(Acp.thought("hm"))
                    .notify(Acp.tool("call_1"))
                    .ask(Acp.permission("call_1", "allow_once", "reject_once"))
                    .notify(Acp.toolDone("call_1"))
                    .notify(Acp.text("done"))
                    .reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            String session = handshake(wire);
            wire.send(prompt(2, session));
            JsonObject question = wire.receive(message -> message.has("method") && message.has("id"));
            assertThat(Wire.text(question, "method")).isEqualTo("session/request_permission");
            assertThat(wire.isSilent()).isTrue();
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":" + question.get("id")
                    + ",\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"allow_once\"}}}");
            JsonObject answer = wire.response(2);
            wire.closeInput();
            List<Wire.Entry> transcript = wire.toTheEnd();

            assertThat(Wire.text(answer, "result", "stopReason")).isEqualTo("end_turn");
            AcpCheck.checked(transcript);
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.end()).isEqualTo(new End.Exited(0));
            assertThat(call.events())
                    .containsExactly(
                            "auto initialize",
                            "auto session/new",
                            "handshake",
                            "expect session/prompt",
                            "ask session/request_permission",
                            "answer session/request_permission allow_once",
                            "reply",
                            "eof");
            fake.verify();
        }
    }

    @Test
    void heartbeats_without_first_output_until_killed() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .heartbeat(Duration.ofMillis(20), Map.of("sessionUpdate", "usage_update")))));
            Process process = bench.start(fake);
            Wire wire = new Wire(process);

            String session = handshake(wire);
            wire.send(prompt(2, session));
            for (int i = 0; i < 3; i++) {
                assertThat(Wire.text(wire.receive(), "params", "update", "sessionUpdate"))
                        .isEqualTo("usage_update");
            }
            process.destroy();

            // By the signal itself, as every fake that says nothing about it.
            assertThat(Bench.code(process)).isEqualTo(128 + 15);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
            AcpCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void a_cancel_ends_what_the_agent_is_doing_and_answers_the_prompt_as_cancelled() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .heartbeat(Duration.ofMillis(10), Acp.text("."))
                    .notify(Acp.text("never"))
                    .reply(Acp.endTurn())
                    .expect("session/prompt")
                    .reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            String session = handshake(wire);
            wire.send(prompt("\"p1\"", session));
            wire.receive();
            wire.send(cancel(session));
            assertThat(Wire.text(wire.response("\"p1\""), "result", "stopReason"))
                    .isEqualTo("cancelled");
            wire.send(prompt("\"p2\"", session));
            assertThat(Wire.text(wire.response("\"p2\""), "result", "stopReason"))
                    .isEqualTo("end_turn");
            // Too late, which a client cannot know.
            wire.send(cancel(session));
            wire.closeInput();

            assertThat(wire.toTheEnd().toString()).doesNotContain("never");
            AcpCheck.checked(wire.transcript());
            assertThat(fake.journal().awaitEnd(0, SOON).events())
                    .containsSubsequence("cancel", "reply cancelled", "reply", "auto session/cancel");
            fake.verify();
        }
    }

    @Test
    void a_cancel_while_the_agent_waits_for_permission() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .ask(Acp.permission("call_1", "allow_once"))
                    .reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            String session = handshake(wire);
            wire.send(prompt(2, session));
            JsonObject question = wire.receive(message -> message.has("method") && message.has("id"));
            wire.send(cancel(session));
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":" + question.get("id")
                    + ",\"result\":{\"outcome\":{\"outcome\":\"cancelled\"}}}");

            assertThat(Wire.text(wire.response(2), "result", "stopReason")).isEqualTo("cancelled");
            wire.closeInput();
            AcpCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void a_cancel_that_is_not_honoured() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .steps(s -> s.gate("cancelled"))
                    .notify(Acp.text("anyway"))
                    .replyIgnoringCancel(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            String session = handshake(wire);
            wire.send(prompt(2, session));
            wire.send(cancel(session));
            fake.journal().awaitEvent(0, "cancel ignored", SOON);
            fake.gate("cancelled").release();

            assertThat(Wire.text(wire.response(2), "result", "stopReason")).isEqualTo("end_turn");
        }
    }

    @Test
    void ids_keep_their_json_type() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a ->
                    a.dialogue(d -> d.handshake().expect("session/prompt").reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            assertThat(wire.send(initialize("\"0\"")).receive().get("id").toString())
                    .isEqualTo("\"0\"");
            wire.send(newSession("9007199254740993"));
            JsonObject created = wire.receive();
            assertThat(created.get("id").toString()).isEqualTo("9007199254740993");
            wire.send(prompt("1.0", Wire.text(created, "result", "sessionId")));
            assertThat(wire.receive().get("id").toString()).isEqualTo("1.0");
            wire.closeInput();
            AcpCheck.checked(wire.toTheEnd());
        }
    }

    @Test
    void a_session_is_loaded_by_its_id() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .notify(Acp.text("again"))
                    .reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            wire.send(initialize(0)).response(0);
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/load\",\"params\":{\"sessionId\":\"old\","
                    + "\"cwd\":\"/w\",\"mcpServers\":[]}}");
            // An object, because consumers wait for one.
            assertThat(wire.response(1).get("result").isJsonObject()).isTrue();
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/set_mode\",\"params\":{\"sessionId\":\"old\","
                    + "\"modeId\":\"code\"}}");
            wire.response(2);
            wire.send(prompt(3, "old"));
            assertThat(Wire.text(wire.receive(), "params", "sessionId")).isEqualTo("old");
            wire.response(3);
            wire.closeInput();
            AcpCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void a_prompt_can_fail() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("session/prompt")
                    .fail(-32603, "upstream closed", Map.of("retryable", true)))));
            Wire wire = new Wire(bench.start(fake));

            String session = handshake(wire);
            JsonObject error = wire.send(prompt(2, session)).response(2).getAsJsonObject("error");
            wire.closeInput();

            assertThat(error.toString())
                    .isEqualTo("{\"code\":-32603,\"message\":\"upstream closed\",\"data\":{\"retryable\":true}}");
            AcpCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void the_handshake_can_be_changed_and_calls_can_be_expected_one_by_one() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().name("gemini")
                    .attempt(a -> a.dialogue(d -> d.handshake(Map.of(
                                    "initialize", Map.of("agentCapabilities", Map.of("loadSession", false)),
                                    "session/new", Map.of("sessionId", "sess_1")))
                            .expect("session/prompt")
                            .reply(Acp.endTurn())))
                    .attempt(a -> a.dialogue(d -> d.expect("initialize", Map.of("protocolVersion", 1))
                            .fail(-32000, "Authentication required"))));
            Wire first = new Wire(bench.start(fake));

            JsonObject initialized = first.send(initialize(0)).response(0).getAsJsonObject("result");
            assertThat(Wire.text(initialized, "agentCapabilities", "loadSession"))
                    .isEqualTo("false");
            assertThat(initialized.getAsJsonObject("agentCapabilities").has("promptCapabilities"))
                    .isTrue();
            assertThat(Wire.text(first.send(newSession(1)).response(1), "result", "sessionId"))
                    .isEqualTo("sess_1");
            first.send(prompt(2, "sess_1")).response(2);
            first.closeInput();
            AcpCheck.checked(first.toTheEnd());

            Wire second = new Wire(bench.start(fake));
            assertThat(Wire.text(second.send(initialize(0)).response(0), "error", "code"))
                    .isEqualTo("-32000");
            second.closeInput();
            AcpCheck.checked(second.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void what_nobody_expects_is_refused_and_flagged() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a ->
                    a.dialogue(d -> d.handshake().expect("session/prompt").reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            // Before the handshake, without parameters, of an unknown method, for an unknown session.
            assertThat(code(wire.send(newSession(90)).response(90))).isEqualTo(-32600);
            assertThat(code(wire.send("{\"jsonrpc\":\"2.0\",\"id\":91,\"method\":\"initialize\"}")
                            .response(91)))
                    .isEqualTo(-32602);
            String session = handshake(wire);
            assertThat(code(wire.send("{\"jsonrpc\":\"2.0\",\"id\":92,\"method\":\"session/dance\",\"params\":{}}")
                            .response(92)))
                    .isEqualTo(-32601);
            assertThat(code(wire.send(prompt(93, "other")).response(93))).isEqualTo(-32002);
            wire.send("{\"jsonrpc\":\"2.0\",\"method\":\"session/note\",\"params\":{}}");
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":\"77\",\"result\":{}}");
            wire.send(prompt(2, session)).response(2);
            wire.closeInput();
            AcpCheck.checked(wire.toTheEnd());

            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.flags()).containsExactly("unexpected");
            assertThat(call.events())
                    .contains(
                            "unexpected session/dance",
                            "unexpected session/prompt: unknown session",
                            "unexpected session/note",
                            "unexpected response 77");
            assertThat(call.end()).isEqualTo(new End.Exited(0));
        }
    }

    @Test
    void what_is_malformed_is_answered_with_the_error_for_it_and_the_dialogue_goes_on() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(acp().attempt(a ->
                    a.dialogue(d -> d.handshake().expect("session/prompt").reply(Acp.endTurn()))));
            Wire wire = new Wire(bench.start(fake));

            assertThat(code(wire.raw("hello\n").receive())).isEqualTo(-32700);
            assertThat(code(wire.raw("{\"jsonrpc\":\"2.0\",\"id\":1,}\n").receive()))
                    .isEqualTo(-32700);
            assertThat(code(wire.raw("{'jsonrpc':'2.0'}\n").receive())).isEqualTo(-32700);
            assertThat(code(wire.raw("\u00ff[\n").receive())).isEqualTo(-32700);
            assertThat(code(wire.raw("[]\n").receive())).isEqualTo(-32600);
            assertThat(code(wire.raw("{}\n").receive())).isEqualTo(-32600);
            assertThat(wire.raw("{\"id\":5,\"method\":\"initialize\"}\n")
                            .receive()
                            .toString())
                    .contains("\"id\":5", "-32600");
            String session = handshake(wire);
            wire.raw("\r\n \n");
            wire.send(prompt(2, session)).response(2);
            wire.closeInput();

            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.flags()).containsExactly("malformed");
            assertThat(call.events()).contains("malformed: not JSON", "malformed: not an object");
            assertThat(call.end()).isEqualTo(new End.Exited(0));
        }
    }

    private static int code(JsonObject response) {
        return response.getAsJsonObject("error").get("code").getAsInt();
    }
}
