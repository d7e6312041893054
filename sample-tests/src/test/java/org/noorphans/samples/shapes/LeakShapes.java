/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.samples.shapes.LeakShape.byForce;
import static org.noorphans.samples.shapes.LeakShape.onRequest;
import static org.noorphans.samples.shapes.LeakShape.shape;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.OrphanedProcessesError;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;
import org.noorphans.samples.shapes.LeakShapeFixtures.S01aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S01bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S01cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S02aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S02bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S02cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S03aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S03bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S03cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S04aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S04bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S05aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S05bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S05bWithoutOwnSubreaperTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S07aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S07bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S07cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S08aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S08bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S08cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S09aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S09bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S10aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S10bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S11aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S11bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S11cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S11dTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S12aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S14aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S14cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S16aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S16bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S19aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S19bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S19cTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S19dFirstTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S19dSecondTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S20aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S20bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S21aTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S21bTestCase;
import org.noorphans.samples.shapes.LeakShapeFixtures.S21cTestCase;

/** The table: every leak shape that is sampled here, case by case, with its verdict. */
final class LeakShapes {
    /** Those that are run once more below a foreign subreaper, by the rows {@code S05 b}. */
    static final List<String> BELOW_SUBREAPER =
            List.of("S01 a", "S02 a", "S03 b", "S04 a", "S05 a", "S08 a", "S09 a", "S12 a", "S16 a", "S19 b", "S21 a");

