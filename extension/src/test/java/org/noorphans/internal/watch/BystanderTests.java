/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.internal.fake.NothingNoted;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ScopeKind;

/** What ends leaks must end nothing else: real processes of every kind beside the leaks, with each mechanism switched off. */
@EnabledOnOs(OS.LINUX)
class BystanderTests {
    private static final Policy POLICY = new Policy(Duration.ofMillis(100), Duration.ofMillis(300), true, true);

    private static final String TWIN = "agent-helper";

    private final StartedProcesses processes = new StartedProcesses();

    @TempDir
    Path folder;

    @AfterEach
    void endProcesses() throws IOException {
        processes.close();
        Files.deleteIfExists(folder.resolve(TWIN));
    }

    static Stream<Arguments> switches() {
        return Stream.of(
                Arguments.of("everything", Switches.ALL),
                Arguments.of("no mark", new Switches(true, false, true, true)),
                Arguments.of("no lists of children", new Switches(true, true, false, true)),
                Arguments.of("no pidfd", new Switches(true, true, true, false)),
                Arguments.of("no subreaper", new Switches(false, true, true, true)),
                Arguments.of("nothing", new Switches(false, false, false, false)));
    }

    private static ProcessWatch watch(Switches switches) {
        return new ProcessWatch(LinuxPlatform.create(switches), new NothingNoted(), Duration.ofMillis(20), Pacing.REAL);
    }

    private static Set<ProcessId> found(LeakReport report) {
        return report.leaks().stream().map(leak -> leak.survivor().id()).collect(Collectors.toSet());
    }

    /** A program that looks the same as its twin. */
    private List<ProcessId> twin() {
        Path link = folder.resolve(TWIN);
        try {
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, Path.of("/bin/sleep").toRealPath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return processes.announced(link + " 60 >/dev/null & echo $!; wait");
    }

    private static void assertAlive(Iterable<ProcessId> bystanders) {
        for (ProcessId bystander : bystanders) {
            assertThat(ProcFacts.isAlive(bystander))
                    .as("%s is alive", bystander)
                    .isTrue();
            assertThat(ProcFacts.state(bystander.pid()))
                    .as("%s is not stopped", bystander)
                    .get()
                    .isNotEqualTo("T");
        }
    }

    @ParameterizedTest(name = "with {0}")
    @MethodSource("switches")
    void bystanders_of_every_kind_live_on(String name, Switches switches) {
        ProcessId self = ProcFacts.identity(ProcessHandle.current().pid()).orElseThrow();
        ProcessId parent =
                ProcFacts.identity(ProcFacts.parent(self.pid()).orElseThrow()).orElseThrow();
        ProcessId sameGroup = processes.sleep();
        assertThat(ProcFacts.group(sameGroup.pid())).isEqualTo(ProcFacts.group(self.pid()));
        List<ProcessId> twinBefore = twin();
        List<ProcessId> ownSession =
                processes.announced("setsid sh -c 'sleep 60 >/dev/null & echo $!' & wait; exec sleep 60");
        ProcessId ignoring = processes
                .announced("trap '' TERM; sleep 60 >/dev/null & echo $!; wait")
                .get(0);

        ProcessWatch watch = watch(switches);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        try {
            ProcessId fixture = processes.sleep();
            awaitNextStamp(watch);
            OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "test", null, type);
            ProcessId plain = processes.sleep();
            List<ProcessId> twinInside = twin();
            List<ProcessId> tree = processes.announced(
                    "trap '' TERM; sh -c 'trap \"\" TERM; sleep 60' >/dev/null & echo $!; wait; wait");
            List<ProcessId> daemon =
                    processes.announced("setsid sh -c 'trap \"\" TERM; exec sleep 60' >/dev/null & echo $!; wait");
            StartedProcesses.end(daemon.get(0));

            LeakReport report = test.end(POLICY);

            assertThat(found(report))
                    .contains(plain, tree.get(0), tree.get(1), daemon.get(1))
                    .containsAll(twinInside);
            Stream.of(List.of(plain), twinInside, tree, daemon)
                    .flatMap(List::stream)
                    .forEach(leak -> assertThat(ProcFacts.isAlive(leak))
                            .as("%s is alive", leak)
                            .isFalse());
            assertAlive(List.of(self, parent, sameGroup, ignoring, fixture));
            assertAlive(twinBefore);
            assertAlive(ownSession);
            assertThat(found(report)).doesNotContain(self, parent, sameGroup, ignoring, fixture);

            assertThat(found(type.end(POLICY))).contains(fixture).doesNotContain(sameGroup, ignoring, self, parent);
            assertAlive(List.of(self, parent, sameGroup, ignoring));
            assertAlive(twinBefore);
            assertAlive(ownSession);
        } finally {
            type.end(POLICY);
            run.end(POLICY);
        }
        assertAlive(List.of(self, parent, sameGroup, ignoring));
    }

