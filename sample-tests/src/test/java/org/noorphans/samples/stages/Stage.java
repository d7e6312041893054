/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.stages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.OrphanedProcessesError;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.Termination.Outcome;
import org.noorphans.samples.shapes.FixtureRun;

/**
 * One row: a place where a process is started and left, and what must come of it. Every fixture leaves the process that it
 * publishes as {@code leak}.
 *
 * @param what where it is started
 * @param fixture the class that does it
 * @param verdict what fails; empty if nothing does
 * @param needsConstructorInTestScope whether JUnit must tell which test an instance is constructed for: 5.12 and later do
 * @param alsoHolds what else must hold when the run is over
 */
record Stage(
        String what,
        Class<?> fixture,
        Optional<Verdict> verdict,
        boolean needsConstructorInTestScope,
        Consumer<FixtureRun> alsoHolds) {
    private static final String LEAK = "leak";

    /** Where the failure of the test itself is to be found. */
    enum Own {
        /** It did not fail by itself. */
        NONE,
        /** It is the failure, and the leak is suppressed under it. */
        FIRST,
        /** The leak is the failure, and it is suppressed under that. */
        SUPPRESSED
    }

    /**
     * What fails.
     *
     * @param element the test or container, as the run names it
     * @param kind the kind of the scope that ended and owns the process
     * @param owner the name of that scope, without the class that holds the fixtures
     * @param own where the failure of the test itself stands
     * @param message a part of that failure's message
     * @param outcome how the process ends
     */
    record Verdict(String element, ScopeKind kind, String owner, Own own, String message, Outcome outcome) {}

    /** A row that expects no failure, until it is told. */
    static Stage stage(String what, Class<?> fixture) {
        return new Stage(what, fixture, Optional.empty(), false, run -> {});
    }

    /** A test fails; its scope is named by the fixture and what follows. */
    Stage failsTest(String element, String name) {
        return with(new Verdict(
                element,
                ScopeKind.TEST,
                fixture.getSimpleName() + "." + name,
                Own.NONE,
                "",
                Outcome.EXITED_ON_REQUEST));
    }

    /** The test {@code leaks} fails, which takes what the fixtures take. */
    Stage failsTest() {
        return failsTest("leaks", "leaks(SampleProcesses)");
    }

    /** The class of the fixture fails. */
    Stage failsClass() {
        return failsClass(fixture.getSimpleName(), fixture.getSimpleName());
    }

    /** A class fails. */
    Stage failsClass(String element, String name) {
        return with(new Verdict(element, ScopeKind.CLASS, name, Own.NONE, "", Outcome.EXITED_ON_REQUEST));
    }

    /** It fails by itself as well. */
    Stage withOwnFailure(Own own, String message) {
        Verdict v = verdict.orElseThrow();
        return with(new Verdict(v.element(), v.kind(), v.owner(), own, message, v.outcome()));
    }

    /** The process is left alone. */
    Stage leftAlone() {
        Verdict v = verdict.orElseThrow();
        return with(new Verdict(v.element(), v.kind(), v.owner(), v.own(), v.message(), Outcome.LEFT_ALONE));
    }

    /** The verdict is another one where JUnit does not tell which test an instance is constructed for. */
    Stage whereConstructorsBelongToTests() {
        return new Stage(what, fixture, verdict, true, alsoHolds);
    }

    Stage and(Consumer<FixtureRun> check) {
        return new Stage(what, fixture, verdict, needsConstructorInTestScope, alsoHolds.andThen(check));
    }

    private Stage with(Verdict other) {
        return new Stage(what, fixture, Optional.of(other), needsConstructorInTestScope, alsoHolds);
    }

    /** Runs the fixture, and a class after it, and compares what came of it with this row. Ends what is left, pass or fail. */
    void verify(Path out) {
        List<Class<?>> classes = List.of(fixture, StageFixtures.AfterwardsTestCase.class);
        try (FixtureRun run = FixtureRun.of(out, classes, Map.of(), nothing -> {})) {
            assertThat(run.unsuccessful())
                    .as("%s: what fails of %s", this, run.unsuccessful())
                    .extracting(FixtureRun.Ending::element)
                    .isEqualTo(verdict.map(Verdict::element).stream().toList());
            verdict.ifPresent(v -> verify(v, run, run.unsuccessful().get(0)));
            assertThat(run.succeeded()).as("%s: the next class", this).contains("starts_nothing");
            if (!classIsNotSetUp()) {
                assertThat(run.succeeded()).as("%s: the next test", this).contains("the_next_test");
            }
            boolean left = verdict.map(Verdict::outcome)
                    .filter(Outcome.LEFT_ALONE::equals)
                    .isPresent();
            assertThat(run.processes().alive())
                    .as("%s: published processes that are alive after the run", this)
                    .isEqualTo(left ? List.of(LEAK) : List.of());
            alsoHolds.accept(run);
        }
    }

    private boolean classIsNotSetUp() {
        return verdict.filter(v -> v.kind() == ScopeKind.CLASS && v.own() == Own.FIRST)
                .isPresent();
    }

    private void verify(Verdict expected, FixtureRun run, FixtureRun.Ending ending) {
        assertThat(ending.status()).as("%s: %s", this, ending).isEqualTo("FAILED");
        assertThat(ending.leak()).as("%s: the leak in %s", this, ending).isPresent();
        OrphanedProcessesError error = ending.leak().orElseThrow();
        LeakReport report = error.report();
        String message = error.getMessage();
        assertThat(report.scope().kind()).as("%s: %s", this, message).isEqualTo(expected.kind());
        assertThat(report.scope().name()).as("%s: %s", this, message).isEqualTo("StageFixtures." + expected.owner());
        assertThat(report.leaks())
                .as("%s: %s", this, message)
                .extracting(leak -> run.processes().role(leak.survivor().id()))
                .containsExactly(LEAK);
        Leak leak = report.leaks().get(0);
        assertThat(leak.survivor().owner()).as("%s: %s", this, message).isEqualTo(report.scope());
        assertThat(leak.termination().outcome()).as("%s: %s", this, message).isEqualTo(expected.outcome());
        verifyOwnFailure(expected, ending, error);
    }

    private void verifyOwnFailure(Verdict expected, FixtureRun.Ending ending, OrphanedProcessesError error) {
        Throwable failure = ending.throwable().orElseThrow();
        if (expected.own() == Own.FIRST) {
            assertThat(failure).as("%s: the failure", this).isNotSameAs(error).hasMessageContaining(expected.message());
        } else {
            assertThat(failure).as("%s: the failure", this).isSameAs(error);
        }
        if (expected.own() == Own.SUPPRESSED) {
            assertThat(failure.getSuppressed())
                    .as("%s: suppressed", this)
                    .singleElement()
                    .satisfies(own -> assertThat(own).hasMessageContaining(expected.message()));
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
