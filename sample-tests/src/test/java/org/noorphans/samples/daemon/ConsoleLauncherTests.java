/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The red spec in a JVM of its own, under JUnit's console launcher. */
class ConsoleLauncherTests {
    private record Outcome(int exitCode, String output) {}

    @Test
    void a_leak_fails_the_test_and_the_run() throws Exception {
        Outcome outcome = launch(RetryRedSpec.RetryTests_with_the_bug.class);
        assertThat(outcome.output()).contains("left 1 process running:", "1 tests failed");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void without_a_leak_both_succeed() throws Exception {
        Outcome outcome = launch(RetryRedSpec.RetryTests_with_the_fix.class);
        assertThat(outcome.output()).contains("1 tests successful", "0 tests failed");
        assertThat(outcome.exitCode()).isZero();
    }

    private static Outcome launch(Class<?> testClass) throws Exception {
        Process launcher = new ProcessBuilder(
                        "timeout",
                        "100",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.junit.platform.console.ConsoleLauncher",
                        "execute",
                        "--disable-banner",
                        "--disable-ansi-colors",
                        "--select-class",
                        testClass.getName())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(launcher.waitFor(10, TimeUnit.SECONDS)).isTrue();
            return new Outcome(launcher.exitValue(), output);
        } finally {
            launcher.destroyForcibly();
        }
    }
}
