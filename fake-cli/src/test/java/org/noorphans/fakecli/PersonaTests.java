/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.internal.persona.Macro;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.When;

class PersonaTests {
    private static final String ODD = "it's \"q\" \\ \t \u0001 @text @{text} 日本";

    @TempDir
    private Path directory;

    /** Every phrase, with odd texts where it takes texts. */
    private static List<Phrase> phrases(Persona persona) {
        List<Phrase> phrases = new ArrayList<>();
        for (String name : persona.phrases()) {
            Phrase phrase = Phrase.of(name);
            for (Macro.Parameter parameter :
                    Dialect.named(persona.dialect()).macro(name).parameters()) {
                if (parameter.usual().isEmpty()) {
                    phrase = phrase.with(parameter.name(), parameter.kind() == Macro.Kind.NUMBER ? 2 : ODD);
                }
            }
            phrases.add(phrase);
        }
        return phrases;
    }

    @ParameterizedTest
    @EnumSource(
            value = Persona.class,
            names = {"CLAUDE", "CODEX_EXEC", "GEMINI", "OPENCODE", "OPENCODE_V2", "CURSOR"})
    void every_phrase_has_what_consumers_need(Persona persona) {
        List<Phrase> phrases = phrases(persona);
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(persona).attempt(a -> {
                phrases.forEach(a::say);
                a.exit(0);
            }));

            List<String> lines = bench.run(fake, "--session-id=s", "--session=s", "--resume", "s")
                    .out()
                    .lines()
                    .toList();

            assertThat(lines).hasSizeGreaterThanOrEqualTo(phrases.size());
            assertThat(lines)
                    .allSatisfy(line ->
                            assertThat(TranscriptRules.problems(persona, line)).isEmpty());
            assertThat(String.join("", lines)).contains("日本").doesNotContain("@{text}\\\"");
            Set<String> types = new TreeSet<>();
            lines.forEach(line -> types.add(String.valueOf(
                    JsonParser.parseString(line).getAsJsonObject().get("type"))));
            assertThat(types).hasSizeGreaterThan(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Persona.class)
    void questions_are_answered_and_count_as_no_attempt(Persona persona) {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(persona)
                    .onExhausted(OnExhausted.REPEAT_LAST)
                    .attempt(a -> a.exit(3)));
            for (CallClass probe : persona.probes(null, null)) {
                When.Condition condition = probe.when().conditions().get(0);
                String[] arguments = condition instanceof When.ArgvStarts
                        ? condition.flags().toArray(String[]::new)
                        : new String[] {condition.flags().get(0)};
                Bench.Output output = bench.run(fake, arguments);
                assertThat(output.code()).isZero();
                assertThat(output.out()).isNotBlank();
            }
            assertThat(fake.journal().attempts()).isEmpty();
            assertThat(bench.run(fake, "-p", "models").code()).isEqualTo(3);
        }
    }

    @Test
    void codex_takes_its_session_from_resume_and_rejects_what_the_real_one_rejects() {
        try (Bench bench = Bench.in(directory)) {
            FakeCli fake = bench.install(FakeCli.persona(Persona.CODEX_EXEC)
                    .strictFlags()
                    .onExhausted(OnExhausted.REPEAT_LAST)
                    .attempt(a -> a.say(Phrase.of("threadStarted")).exit(0)));

            assertThat(bench.run(fake, "exec", "resume", "thread-1", "-m", "x", "go on")
                            .out())
                    .isEqualTo("{\"type\":\"thread.started\",\"thread_id\":\"thread-1\"}\n");
            assertThat(bench.run(fake, "exec", "resume", "thread-1", "-C", "/").code())
                    .isEqualTo(2);
        }
    }
}
