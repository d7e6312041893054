/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.OrphanedProcessesError;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.Termination.Outcome;

/**
 * One row: a shape and case, the fixture that shows it, and the verdict that it must get.
 *
 * @param name the shape and case, such as {@code S03 b}
 * @param what the case in a few words
 * @param fixtures the classes to be run, in this order
 * @param bystander whether an unrelated process is there before the run begins, which must live on
 * @param reports the expected failures, in this order; nothing else fails
 * @param alsoHolds what else must hold when the run is over
 */
record LeakShape(
        String name,
        String what,
        List<Class<?>> fixtures,
        boolean bystander,
        List<Report> reports,
        Consumer<FixtureRun> alsoHolds) {

    private static final String BYSTANDER = "bystander";

    /**
     * An expected failure.
     *
     * @param kind the kind of the scope that ended and owns all its survivors
     * @param element the test or class that fails
     * @param survivors its survivors in the order of their start
     */
    record Report(ScopeKind kind, String element, List<ExpectedSurvivor> survivors) {}

    /**
     * An expected survivor.
     *
     * @param role as published
     * @param outcome how it ends
     * @param chain the roles of its parents, nearest first, the last one started by the JVM; empty if the case leaves open
     *     whether a parent was seen
     */
    record ExpectedSurvivor(String role, Outcome outcome, List<String> chain) {
        /** A survivor of which the whole chain must be shown, whether its links still live or not. */
        ExpectedSurvivor below(String... parents) {
            return new ExpectedSurvivor(role, outcome, List.of(parents));
        }
    }

    /** A row that expects no failure, until it is told. */
    static LeakShape shape(String name, String what, Class<?>... fixtures) {
        return new LeakShape(name, what, List.of(fixtures), false, List.of(), run -> {});
    }

    static ExpectedSurvivor onRequest(String role) {
        return new ExpectedSurvivor(role, Outcome.EXITED_ON_REQUEST, List.of());
    }

    static ExpectedSurvivor byForce(String role) {
        return new ExpectedSurvivor(role, Outcome.ENDED_BY_FORCE, List.of());
    }

    /** The test {@code leaks} fails and owns these survivors. */
    LeakShape testLeaves(ExpectedSurvivor... survivors) {
        return with(new Report(ScopeKind.TEST, "leaks", List.of(survivors)));
    }

    /** The class fails and owns these survivors. */
    LeakShape classLeaves(ExpectedSurvivor... survivors) {
        return with(new Report(ScopeKind.CLASS, fixtures.get(0).getSimpleName(), List.of(survivors)));
    }

    private LeakShape with(Report report) {
        List<Report> more = new ArrayList<>(reports);
        more.add(report);
        return new LeakShape(name, what, fixtures, bystander, List.copyOf(more), alsoHolds);
    }

    LeakShape withBystander() {
        return new LeakShape(name, what, fixtures, true, reports, alsoHolds);
    }

    LeakShape and(Consumer<FixtureRun> check) {
        return new LeakShape(name, what, fixtures, bystander, reports, alsoHolds.andThen(check));
    }

    /** The number of survivors in all reports together. */
    int survivors() {
        return reports.stream().mapToInt(report -> report.survivors().size()).sum();
    }

    /** Runs the fixture and compares what came of it with this row. Ends what is left, pass or fail. */
    void verify(Path out, Map<String, String> parameters) {
        try (FixtureRun run = FixtureRun.of(out, fixtures, parameters, processes -> {
            if (bystander) {
                processes.sleeper(BYSTANDER);
            }
        })) {
            assertThat(run.unsuccessful())
                    .as("%s: what fails of %s", this, run.unsuccessful())
                    .extracting(FixtureRun.Ending::element)
                    .containsExactlyElementsOf(
                            reports.stream().map(Report::element).toList());
            for (int i = 0; i < reports.size(); i++) {
                verify(run, reports.get(i), run.unsuccessful().get(i));
            }
            assertThat(run.succeeded()).as("%s: the next test", this).contains("the_next_test");
            assertThat(run.processes().alive())
                    .as("%s: published processes that are alive after the run", this)
                    .isEqualTo(bystander ? List.of(BYSTANDER) : List.of());
            alsoHolds.accept(run);
        }
    }

    private void verify(FixtureRun run, Report expected, FixtureRun.Ending ending) {
        assertThat(ending.throwable())
                .as("%s: the failure of %s", this, ending)
                .containsInstanceOf(OrphanedProcessesError.class);
        OrphanedProcessesError error = ending.leak().orElseThrow();
        LeakReport report = error.report();
        SampleProcesses processes = run.processes();
        assertThat(report.leaks())
                .as("%s: survivors of %s", this, error.getMessage())
                .extracting(leak -> processes.role(leak.survivor().id()))
                .containsExactlyInAnyOrderElementsOf(expected.survivors().stream()
                        .map(ExpectedSurvivor::role)
                        .toList());
        assertThat(report.scope().kind()).as("%s: %s", this, error.getMessage()).isEqualTo(expected.kind());
        assertThat(report.scope().name()).contains(expected.element());
        for (ExpectedSurvivor survivor : expected.survivors()) {
            Leak leak = leak(run, report, survivor.role());
            assertThat(leak.survivor().owner())
                    .as("%s: %s", this, error.getMessage())
                    .isEqualTo(report.scope());
            assertThat(leak.termination().outcome())
                    .as("%s: %s", this, error.getMessage())
                    .isEqualTo(survivor.outcome());
            assertThat(error)
                    .hasMessageContaining("pid " + leak.survivor().row().pid() + "  ");
            if (!survivor.chain().isEmpty()) {
                assertThat(leak.survivor().chain())
                        .as("%s: chain of %s in %s", this, survivor.role(), error.getMessage())
                        .extracting(link -> processes.role(link.id()))
                        .containsExactlyElementsOf(survivor.chain());
                if (run.isSubreaper()) {
                    assertThat(leak.survivor().chainComplete())
                            .as("%s: %s", this, error.getMessage())
                            .isTrue();
                }
            }
        }
    }

    /** The entry of one role in a report. */
    static Leak leak(FixtureRun run, LeakReport report, String role) {
        return report.leaks().stream()
                .filter(leak -> run.processes().role(leak.survivor().id()).equals(role))
                .findFirst()
                .orElseThrow(() -> new AssertionError(role + " is not in " + report));
    }

    @Override
    public String toString() {
        return name + " " + what;
    }
}