    private static void awaitNextStamp(ProcessWatch watch) {
        long before = watch.reader().now();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .until(() -> watch.reader().now() > before);
    }

    /** A server that was there before forks a worker while a test runs. */
    @ParameterizedTest(name = "with {0}")
    @MethodSource("switches")
    void the_worker_of_a_process_that_was_there_before_lives_on(String name, Switches switches) throws Exception {
        Path order = folder.resolve("order");
        Path answer = folder.resolve("answer");
        assertThat(StartedProcesses.run(
                        new StringBuilder(), Duration.ofSeconds(20), List.of("mkfifo", order.toString())))
                .isZero();
        ProcessId server = processes.sh("read -r l < " + order + "; sleep 60 >/dev/null & echo $! > " + answer
                + ".new; mv " + answer + ".new " + answer + "; wait");

        ProcessWatch watch = watch(switches);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "test", null, type);
        try {
            awaitNextStamp(watch);
            Files.writeString(order, "go\n");
            Awaitility.await().until(() -> Files.exists(answer));
            ProcessId worker =
                    processes.own(Long.parseLong(Files.readString(answer).trim()));
            ProcessId leak = processes.sleep();

            LeakReport report = test.end(POLICY);

            assertThat(found(report)).contains(leak).doesNotContain(server, worker);
            assertThat(found(type.end(POLICY))).doesNotContain(server, worker);
            assertThat(found(run.end(POLICY))).doesNotContain(server, worker);
            assertAlive(List.of(server, worker));
        } finally {
            test.end(POLICY);
            type.end(POLICY);
            run.end(POLICY);
        }
    }

    @ParameterizedTest(name = "with {0}")
    @MethodSource("switches")
    void the_processes_of_another_test_that_still_runs_live_on(String name, Switches switches) throws Exception {
        assumeThat(switches.mark())
                .as("without marks two tests at once cannot be told apart, and the class is blamed")
                .isTrue();
        ProcessWatch watch = watch(switches);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            CountDownLatch bothOpen = new CountDownLatch(2);
            CountDownLatch firstEnded = new CountDownLatch(1);
            var second = threads.submit(() -> {
                OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "second", null, type);
                List<ProcessId> own = processes.announced("sleep 60 >/dev/null & echo $!; wait");
                bothOpen.countDown();
                firstEnded.await();
                assertAlive(own);
                assertThat(found(test.end(POLICY))).containsExactlyInAnyOrderElementsOf(own);
                return own;
            });
            var first = threads.submit(() -> {
                OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "first", null, type);
                List<ProcessId> own = processes.announced("sleep 60 >/dev/null & echo $!; wait");
                bothOpen.countDown();
                bothOpen.await();
                try {
                    assertThat(found(test.end(POLICY))).containsExactlyInAnyOrderElementsOf(own);
                } finally {
                    firstEnded.countDown();
                }
                return own;
            });
            first.get();
            second.get();
            assertThat(type.end(POLICY).isClean()).isTrue();
        } finally {
            threads.shutdownNow();
            type.end(POLICY);
            run.end(POLICY);
        }
    }

    @Test
    void a_leak_under_another_user_is_found_and_ended() {
        assumeThat(System.getProperty("user.name")).as("the tests run as root").isEqualTo("root");
        ProcessWatch watch = watch(Switches.ALL);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "test", null, type);
        try {
            ProcessId foreign =
                    processes.start("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sleep", "60");
            assertThat(found(test.end(POLICY))).containsExactly(foreign);
            assertThat(ProcFacts.isAlive(foreign)).isFalse();
        } finally {
            test.end(POLICY);
            type.end(POLICY);
            run.end(POLICY);
        }
    }
}
