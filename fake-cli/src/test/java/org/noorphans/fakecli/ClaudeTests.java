/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;

class ClaudeTests {
    private static final String ODD = "it's \"quoted\" \\ back\nslash\ttab \u0001 日本";

    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static List<JsonObject> lines(Bench bench, FakeCli fake, String... arguments) {
        Bench.Output output = bench.run(fake, arguments);
        assertThat(output.err()).isEmpty();
        return output.out()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }

    private static FakeCliBuilder claude() {
        return FakeCli.persona(Persona.CLAUDE).onExhausted(OnExhausted.REPEAT_LAST);
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_minimal_run_is_what_the_real_program_prints(Path shell) throws Exception {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(claude().attempt(a ->
                    a.say(init()).say(text("pong")).say(success("pong")).exit(0)));
            String session = "11111111-1111-4111-8111-111111111111";

            Bench.Output output = bench.run(fake, "-p", "--session-id", session, "--verbose");

            String message = "msg_fake_" + fake.journal().all().get(0).ids().pid() + "_1";
            assertThat(output.out()).isEqualTo("""
                            {"type":"system","subtype":"init","session_id":"SESSION","model":"fake-model","cwd":"CWD","tools":[],"mcp_servers":[],"permissionMode":"default","apiKeySource":"none"}
                            {"type":"assistant","message":{"id":"MESSAGE","type":"message","role":"assistant","model":"fake-model","content":[{"type":"text","text":"pong"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"SESSION"}
                            {"type":"result","subtype":"success","is_error":false,"duration_ms":12,"duration_api_ms":8,"num_turns":1,"result":"pong","session_id":"SESSION","total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1}}
                            """.replace("SESSION", session)
                    .replace("MESSAGE", message)
                    .replace("CWD", directory.toRealPath().toString()));
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void the_session_is_the_one_of_the_arguments_or_a_fresh_one_for_the_whole_call(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(
                    claude().attempt(a -> a.say(init()).say(success("x")).exit(0)));

            assertThat(session(lines(bench, fake, "--session-id", "a"))).isEqualTo("a");
            assertThat(session(lines(bench, fake, "--session-id=b"))).isEqualTo("b");
            assertThat(session(lines(bench, fake, "--resume", "c", "--model", "m")))
                    .isEqualTo("c");
            assertThat(session(lines(bench, fake, "-r", "d", "prompt"))).isEqualTo("d");
            assertThat(session(lines(bench, fake, "--session-id", ODD))).isEqualTo(ODD.replace('\u0001', '\ufffd'));
            String uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
            String fresh = session(lines(bench, fake, "--resume", "--verbose", "e"));
            assertThat(fresh).matches(uuid);
            assertThat(session(lines(bench, fake))).matches(uuid).isNotEqualTo(fresh);
            assertThat(session(lines(bench, fake, "--resume", "f", "--fork-session")))
                    .matches(uuid);
        }
    }

    private static String session(List<JsonObject> lines) {
        List<String> ids = lines.stream()
                .map(line -> line.get("session_id").getAsString())
                .distinct()
                .toList();
        assertThat(ids).hasSize(1);
        return ids.get(0);
    }

    @ParameterizedTest
    @MethodSource("shells")
    void any_text_arrives_as_it_was_written(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(claude().attempt(a ->
                    a.say(text(ODD)).say(text("b")).say(success(ODD)).exit(1)));

            List<JsonObject> lines = lines(bench, fake, "--model=opus \"9\"");

            JsonObject message = lines.get(0).getAsJsonObject("message");
            assertThat(message.getAsJsonArray("content")
                            .get(0)
                            .getAsJsonObject()
                            .get("text")
                            .getAsString())
                    .isEqualTo(ODD);
            assertThat(message.get("model").getAsString()).isEqualTo("opus \"9\"");
            assertThat(lines.get(1).getAsJsonObject("message").get("id")).isNotEqualTo(message.get("id"));
            assertThat(lines.get(2).get("result").getAsString()).isEqualTo(ODD);
            assertThat(lines.get(2).get("num_turns").getAsInt()).isEqualTo(2);
        }
    }
}
