/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.noorphans.fakecli.Bench.SOON;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.StdinPolicy;

class VerifyTests {
    @TempDir
    private Path directory;

    private static String scenario(String expect) {
        return """
                schema: fakecli/1
                persona: claude
                onExhausted: repeatLast
                attempts:
                  - do: [{stdin: line, save: true}, {exit: 0}]
                  - do: [{stdin: line, save: true}, {exit: 1}]
                expect:""" + " " + expect + "\n";
    }

    private static void ask(Bench bench, FakeCli fake, String prompt, String... arguments) throws Exception {
        Process process = bench.start(fake, arguments);
        String line = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"" + prompt + "\"}}\n";
        process.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        Bench.code(process);
    }

    @Test
    void expectations_that_hold_are_silent() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(ScenarioFile.fromYaml(scenario(
                    "{attempts: 2, distinct: {arg: --session-id}, absent: {arg: --fork-session}, attempt1: {argv: {has:"
                            + " --resume, hasNot: [-x]}, stdin: {contains: again, notContains: \"${attempt0.prompt}\"},"
                            + " exit: {code: 1}, signals: []}}")));
            ask(bench, fake, "do it", "--session-id", "1");
            ask(bench, fake, "again", "--session-id=2", "--resume");

            fake.verify(SOON);
        }
    }

    @Test
    void expectations_that_fail_are_all_told() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(ScenarioFile.fromYaml(scenario(
                    "{attempts: 3, distinct: {arg: --session-id}, absent: {arg: -x}, dead: [mcp], attempt1: {argv: {has:"
                            + " --resume, hasNot: -x}, stdin: {contains: other, notContains: \"${attempt0.prompt}\"},"
                            + " exit: {code: 0}, signals: [TERM]}, attempt7: {exit: {code: 0}}}")));
            ask(bench, fake, "do it", "--session-id", "1");
            ask(bench, fake, "do it", "--session-id=1", "-x");

            assertThatThrownBy(() -> fake.verify(SOON)).hasMessage("""
                            fake claude:
                              expected 3 attempts, but 2 were made
                              claude attempt 1 has a value of --session-id that another attempt had: 1
                              claude attempt 1 has the argument -x: [--session-id=1, -x]
                              claude attempt 1 lacks the argument --resume: [--session-id=1, -x]
                              claude attempt 1 has the argument -x: [--session-id=1, -x]
                              claude attempt 1 did not read "other"
                              claude attempt 1 read "do it"
                              claude attempt 1 should have ended with 0, but its end is Exited[code=1]
                              claude attempt 1 should have noticed the signals [TERM], but noticed []
                              attempt 7 was not made
                              no descendant mcp was started""");
        }
    }

    @Test
    void what_may_live_may() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(ScenarioFile.fromYaml("""
                    schema: fakecli/1
                    attempts:
                      - do:
                          - spawn: {id: dead, mode: child}
                          - spawn: {id: escaped, mode: daemon}
                          - exit: 0
                    expect: {dead: [dead], mayLive: [escaped]}
                    """));
            bench.run(fake);

            assertThatThrownBy(() -> fake.verify(Duration.ZERO))
                    .hasMessageContaining("still alive: dead (CHILD)")
                    .hasMessageNotContaining("escaped");
            Bench.signal(
                    Signal.KILL, fake.journal().attempts().get(0).kid("dead").ids());
            fake.verify(SOON);
        }
    }

    @Test
    void the_journal_is_lines_of_json() throws Exception {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(Persona.PLAIN)
                    .attempt(a -> a.saveStdin(StdinPolicy.LINE).out("x").exit(2)));
            ask(bench, fake, "p", "a", "b\n");

            JsonObject line =
                    JsonParser.parseString(fake.journal().toJsonl().strip()).getAsJsonObject();

            Invocation call = fake.journal().attempts().get(0);
            assertThat(line.get("schema").getAsString()).isEqualTo("fakecli-journal/1");
            assertThat(line.getAsJsonArray("argv").get(2).getAsString()).isEqualTo("b\n");
            assertThat(line.getAsJsonObject("ids").get("pid").getAsLong())
                    .isEqualTo(call.ids().pid());
            assertThat(line.getAsJsonObject("end").get("code").getAsInt()).isEqualTo(2);
            assertThat(line.getAsJsonObject("stdin").get("bytes").getAsLong())
                    .isEqualTo(call.stdin().bytes());
            assertThat(call.times().firstOut().orElseThrow())
                    .isBetween(call.times().start(), call.times().end().orElseThrow());
        }
    }
}
