/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTests {
    @TempDir
    private Path directory;

    private String printed = "";

    private int run(Object... arguments) {
        StringWriter text = new StringWriter();
        CommandLine line = Main.line();
        line.setOut(new PrintWriter(text, true)).setErr(new PrintWriter(text, true));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        int code = line.execute(words);
        printed = text.toString();
        return code;
    }

    private static Process start(Path executable) throws Exception {
        return new ProcessBuilder(executable.toString())
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void installs_shows_releases_verifies_and_removes() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), """
                schema: fakecli/1
                name: claude
                persona: claude
                attempts:
                  - do: [{spawn: {id: mcp, mode: child, life: 60s}}, {gate: go}, {say: init}, {exit: 0}]
                  - do: [{stall: {until: killed}}]
                """);
        Path bin = Files.createDirectory(directory.resolve("bin"));
        assertThat(run("check", file)).isZero();
        assertThat(printed).isEqualTo(file + ": ok, claude, 2 attempts\n");
        assertThat(run("install", file, "--into", bin, "--life", "20")).isZero();
        Path executable = bin.resolve("claude");
        assertThat(printed).isEqualTo(executable + "\n");
        assertThat(run("install", file, "--into", bin)).isEqualTo(1);
        assertThat(printed).contains("the name is taken");

        Process first = start(executable);
        try {
            assertThat(run("release", executable, "nogate")).isEqualTo(1);
            assertThat(printed).contains("no gate \"nogate\"; there are [gate.go, stall.run.1]");
            assertThat(run("release", executable, "go")).isZero();
            assertThat(first.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(first.exitValue()).isZero();
            assertThat(first.inputReader().readLine()).contains("\"init\"");
            assertThat(run("journal", executable)).isZero();
            assertThat(printed).contains("claude attempt 0", "gate go", "descendant mcp (CHILD)");
            assertThat(run("journal", executable, "--json")).isZero();
            assertThat(printed).startsWith("{\"schema\":\"fakecli-journal/1\"").endsWith("}\n");
            assertThat(run("verify", executable)).isEqualTo(1);
            assertThat(printed).contains("planned 2 attempts, but 1 was made").contains("still alive: mcp (CHILD)");
        } finally {
            assertThat(run("remove", executable)).isZero();
            first.destroyForcibly();
        }
        assertThat(bin).isEmptyDirectory();
    }

    @Test
    void a_call_without_an_owner_ends_when_its_life_is_over() throws Exception {
        Path file = Files.writeString(
                directory.resolve("s.yaml"), "{schema: fakecli/1, attempts: [{do: [{stall: {until: killed}}]}]}");
        assertThat(run("install", file, "--into", directory, "--life", "1")).isZero();
        Process process = start(directory.resolve("fake"));
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(98);
            assertThat(run("journal", directory.resolve("fake"))).isZero();
            assertThat(printed).contains("[lifeOver]");
        } finally {
            process.destroyForcibly();
            run("remove", directory.resolve("fake"));
        }
    }

    @Test
    void tells_everything_that_is_wrong_with_a_file() throws Exception {
        Path file = Files.writeString(
                directory.resolve("s.yaml"), "schema: fakecli/1\nattempts:\n  - do: [{exit: 999}, {nap: 1}]\n");

        assertThat(run("check", file)).isEqualTo(1);
        assertThat(printed)
                .startsWith(file + ":3:10: exit code must be 0 to 255, but was 999\n" + file
                        + ":3:23: unknown step \"nap\"; there are ");
        assertThat(run("check", directory.resolve("none.yaml"))).isEqualTo(1);
        assertThat(printed).contains("cannot read the scenario");
        assertThat(run("install", file, "--into", directory)).isEqualTo(1);
        assertThat(run("journal", file)).isEqualTo(1);
        assertThat(printed).contains("is no fake; give the path that install printed");
        assertThat(run()).isEqualTo(2);
        assertThat(directory.resolve(".fake.fakecli")).doesNotExist();
    }

    @Test
    void lists_the_personas() {
        assertThat(run("personas")).isZero();
        assertThat(printed).contains("codex-exec  installed as codex  command commandStarted error");
    }
}
