/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.noorphans.fakecli.Bench.SOON;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;

class SpawnTests {
    private static final String SHELLS = "org.noorphans.fakecli.SpawnTests#shells";
    private static final int TERM = 15;
    private static final int HUP = 1;

    @TempDir
    private Path directory;

    static Stream<Path> shells() {
        return Shells.installed();
    }

    private static FakeCliBuilder plain() {
        return FakeCli.persona(Persona.PLAIN);
    }

    @Nested
    class A_descendant {
        @ParameterizedTest
        @MethodSource(SHELLS)
        void of_each_mode_is_where_it_says(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> a.spawn("child", SpawnMode.CHILD)
                        .spawn("orphan", SpawnMode.ORPHAN)
                        .spawn("group", SpawnMode.NEW_GROUP)
                        .spawn("session", SpawnMode.NEW_SESSION)
                        .spawn("daemon", SpawnMode.DAEMON)
                        .stall()));
                long fakePid = bench.startInOwnGroup(fake).pid();
                Invocation call = fake.stall(0).awaitArrival(SOON);

                assertThat(call.kids())
                        .extracting(Descendant::id)
                        .containsExactly("child", "orphan", "group", "session", "daemon");
                assertThat(call.kids()).allSatisfy(kid -> {
                    assertThat(kid.isAlive()).isTrue();
                    assertThat(Proc.command(kid)).endsWith("sleep 120");
                    assertThat(Proc.group(kid))
                            .as("group of %s", kid)
                            .isEqualTo(kid.ids().pgid());
                    assertThat(Proc.session(kid))
                            .as("session of %s", kid)
                            .isEqualTo(kid.ids().sid());
                    for (int descriptor = 0; descriptor <= 2; descriptor++) {
                        assertThat(Proc.target(kid, descriptor)).isEqualTo("/dev/null");
                    }
                });
                Descendant child = call.kid("child");
                assertThat(Proc.parent(child)).isEqualTo(fakePid);
                assertThat(child.ids().pgid()).isEqualTo(fakePid);
                assertThat(child.ids().sid()).isEqualTo(fakePid);

                Descendant orphan = call.kid("orphan");
                assertThat(Proc.parent(orphan)).isNotEqualTo(fakePid);
                assertThat(orphan.ids().pgid()).isEqualTo(fakePid);
                assertThat(orphan.ids().sid()).isEqualTo(fakePid);

                Descendant group = call.kid("group");
                assertThat(Proc.parent(group)).isEqualTo(fakePid);
                assertThat(group.ids().pgid()).isEqualTo(group.pid());
                assertThat(group.ids().sid()).isEqualTo(fakePid);

                Descendant session = call.kid("session");
                assertThat(Proc.parent(session)).isEqualTo(fakePid);
                assertThat(session.ids().pgid()).isEqualTo(session.pid());
                assertThat(session.ids().sid()).isEqualTo(session.pid());

                Descendant daemon = call.kid("daemon");
                assertThat(Proc.parent(daemon)).isNotEqualTo(fakePid);
                assertThat(daemon.ids().sid()).isNotIn(fakePid, daemon.pid());
                assertThat(daemon.ids().pgid()).isEqualTo(daemon.ids().sid());
                assertThat(Proc.workingDirectory(daemon)).isEqualTo(Path.of("/"));
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void ignores_what_it_is_told_in_every_mode_and_nothing_else(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(a -> {
                    a.ignore(Signal.HUP);
                    for (SpawnMode mode : SpawnMode.values()) {
                        a.spawn(mode + "-deaf", mode, o -> o.ignore(Signal.TERM));
                        a.spawn(mode + "-plain", mode);
                    }
                    a.stall();
                }));
                bench.start(fake);
                Invocation call = fake.stall(0).awaitArrival(SOON);

                for (SpawnMode mode : SpawnMode.values()) {
                    Descendant deaf = call.kid(mode + "-deaf");
                    Descendant plain = call.kid(mode + "-plain");
                    assertThat(Proc.ignores(deaf, TERM)).as(deaf.id()).isTrue();
                    assertThat(Proc.ignores(plain, TERM)).as(plain.id()).isFalse();
                    assertThat(Proc.ignores(deaf, HUP)).as(deaf.id()).isFalse();
                    assertThat(Proc.ignores(plain, HUP)).as(plain.id()).isFalse();
                    Bench.signal(Signal.TERM, deaf.ids());
                    Bench.signal(Signal.TERM, plain.ids());
                    await().atMost(SOON).until(() -> !plain.isAlive());
                    assertThat(deaf.isAlive()).isTrue();
                }
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void ends_by_itself_after_its_life(Path shell) {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(plain().attempt(
                                a -> a.spawn("brief", SpawnMode.DAEMON, o -> o.life(Duration.ofMillis(150)))
                                        .exit(0)));

                bench.run(fake);

                assertThat(fake.journal().awaitAttempt(0, SOON).kids()).hasSize(1);
                fake.verify(SOON);
            }
        }

        @ParameterizedTest
        @MethodSource(SHELLS)
        void that_holds_stdout_keeps_its_reader_waiting_after_the_fake_has_ended(Path shell) throws Exception {
            try (Bench bench = Bench.under(shell, directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.spawn("holder", SpawnMode.ORPHAN, Steps.SpawnOptions::holdStdout)
                                .out("done")
                                .exit(0)));
                Process process = bench.start(fake);
                assertThat(Bench.code(process)).isZero();
                Descendant holder = fake.journal().awaitAttempt(0, SOON).kid("holder");
                assertThat(Proc.target(holder, 0)).isEqualTo("/dev/null");
                assertThat(Proc.target(holder, 1)).startsWith("pipe:");
                assertThat(Proc.target(holder, 2)).isEqualTo("/dev/null");

                var everything = CompletableFuture.supplyAsync(() -> {
                    try {
                        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                Bench.signal(Signal.TERM, holder.ids());

                assertThat(everything.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done\n");
            }
        }
    }

    @Nested
    class The_fake {
        @Test
        void is_flagged_if_a_descendant_cannot_be_started() throws Exception {
            try (Bench bench = Bench.in(directory)) {
                FakeCli fake = bench.install(
                        plain().attempt(a -> a.spawn("kid", SpawnMode.NEW_GROUP).exit(0)));
                Path host =
                        fake.journal().recordsDirectory().resolveSibling("plan").resolve("host.sh");
                Files.writeString(host, Files.readString(host) + "fc_new_group() { exit 1; }\n");

                assertThat(bench.run(fake).code()).isEqualTo(98);

                assertThat(fake.journal().awaitAttempt(0, SOON).flags()).containsExactly("spawnFailed");
            }
        }
    }
}
