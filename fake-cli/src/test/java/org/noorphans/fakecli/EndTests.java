/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.fakecli.Bench.SOON;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;

class EndTests {
    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    @ParameterizedTest
    @MethodSource("shells")
    void an_exit_code_is_the_one_planned_whatever_was_printed(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            FakeCli fake = bench.install(plain().attempt(a -> a.exit(0))
                    .attempt(a -> a.out("success").err("all well").exit(1))
                    .attempt(a -> a.exit(139))
                    .attempt(a -> a.exit(255)));

            assertThat(List.of(bench.run(fake), bench.run(fake), bench.run(fake), bench.run(fake)))
                    .extracting(Bench.Output::code)
                    .containsExactly(0, 1, 139, 255);

            assertThat(fake.journal().attempts())
                    .extracting(Invocation::end)
                    .containsExactly(new End.Exited(0), new End.Exited(1), new End.Exited(139), new End.Exited(255));
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void a_crash_is_a_real_signal_also_of_one_that_is_ignored(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            Map<Signal, Integer> numbers =
                    Map.of(Signal.SEGV, 11, Signal.ABRT, 6, Signal.KILL, 9, Signal.TERM, 15, Signal.INT, 2);
            FakeCliBuilder builder = plain();
            List<Signal> signals = new ArrayList<>(numbers.keySet());
            signals.forEach(signal -> builder.attempt(
                    a -> a.ignore(Signal.TERM).partial("half a li").crash(signal)));
            FakeCli fake = bench.install(builder);

            for (Signal signal : signals) {
                // A process that waits for it tells a signal from a code that looks like one; Java does not.
                Process waiter = bench.start(List.of(
                        "perl",
                        "-e",
                        "system { $ARGV[0] } @ARGV; print ' signal ', $? & 127",
                        fake.path().toString()));
                assertThat(Bench.output(waiter).out()).isEqualTo("half a li signal " + numbers.get(signal));
            }
            assertThat(fake.journal().attempts())
                    .extracting(Invocation::end)
                    .containsExactlyElementsOf(
                            signals.stream().map(End.Crashed::new).toList());
            fake.verify();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void output_is_exact(Path shell) {
        try (Bench bench = Bench.under(shell, directory)) {
            String odd = "it's \"$HOME\" `id` \\n %s \\c -n ünï 日本 \t*";
            FakeCli fake = bench.install(plain().attempt(a -> a.out(odd)
                    .out("")
                    .out("-n")
                    .json(Map.of("text", odd))
                    .err(odd)
                    .partial(odd + "\n" + odd)
                    .exit(0)));

            assertThat(bench.run(fake))
                    .isEqualTo(new Bench.Output(
                            odd + "\n\n-n\n"
                                    + "{\"text\":\"it's \\\"$HOME\\\" `id` \\\\n %s \\\\c -n ünï 日本 \\t*\"}\n"
                                    + odd + "\n" + odd,
                            odd + "\n",
                            0));
            assertThat(fake.journal().awaitEnd(0, SOON).end()).isEqualTo(new End.Exited(0));
        }
    }
}
