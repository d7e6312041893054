/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Bench.SOON;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;

class ClaudeControlTests {
    private static final String USER = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"ping\"},"
            + "\"parent_tool_use_id\":null,\"session_id\":\"default\"}";

    @TempDir
    private Path directory;

    private static FakeCliBuilder claude() {
        return FakeCli.persona(Persona.CLAUDE);
    }

    private static String control(String id, String request) {
        return "{\"type\":\"control_request\",\"request_id\":\"" + id + "\",\"request\":" + request + "}";
    }

    /** As the SDKs begin: nothing else is sent before the answer. */
    private static JsonObject initialize(Wire wire) {
        wire.send(control("req_1_ab12", "{\"subtype\":\"initialize\",\"hooks\":null}"));
        JsonObject answer = wire.receive();
        assertThat(Wire.text(answer, "response", "request_id")).isEqualTo("req_1_ab12");
        return answer;
    }

    @Test
    void a_turn_of_an_sdk_with_a_tool_permission() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("user")
                    .steps(s -> s.say(init()))
                    .notify(ClaudeControl.delta("po"))
                    .notify(ClaudeControl.tool("toolu_1", "Bash", Map.of("command", "ls")))
                    .ask(ClaudeControl.permission("Bash", Map.of("command", "ls")), Map.of("behavior", "allow"))
                    .notify(ClaudeControl.toolResult("toolu_1", "a"))
                    .notify(ClaudeControl.text("pong"))
                    .reply(Map.of()))));
            Process process = bench.start(fake, "-p", "--input-format", "stream-json", "--session-id", "s-1");
            Wire wire = new Wire(process);

            assertThat(Wire.text(initialize(wire), "response", "subtype")).isEqualTo("success");
            wire.send(control("req_2", "{\"subtype\":\"set_permission_mode\",\"mode\":\"plan\"}"));
            wire.receive();
            wire.send(USER);
            assertThat(Wire.text(wire.receive(), "session_id")).isEqualTo("s-1");
            JsonObject question =
                    wire.receive(message -> Wire.text(message, "type").equals("control_request"));
            assertThat(Wire.text(question, "request", "subtype")).isEqualTo("can_use_tool");
            wire.send("{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\""
                    + Wire.text(question, "request_id")
                    + "\",\"response\":{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}}}");
            JsonObject result =
                    wire.receive(message -> Wire.text(message, "type").equals("result"));
            assertThat(Wire.text(result, "result")).isEqualTo("pong");
            assertThat(Wire.text(result, "session_id")).isEqualTo("s-1");

            assertThat(stop(process, wire)).isZero();
            ClaudeCheck.checked(wire.toTheEnd());
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.end()).isEqualTo(new End.Exited(0));
            assertThat(call.events())
                    .containsSubsequence(
                            "auto initialize",
                            "handshake",
                            "auto set_permission_mode",
                            "expect user",
                            "ask can_use_tool",
                            "answer can_use_tool allow",
                            "reply",
                            "eof");
            fake.verify();
        }
    }

    /** The SDKs' way to stop a program: close its input, give it 5 s, TERM, 5 s more, KILL. */
    private static int stop(Process process, Wire wire) {
        wire.closeInput();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroy();
                if (!process.waitFor(5, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
            return Bench.code(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void phrases_of_the_persona_can_be_said_and_a_client_may_begin_without_a_handshake() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(a -> a.dialogue(
                            d -> d.handshake().expect("user"))
                    .say(init())
                    .say(text("one"))
                    .say(success("one"))
                    .dialogue(d ->
                            d.expect("user").notify(ClaudeControl.text("two")).reply(ClaudeControl.result("2")))
                    .exit(0)));
            Wire wire = new Wire(bench.start(fake, "--resume", "it's \"me\" \\"));

            wire.send(USER);
            wire.receive(message -> Wire.text(message, "type").equals("result"));
            wire.send(USER);
            JsonObject result =
                    wire.receive(message -> Wire.text(message, "type").equals("result"));

            assertThat(Wire.text(result, "result")).isEqualTo("2");
            assertThat(Wire.text(result, "num_turns")).isEqualTo("2");
            assertThat(Wire.text(result, "session_id")).isEqualTo("it's \"me\" \\");
            ClaudeCheck.checked(wire.toTheEnd());
            fake.verify();
        }
    }

    @Test
    void an_interrupt_is_answered_and_ends_the_turn() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(a -> a.dialogue(d -> d.handshake()
                    .expect("user")
                    .steps(s -> s.say(init()))
                    .ask(ClaudeControl.permission("Bash", Map.of()))
                    .notify(ClaudeControl.text("never"))
                    .reply(Map.of())
                    .expect("user")
                    .fail(529, "API Error: Overloaded"))));
            Process process = bench.start(fake);
            Wire wire = new Wire(process);

            initialize(wire);
            wire.send(USER);
            JsonObject question =
                    wire.receive(message -> Wire.text(message, "type").equals("control_request"));
            wire.send(control("req_2", "{\"subtype\":\"interrupt\"}"));
            assertThat(Wire.text(wire.receive(), "response", "request_id")).isEqualTo("req_2");
            assertThat(Wire.text(wire.receive(), "request_id")).isEqualTo(Wire.text(question, "request_id"));
            assertThat(Wire.text(wire.receive(), "subtype")).isEqualTo("error_during_execution");
            wire.send(USER);
            JsonObject failure = wire.receive();
            assertThat(Wire.text(failure, "is_error")).isEqualTo("true");
            assertThat(Wire.text(failure, "api_error_status")).isEqualTo("529");
            // Nothing runs any more: answered, and no mistake.
            wire.send(control("req_3", "{\"subtype\":\"interrupt\"}"));
            wire.receive();

            assertThat(stop(process, wire)).isZero();
            ClaudeCheck.checked(wire.toTheEnd());
            assertThat(wire.transcript().toString()).doesNotContain("never");
            fake.verify();
        }
    }

    @Test
    void who_waits_for_an_answer_to_initialize_that_never_comes_stops_it_by_force() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(a ->
                    a.ignore(Signal.TERM).dialogue(d -> d.expect("initialize")).stall()));
            Process process = bench.start(fake);
            Wire wire = new Wire(process);

            wire.send(control("req_1", "{\"subtype\":\"initialize\",\"hooks\":null}"));
            fake.stall(0).awaitArrival(SOON);

            assertThat(stop(process, wire)).isEqualTo(128 + 9);
            assertThat(wire.toTheEnd()).hasSize(1);
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());
        }
    }

    @Test
    void plain_text_ends_it_with_a_message_as_it_ends_the_real_one() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(
                            a -> a.dialogue(d -> d.handshake().expect("user").reply(Map.of()))));
            Process process = bench.start(fake);
            Wire wire = new Wire(process);

            initialize(wire);
            wire.raw("hello\n");

            assertThat(Bench.code(process)).isEqualTo(1);
            assertThat(process.errorReader().readLine()).isEqualTo("Error parsing streaming input line: hello");
            Invocation call = fake.journal().awaitEnd(0, SOON);
            assertThat(call.flags()).containsExactly("malformed");
            assertThat(call.end()).isEqualTo(new End.Exited(1));
        }
    }

    @Test
    void an_unknown_request_is_answered_with_an_error_and_flagged() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(claude().attempt(
                            a -> a.dialogue(d -> d.handshake().expect("user").reply(Map.of("subtype", "success")))));
            Wire wire = new Wire(bench.start(fake));

            initialize(wire);
            wire.send(control("req_2", "{\"subtype\":\"dance\"}"));
            assertThat(Wire.text(wire.receive(), "response", "error"))
                    .isEqualTo("Unsupported control request subtype: dance");
            wire.send("{\"type\":\"keep_alive\"}");
            wire.send(USER);
            wire.receive();
            wire.closeInput();

            List<Wire.Entry> transcript = wire.toTheEnd();
            transcript.removeIf(entry -> entry.message().toString().contains("keep_alive"));
            ClaudeCheck.checked(transcript);
            assertThat(fake.journal().awaitEnd(0, SOON).flags()).containsExactly("unexpected");
        }
    }
}
