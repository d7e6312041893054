/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

/** Dialogues as scenario files. */
class DialogueFileTests {
    private static final String ACP_FIRST_OUTPUT = """
            schema: fakecli/1
            name: acp-first-output
            persona: acp
            attempts:
              - do: [{auto: handshake}, {expect: session/prompt}, {heartbeat: {every: 20ms, notify: {sessionUpdate: heartbeat}, until: killed}}]
              - do:
                  - auto: handshake
                  - expect: session/prompt
                  - ask: {permission: {tool: call_1, options: [allow_once, reject_once]}}
                  - notify: {text: "done"}
                  - reply: {stopReason: end_turn, cancel: honour}
            """;

    @TempDir
    private Path directory;

    private static String session(Wire wire) {
        wire.send("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}")
                .response(0);
        wire.send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"/w\",\"mcpServers\":[]}}");
        return Wire.text(wire.response(1), "result", "sessionId");
    }

    private static Wire prompt(Wire wire, String session) {
        return wire.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\""
                + session + "\",\"prompt\":[{\"type\":\"text\",\"text\":\"ping\"}]}}");
    }

    @Test
    void heartbeats_without_first_output_then_a_turn_with_a_permission_request() {
        try (FakeCli fake = FakeCli.install(ScenarioFile.fromYaml(ACP_FIRST_OUTPUT), directory);
                Bench bench = Bench.in(directory)) {
            Process first = bench.start(fake);
            Wire beats = new Wire(first);
            prompt(beats, session(beats));
            for (int i = 0; i < 2; i++) {
                assertThat(Wire.text(beats.receive(), "params", "update", "sessionUpdate"))
                        .isEqualTo("heartbeat");
            }
            first.destroyForcibly();
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Missing());

            Wire wire = new Wire(bench.start(fake));
            prompt(wire, session(wire));
            JsonObject question = wire.receive(message -> message.has("method") && message.has("id"));
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":" + question.get("id")
                    + ",\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"reject_once\"}}}");
            assertThat(Wire.text(wire.response(2), "result", "stopReason")).isEqualTo("end_turn");
            wire.closeInput();

            AcpCheck.checked(wire.toTheEnd());
            assertThat(fake.journal().awaitEnd(1, SOON).end()).isEqualTo(new End.Exited(0));
            fake.verify();
        }
    }

    @Test
    void files_and_java_say_the_same_and_nothing_is_lost_on_the_way() {
        Scenario scenario = FakeCli.persona(Persona.ACP)
                .name("all")
                .attempt(a -> a.dialogue(d -> d.handshake(Map.of("session/new", Map.of("sessionId", "s1")))
                        .expect("session/prompt", Map.of("prompt", List.of(Map.of("n", 1.5e10, "x", "\u007f\u2028"))))
                        .heartbeat(Duration.ofMillis(20), Acp.text("."), 3)
                        .heartbeat(Duration.ofSeconds(1), Acp.text("."))
                        .ask(Acp.permission("c", "allow_once"), Map.of("outcome", Map.of("outcome", "cancelled")))
                        .ask(Map.of("method", "fs/read_text_file", "params", Map.of("n", 1.0e20)), Map.of("a", 1))
                        .replyIgnoringCancel(Map.of("n", 1e20))
                        .expect("other")
                        .fail(-32603, "no", Map.of("retryable", true))
                        .expect("other")
                        .reply(Map.of())))
                .scenario();

        assertThat(ScenarioFile.fromYaml(ScenarioFile.toYaml(scenario))).isEqualTo(scenario);
        assertThat(ScenarioFile.fromJson(ScenarioFile.toJson(scenario))).isEqualTo(scenario);
        assertThat(ScenarioFile.fromYaml(ACP_FIRST_OUTPUT))
                .isEqualTo(FakeCli.persona(Persona.ACP)
                        .name("acp-first-output")
                        .attempt(a -> a.dialogue(d -> d.handshake()
                                .expect("session/prompt")
                                .heartbeat(Duration.ofMillis(20), Map.of("sessionUpdate", "heartbeat"))))
                        .attempt(a -> a.dialogue(d -> d.handshake()
                                .expect("session/prompt")
                                .ask(Acp.permission("call_1", "allow_once", "reject_once"))
                                .notify(Acp.text("done"))
                                .reply(Acp.endTurn())))
                        .scenario());
    }

    @Test
    void mistakes_are_told_with_their_place() {
        assertThatThrownBy(() -> ScenarioFile.fromYaml("""
                        schema: fakecli/1
                        name: wrong
                        persona: acp
                        attempts:
                          - do:
                              - auto: hello
                              - expect: {match: {}}
                              - fail: {code: x, message: no}
                        """))
                .hasMessageContaining("auto must be handshake")
                .hasMessageContaining("expect needs \"method\"")
                .hasMessageContaining("code must be a whole number");
    }

    @Test
    void steps_of_other_kinds_do_in_a_dialogue_what_they_do_elsewhere() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(Persona.ACP)
                    .name("agent")
                    .attempt(a -> a.dialogue(d -> d.expect("go"))
                            .write("made.txt", "${attempt} ${arg:--model}\n")
                            .append("made.txt", "more\n")
                            .delete("made.not")
                            .run("/bin/sh", "-c", "printf '{\"run\":1}\\n'; exit 3")
                            .busy(Duration.ofMillis(5))
                            .heartbeat(Duration.ofMillis(1), "{\"beat\":\"${cwd}\"}", 2)
                            .spawn("kid", SpawnMode.CHILD, o -> o.doing(k -> k.write("kid.txt", "${sessionId}")))
                            .dialogue(d -> d.notify(Acp.text("${arg:--model} ${attempt}"))
                                    .reply(Map.of("at", "${cwd}")))
                            .exitAs(Signal.TERM)));
            Process process = bench.start(fake, "--model", "it's \"m\"");
            Wire wire = new Wire(process);
            wire.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"go\"}");

            assertThat(wire.receive().toString()).isEqualTo("{\"run\":1}");
            assertThat(Wire.text(wire.receive(), "beat"))
                    .isEqualTo(directory.toRealPath().toString());
            wire.receive();
            assertThat(Wire.text(wire.receive(), "params", "update", "content", "text"))
                    .isEqualTo("it's \"m\" 0");
            assertThat(Wire.text(wire.response(1), "result", "at"))
                    .isEqualTo(directory.toRealPath().toString());
            assertThat(Bench.code(process)).isEqualTo(128 + 15);
            assertThat(directory.resolve("made.txt")).hasContent("0 it's \"m\"\nmore\n");
            await().atMost(SOON).until(() -> Files.exists(directory.resolve("kid.txt")));
            assertThat(fake.journal().awaitEnd(0, SOON).events())
                    .containsSubsequence(
                            "expect go",
                            "file write",
                            "file append",
                            "file delete",
                            "run /bin/sh 3",
                            "spawn kid",
                            "reply");
        }
    }
}
