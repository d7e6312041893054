/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Quirk;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;
import org.noorphans.fakecli.model.When;

/** Every scenario of the catalogue and every quirk is installed, and every attempt of it made. */
class CatalogueTests {
    private static final Duration LONG = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    static List<Path> catalogue() throws IOException, URISyntaxException {
        Path folder = Path.of(FakeCli.class.getResource("catalogue").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void is_complete() throws Exception {
        assertThat(catalogue())
                .extracting(file -> file.getFileName().toString().substring(0, 3))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 37)
                        .mapToObj(number -> String.format("F%02d", number))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("catalogue")
    void a_scenario_does_what_it_says(Path file) throws Exception {
        Scenario scenario = ScenarioFile.read(file);
        assertThat(ScenarioFile.fromYaml(ScenarioFile.toYaml(scenario))).isEqualTo(scenario);
        assertThat(ScenarioFile.fromJson(ScenarioFile.toJson(scenario))).isEqualTo(scenario);
        try (Bench bench = Bench.in(directory)) {
            make(bench, scenario);
        }
    }

    @ParameterizedTest
    @EnumSource(Quirk.class)
    void a_quirk_does_what_it_says(Quirk quirk) throws Exception {
        try (Bench bench = Bench.in(directory)) {
            make(
                    bench,
                    FakeCli.persona(quirk.persona())
                            .attempt(a -> a.all(quirk.steps()))
                            .scenario());
        }
    }

    private void make(Bench bench, Scenario scenario) throws Exception {
        FakeCli fake = bench.install(scenario);
        for (CallClass each : scenario.classes()) {
            for (int i = 0; i < each.attempts().size(); i++) {
                List<Step> steps = each.attempts().get(i);
                int before = fake.journal().all().size();
                Process process = bench.start(fake, arguments(each));
                process.getOutputStream().close();
                List<Thread> drains = drain(process);
                Invocation call = await().atMost(SOON)
                        .until(() -> fake.journal().all(), calls -> calls.size() > before)
                        .get(before);
                assertThat(call.className()).hasValue(each.name());
                if (lasts(steps)) {
                    if (steps.get(steps.size() - 1) instanceof Step.Stall) {
                        await().atMost(SOON)
                                .until(() -> fake.journal()
                                        .all()
                                        .get(before)
                                        .events()
                                        .contains("stall"));
                    }
                    assertThat(process.isAlive()).isTrue();
                    process.destroyForcibly();
                    Bench.code(process);
                } else {
                    Bench.code(process);
                    assertThat(fake.journal().all().get(before).end())
                            .isInstanceOfAny(End.Exited.class, End.Crashed.class);
                }
                assertThat(fake.journal().all().get(before).flags()).isEmpty();
                fake.journal().survivors().forEach(alive -> {
                    if (alive.ids().isAlive()) {
                        Bench.signal(Signal.KILL, alive.ids());
                    }
                });
                for (Thread drain : drains) {
                    drain.join(SOON.toMillis());
                }
            }
        }
    }

    private static List<Thread> drain(Process process) {
        List<Thread> threads = new ArrayList<>();
        for (var stream : List.of(process.getInputStream(), process.getErrorStream())) {
            Thread thread = new Thread(() -> {
                try {
                    stream.transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // Closed with its process.
                    return;
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private static boolean lasts(List<Step> steps) {
        Step last = steps.get(steps.size() - 1);
        return last instanceof Step.Stall
                || last instanceof WaitStep.Heartbeat
                || steps.stream()
                        .anyMatch(step ->
                                step instanceof Step.Delay delay && delay.time().compareTo(LONG) > 0);
    }

    private static String[] arguments(CallClass each) {
        List<String> arguments = new ArrayList<>();
        for (When.Condition condition : each.when().conditions()) {
            if (condition instanceof When.ArgvStarts) {
                arguments.addAll(0, condition.flags());
            } else if (condition instanceof When.ArgvAny) {
                arguments.add(condition.flags().get(0));
            }
        }
        return arguments.toArray(String[]::new);
    }
}