    static final List<LeakShape> ALL = List.of(
            shape("S01 a", "root asked to end", S01aTestCase.class)
                    .testLeaves(onRequest("worker").below("root"))
                    .and(LeakShapes::namesTheShellThatHasGone),
            shape("S01 b", "root killed", S01bTestCase.class)
                    .testLeaves(onRequest("worker").below("root"))
                    .and(LeakShapes::namesTheShellThatHasGone),
            shape("S01 c", "shell with a command line of its own", S01cTestCase.class)
                    .testLeaves(onRequest("worker").below("root"))
                    .and(LeakShapes::namesTheShellThatHasGone),
            shape("S02 a", "job of a command that succeeds", S02aTestCase.class).testLeaves(onRequest("job")),
            shape("S02 b", "job of a subshell", S02bTestCase.class).testLeaves(onRequest("job")),
            shape("S02 c", "two jobs that stay and a brief one", S02cTestCase.class)
                    .testLeaves(onRequest("first"), onRequest("second")),
            shape("S03 a", "own session, root killed", S03aTestCase.class)
                    .testLeaves(onRequest("own-session").below("root"))
                    .and(run -> hasItsOwnGroup(run, "own-session", true)),
            shape("S03 b", "own group, root killed", S03bTestCase.class)
                    .testLeaves(onRequest("own-group").below("root"))
                    .and(run -> hasItsOwnGroup(run, "own-group", false)),
            shape("S03 c", "own session, root alive", S03cTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("own-session").below("root"))
                    .and(run -> hasItsOwnGroup(run, "own-session", true)),
            shape("S04 a", "daemon", S04aTestCase.class)
                    .testLeaves(onRequest("daemon"))
                    .and(LeakShapes::hasNoLeader),
            shape("S04 b", "daemon in / without open files", S04bTestCase.class)
                    .testLeaves(onRequest("daemon"))
                    .and(LeakShapes::hasNoLeader),
            shape("S05 a", "subreaper in the tree of the test", S05aTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("leaf"))
                    .and(run -> assertThat(row(run, "leaf").parentPid())
                            .isEqualTo(run.processes().id("root").pid())),
            shape("S05 b", "whole run below a subreaper", S05bTestCase.class),
            shape("S05 b", "whole run below a subreaper and not one itself", S05bWithoutOwnSubreaperTestCase.class),
            shape("S07 a", "reader blocked while the command runs", S07aTestCase.class)
                    .testLeaves(onRequest("holder"))
                    .and(LeakShapes::readerEndsWithinASecond),
            shape("S07 b", "reader that comes after the end", S07bTestCase.class)
                    .testLeaves(onRequest("holder")),
            shape("S07 c", "holder of stderr, merged into stdout", S07cTestCase.class)
                    .testLeaves(onRequest("holder"))
                    .and(LeakShapes::readerEndsWithinASecond),
            shape("S08 a", "TERM ignored", S08aTestCase.class)
                    .testLeaves(byForce("root"), byForce("stubborn").below("root"))
                    .and(LeakShapes::isEndedWithinGraceAndASecond),
            shape("S08 b", "TERM ignored in an own session", S08bTestCase.class)
                    .testLeaves(byForce("root"), byForce("stubborn").below("root"))
                    .and(LeakShapes::isEndedWithinGraceAndASecond),
            shape("S08 c", "handler that does nothing", S08cTestCase.class)
                    .testLeaves(onRequest("root"), byForce("stubborn").below("root"))
                    .and(LeakShapes::isEndedWithinGraceAndASecond),
            shape("S09 a", "stopped orphan", S09aTestCase.class)
                    .testLeaves(onRequest("stopped"))
                    .and(LeakShapes::isNamedAsStopped),
            shape("S09 b", "stopped child of a parent that waits", S09bTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("stopped").below("root"))
                    .and(LeakShapes::isNamedAsStopped),
            shape("S10 a", "respawner", S10aTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("child-0").below("root")),
            shape("S10 b", "respawner in its own session", S10bTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("child-0").below("root")),
            shape("S11 a", "slow but orderly", S11aTestCase.class)
                    .testLeaves(onRequest("root"), onRequest("clock").below("root"))
                    .and(run ->
                            assertThat(run.processes().out().resolve("saved")).exists()),
            shape("S11 b", "gone by itself after the test", S11bTestCase.class),
            shape("S11 c", "the same while every core is busy", S11cTestCase.class),
            shape("S11 d", "slow, and the grace too short", S11dTestCase.class)
                    .testLeaves(byForce("root"), byForce("clock").below("root"))
                    .and(run ->
                            assertThat(run.processes().out().resolve("saved")).doesNotExist())
                    .and(LeakShapes::isEndedWithinGraceAndASecond),
            shape("S12 a", "in the group of the JVM, beside a bystander", S12aTestCase.class)
                    .withBystander()
                    .testLeaves(onRequest("root"), onRequest("same-group").below("root"))
                    .and(LeakShapes::bystanderIsNotMentioned)
                    .and(LeakShapes::buildToolIsAlive),
            shape("S14 a", "twin of a bystander", S14aTestCase.class)
                    .withBystander()
                    .testLeaves(onRequest("twin"))
                    .and(LeakShapes::bystanderIsNotMentioned),
            shape("S14 c", "named like this JVM", S14cTestCase.class).testLeaves(onRequest("root")),
            shape("S16 a", "zombie below a living parent", S16aTestCase.class)
                    .testLeaves(onRequest("root"))
                    .and(run -> assertThat(error(run)).hasMessageNotContaining("zombie")),
            shape("S16 b", "killed orphan that nobody collects", S16bTestCase.class)
                    .testLeaves(byForce("leaf"))
                    .and(LeakShapes::isEndedWithinGraceAndASecond),
            shape("S19 a", "started and ended with the class", S19aTestCase.class),
            shape("S19 b", "started with the class and left", S19bTestCase.class)
                    .classLeaves(onRequest("root"), onRequest("worker").below("root"))
                    .and(run -> assertThat(error(run)).hasMessageContaining("S19bTestCase.up(")),
            shape("S19 c", "started and ended with each test", S19cTestCase.class),
            shape("S19 d", "server for the whole run", S19dFirstTestCase.class, S19dSecondTestCase.class)
                    .and(run -> assertThat(run.processes().note(SharedServer.ALIVE_AT_THE_END))
                            .isEqualTo("true")),
            shape("S20 a", "host of the class, one helper for each test", S20aTestCase.class)
                    .classLeaves(
                            onRequest("root"),
                            onRequest("clock").below("root"),
                            onRequest("helper-1").below("root"),
                            onRequest("helper-2").below("root"),
                            onRequest("helper-3").below("root")),
            shape("S20 b", "host with three generations of helpers", S20bTestCase.class)
                    .testLeaves(
                            onRequest("root"),
                            onRequest("clock").below("root"),
                            onRequest("helper-1").below("root"),
                            onRequest("helper-2").below("root"),
                            onRequest("helper-3").below("root")),
            shape("S21 a", "three attempts that failed", S21aTestCase.class)
                    .testLeaves(onRequest("attempt-1"), onRequest("attempt-2"), onRequest("attempt-3"))
                    .and(LeakShapes::isInOrderOfAttempts),
            shape("S21 b", "first attempt destroyed, second failed", S21bTestCase.class)
                    .testLeaves(onRequest("worker").below("root-1"), onRequest("attempt-2")),
            shape("S21 c", "second attempt beside the first", S21cTestCase.class)
                    .testLeaves(
                            onRequest("root-1"),
                            onRequest("attempt-1").below("root-1"),
                            onRequest("root-2"),
                            onRequest("attempt-2").below("root-2")));

