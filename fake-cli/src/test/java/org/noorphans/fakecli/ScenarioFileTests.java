/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.noorphans.fakecli.Claude.init;
import static org.noorphans.fakecli.Claude.success;
import static org.noorphans.fakecli.Claude.text;
import static org.noorphans.fakecli.model.When.when;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.internal.sh.ShellCompiler;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.Expect;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Quirk;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.ScenarioFileException;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;

class ScenarioFileTests {
    private static void assertRoundTrip(Scenario scenario) {
        assertThat(ScenarioFile.fromYaml(ScenarioFile.toYaml(scenario))).isEqualTo(scenario);
        assertThat(ScenarioFile.fromJson(ScenarioFile.toJson(scenario))).isEqualTo(scenario);
    }

    static Stream<Path> examples() throws IOException, URISyntaxException {
        Path directory = Path.of(ScenarioFileTests.class.getResource("examples").toURI());
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.endsWith("acp-first-output.yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void an_example_is_read_and_written_without_loss(Path file) {
        Scenario scenario = ScenarioFile.read(file);

        assertThat(file.getFileName()).hasToString(scenario.name() + ".yaml");
        assertRoundTrip(scenario);
        ShellCompiler.compile(scenario);
    }

    @ParameterizedTest
    @EnumSource(Quirk.class)
    void a_preset_is_its_steps(Quirk quirk) {
        Scenario scenario = ScenarioFile.fromYaml("{schema: fakecli/1, persona: "
                + (quirk.persona() == Persona.OPENCODE_V2
                        ? "{name: opencode, line: v2}"
                        : quirk.persona().id())
                + ", attempts: [{do: [{preset: " + quirk.id() + "}]}]}");

        assertThat(scenario.run().attempts()).containsExactly(quirk.steps());
        assertRoundTrip(scenario);
    }

    @Test
    void java_and_file_give_the_same_plan_byte_for_byte() {
        Scenario java = FakeCli.persona(Persona.CLAUDE)
                .name("silent-stall")
                .attempt(a -> a.stdin(StdinPolicy.EOF).stall())
                .attempt(a -> a.say(init())
                        .say(text("after watchdog"))
                        .say(success("ok"))
                        .exit(0))
                .expect(new Expect(
                        OptionalInt.of(2),
                        Optional.of("--session-id"),
                        Optional.of("--resume"),
                        List.of(),
                        List.of(),
                        Map.of()))
                .scenario();
        Scenario file = ScenarioFile.fromYaml("""
                schema: fakecli/1
                name: silent-stall
                persona: claude
                attempts:
                  - do: [{stdin: eof}, {stall: {until: killed}}]
                  - do: [{say: init}, {say: {text: "after watchdog"}}, {say: {success: ok}}, {exit: 0}]
                expect: {attempts: 2, distinct: {arg: --session-id}, absent: {arg: --resume}}
                """);

        assertThat(file).isEqualTo(java);
        assertThat(ShellCompiler.compile(file)).isEqualTo(ShellCompiler.compile(java));
    }

    @Test
    void every_step_survives() {
        String odd = "it's \"${cwd}\" $${x} \\ # : - {[ tab\t ünï 日本 😀 trailing ";
        assertRoundTrip(FakeCli.persona(Persona.CODEX_EXEC)
                .name("all")
                .version("v")
                .strictFlags()
                .attemptKey(AttemptKey.env("KEY"))
                .recordEnvironment("HOME")
                .aux("title", when().argvAny("a", "true", "1").argvNone("b").argvStarts("c"), s -> s.exit(0))
                .attemptsWhen(when().argvAny("-p"))
                .onExhausted(OnExhausted.REPEAT_LAST)
                .attempt(a -> a.out(odd)
                        .out("true")
                        .out("12")
                        .out("")
                        .out("null")
                        .err(odd)
                        .partial(odd + "\n" + odd + "\n")
                        .json(Map.of("a", List.of(1, 2.50, true, odd, Map.of())))
                        .say(Phrase.of("reconnecting").with("attempt", 1))
                        .say(Phrase.of("command").with("command", odd).with("exitCode", 3))
                        .bytes(new byte[] {0, 1, -1})
                        .flood(OutputStep.Stream.ERR, 70_000)
                        .burst()
                        .speed(2.5)
                        .delay(Duration.ofNanos(1_500_001))
                        .gate("g")
                        .heartbeat(Duration.ofMillis(1), odd, 3)
                        .busy(Duration.ZERO)
                        .saveStdin(StdinPolicy.LINE)
                        .stdin(StdinPolicy.CLOSE)
                        .spawn(
                                "a",
                                SpawnMode.DAEMON,
                                o -> o.ignore(Signal.TERM, Signal.HUP)
                                        .holdStdout()
                                        .life(Duration.ofMinutes(3))
                                        .doing(k -> k.spawn("b", SpawnMode.NEW_GROUP)
                                                .log(Signal.USR1)))
                        .ignore(Signal.HUP)
                        .log(Signal.USR1)
                        .on(Signal.TERM, h -> h.err("x").exit(143))
                        .respawn(Signal.INT, "again", SpawnMode.NEW_SESSION, o -> o.doing(k -> k.out("I")))
                        .closeStdout()
                        .write("a", odd)
                        .append("a", odd)
                        .delete("a")
                        .run("sh", "-c", odd)
                        .execSelf("x", odd))
                .attempt(a -> a.heartbeat(Duration.ofSeconds(1), "."))
                .attempt(a -> a.crash(Signal.SEGV))
                .attempt(a -> a.exitAs(Signal.KILL))
                .attempt(a -> a.stall())
                .expect(new Expect(
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of("a"),
                        List.of("b"),
                        Map.of(
                                1,
                                new Expect.OfAttempt(
                                        List.of("--resume"),
                                        List.of("x"),
                                        List.of("y"),
                                        List.of("${attempt0.prompt}"),
                                        OptionalInt.of(0),
                                        Optional.of(List.of())))))
                .scenario());
    }

    @Nested
    class A_file_that_is_wrong {
        private void assertProblems(String yaml, String... messages) {
            assertThatThrownBy(() -> ScenarioFile.fromYaml(yaml))
                    .isInstanceOf(ScenarioFileException.class)
                    .hasMessage(String.join("\n", messages));
        }

        @Test
        void is_told_everything_at_once_each_with_its_place() {
            assertThatThrownBy(() -> ScenarioFile.fromYaml("""
                            schema: fakecli/1
                            name: a/b
                            persona: claude
                            attemps: []
                            attempts:
                              - do: [{say: {sing: x}}, {exit: 300}, {dealy: 20ms}]
                              - do:
                                  - {delay: 5 minutes}
                                  - {out: "${nope}"}
                                  - {spawn: {id: a, mode: thread}}
                                  - {exit: 0}
                              - do: [{out: x}]
                            """))
                    .isInstanceOfSatisfying(
                            ScenarioFileException.class,
                            e -> assertThat(e.problems())
                                    .extracting(problem -> problem.line() + ":" + problem.column())
                                    .containsExactly("4:10", "6:16", "6:28", "6:41", "8:17", "9:9", "10:31", "12:10"))
                    .hasMessageContaining("scenario:6:28: exit code must be 0 to 255, but was 300")
                    .hasMessageContaining("scenario:6:41: unknown step \"dealy\"; there are ask, auto, burst,")
                    .hasMessageContaining("scenario:8:17: delay: \"5 minutes\" is no time")
                    .hasMessageContaining("scenario:9:9: out: unknown variable ${nope}; there are ${sessionId},")
                    .hasMessageContaining("scenario:10:31: unknown mode \"thread\"; there are child, orphan,")
                    .hasMessageContaining("scenario:12:10: attempt 2 has no end: its last step is out;");
        }

        @Test
        void is_refused_for_what_does_not_go_together() {
            assertProblems(
                    "schema: fakecli/1\nattempts: [{do: [{exit: 0}, {out: x}]}]\n",
                    "scenario:2:18: attempt 0, step 1 (exit 0) ends the fake, so the 1 after it would never run;"
                            + " remove them");
            assertProblems(
                    "schema: fakecli/1\nname: a/b\nattempts: [{do: [{exit: 0}]}]\n",
                    "scenario:2:7: fake name \"a/b\" cannot be used: take 1 to 64 letters, digits, dots, underscores"
                            + " and hyphens, beginning with a letter or a digit");
            assertThatThrownBy(() ->
                            ScenarioFile.fromYaml("schema: fakecli/1\npersona: clade\nattempts: [{do: [{exit: 0}]}]\n"))
                    .hasMessageStartingWith("scenario:2:10: unknown persona \"clade\"; there are plain, claude,");
            assertProblems(
                    "schema: fakecli/1\npersona: gemini\nstrictFlags: true\nattempts: [{do: [{exit: 0}]}]\n",
                    "scenario:3:14: strictFlags: it is not known what persona gemini rejects; write a class for it, or"
                            + " use persona codex-exec");
            assertProblems("schema: fakecli/1\n", "scenario:1:1: attempts is missing; write at least one, - do: [...]");
            assertProblems(
                    "schema: fakecli/2\nattempts: [{do: [{exit: 0}]}]\n",
                    "scenario:1:9: schema must be fakecli/1, but was \"fakecli/2\"");
        }

        @Test
        void is_refused_where_it_is_not_yaml_or_json() {
            assertThatThrownBy(() -> ScenarioFile.fromYaml("a: [b\nc: d"))
                    .hasMessageMatching("(?s)scenario:2:2: not YAML: .*");
            assertProblems("a: 1\na: 2\n", "scenario:2:1: the key \"a\" is there twice");
            assertThatThrownBy(() -> ScenarioFile.fromJson("{\"a\": 1,\n \"b\" 2}"))
                    .hasMessageMatching("(?s)scenario:2:\\d+: not JSON: .*");
            assertThatThrownBy(() -> ScenarioFile.fromJson("""
                            {"schema": "fakecli/1",
                             "attempts": [{"do": [{"exit": 256}]}]}
                            """))
                    .hasMessage("scenario:2:23: exit code must be 0 to 255, but was 256");
        }

        @Test
        void names_the_file(@TempDir Path directory) throws IOException {
            Path file = Files.writeString(directory.resolve("x.json"), "{}", StandardCharsets.UTF_8);

            assertThatThrownBy(() -> ScenarioFile.read(file)).hasMessageStartingWith(file + ":1:1: ");
        }
    }
}