    private LeakShapes() {}

    static Stream<LeakShape> belowSubreaper() {
        return ALL.stream().filter(shape -> BELOW_SUBREAPER.contains(shape.name()));
    }

    private static OrphanedProcessesError error(FixtureRun run) {
        return run.unsuccessful().get(0).leak().orElseThrow();
    }

    private static Leak leak(FixtureRun run, String role) {
        return LeakShape.leak(run, error(run).report(), role);
    }

    private static ProcessRow row(FixtureRun run, String role) {
        return leak(run, role).survivor().row();
    }

    private static void namesTheShellThatHasGone(FixtureRun run) {
        String whence = run.isSubreaper()
                ? "this test, thread \"" + Thread.currentThread().getName() + "\""
                : "";
        assertThat(error(run))
                .message()
                .containsPattern("started +by sh .+ \\(pid "
                        + run.processes().id("root").pid() + ", ended [^)]+ ago\\) < " + whence);
    }

    private static void hasItsOwnGroup(FixtureRun run, String role, boolean ownSession) {
        ProcessRow row = row(run, role);
        long session = ownSession ? row.pid() : LinuxProcess.self().session();
        assertThat(row.groupId()).hasValue(row.pid());
        assertThat(row.sessionId()).hasValue(session);
        assertThat(error(run)).hasMessageContaining("group " + row.pid() + ", session " + session);
    }

    private static void hasNoLeader(FixtureRun run) {
        ProcessRow row = row(run, "daemon");
        assertThat(row.groupId()).isEqualTo(row.sessionId());
        long leader = row.groupId().orElseThrow();
        assertThat(leader)
                .isNotEqualTo(row.pid())
                .isNotEqualTo(LinuxProcess.self().group());
        assertThat(LinuxProcess.read(leader)).isEmpty();
    }

    private static void readerEndsWithinASecond(FixtureRun run) {
        try {
            assertThat(run.processes().reader().get(1, TimeUnit.SECONDS)).isEqualTo("working\n");
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the reader is still blocked a second after the holder has ended", e);
        }
    }

    private static void isEndedWithinGraceAndASecond(FixtureRun run) {
        Duration grace = Duration.ofMillis(Long.parseLong(LeakShapeFixtures.SHORT_GRACE.replace("ms", "")));
        LeakReport report = error(run).report();
        assertThat(report.leaks())
                .allSatisfy(leak -> assertThat(leak.termination().after()).isLessThanOrEqualTo(grace.plusSeconds(1)));
        assertThat(error(run)).hasMessageContaining("by SIGKILL after");
    }

    private static void isNamedAsStopped(FixtureRun run) {
        assertThat(row(run, "stopped").state()).isEqualTo(ProcessState.STOPPED);
        assertThat(error(run)).hasMessageContaining("state T, stopped");
    }

    private static void bystanderIsNotMentioned(FixtureRun run) {
        assertThat(error(run))
                .hasMessageNotContaining(
                        "pid " + run.processes().id("bystander").pid());
    }

    private static void buildToolIsAlive(FixtureRun run) {
        assertThat(ProcessHandle.current().parent())
                .hasValueSatisfying(parent -> assertThat(LinuxProcess.read(parent.pid()))
                        .hasValueSatisfying(
                                process -> assertThat(process.state()).isNotEqualTo('Z')));
    }

    private static void isInOrderOfAttempts(FixtureRun run) {
        assertThat(error(run).report().leaks())
                .extracting(leak -> run.processes().role(leak.survivor().id()))
                .containsExactly("attempt-1", "attempt-2", "attempt-3");
    }
}
