/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.noorphans.model.Leak;
import org.noorphans.model.OrphanedProcessesError;
import org.noorphans.samples.daemon.RetryRedSpec.RetryTests_with_the_bug;
import org.noorphans.samples.daemon.RetryRedSpec.RetryTests_with_the_fix;

/** Runs the red spec with the bug and with the fix, shows the leak report, and checks that nothing is left. */
final class Demo {
    private final List<String> deviations = new ArrayList<>();

    /** One test of a run. */
    record Outcome(String name, TestExecutionResult result) {}

    /** Exit code 0 if everything came as expected, otherwise 1. */
    public static void main(String[] args) {
        Demo demo = new Demo();
        String summary = demo.run();
        System.out.println();
        if (demo.deviations.isEmpty()) {
            System.out.println(summary);
        } else {
            demo.deviations.forEach(deviation -> System.out.println("NOT AS EXPECTED: " + deviation));
            System.exit(1);
        }
    }

    private String run() {
        System.out.println("1. The agent daemon with the bug: a retry sends TERM to the direct child only.\n");
        List<Outcome> bug = run(RetryTests_with_the_bug.class);
        long orphan = checkBug(bug);
        System.out.println("\n2. The same test, the same agent; the daemon ends the whole process group.\n");
        List<Outcome> fix = run(RetryTests_with_the_fix.class);
        expect(
                fix.size() == 1 && fix.get(0).result().getStatus() == Status.SUCCESSFUL,
                "with the fix the test passes",
                fix);
        List<String> left = Stream.concat(
                        ProcessHandle.current().descendants().map(ProcessHandle::pid), Stream.of(orphan))
                .filter(pid -> pid > 0)
                .flatMap(pid -> ProcStat.of(pid).stream())
                .filter(process -> process.state() != 'Z')
                .map(Object::toString)
                .toList();
        expect(left.isEmpty(), "the process table shows nothing of both runs", left);
        return "With the bug: 1 test failed, 1 orphan named and ended. With the fix: 1 test passed, nothing left."
                + " No process of this demo is alive.";
    }

    private long checkBug(List<Outcome> bug) {
        boolean failed =
                bug.size() == 1 && bug.get(0).result().getThrowable().orElse(null) instanceof OrphanedProcessesError;
        expect(failed, "with the bug the test fails with an OrphanedProcessesError", bug);
        if (!failed) {
            return 0;
        }
        var error = (OrphanedProcessesError) bug.get(0).result().getThrowable().orElseThrow();
        List<Leak> leaks = error.report().leaks();
        expect(leaks.size() == 1, "the report names one process, the MCP server of the failed attempt", leaks);
        expect(
                leaks.stream().allMatch(leak -> leak.termination().outcome().isGone()),
                "the process has been ended",
                leaks);
        expect(
                leaks.stream()
                        .allMatch(leak -> leak.survivor().chain().stream()
                                .anyMatch(link -> link.commandLine().contains("claude"))),
                "the chain of parents names the fake agent, which is gone",
                leaks);
        return leaks.isEmpty() ? 0 : leaks.get(0).survivor().id().pid();
    }

    private void expect(boolean condition, String expectation, Object found) {
        if (!condition) {
            deviations.add("expected: " + expectation + "; found: " + found);
        }
    }

    private static List<Outcome> run(Class<?> testClass) {
        List<Outcome> outcomes = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(testClass))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest() || result.getStatus() != Status.SUCCESSFUL) {
                                    outcomes.add(new Outcome(test.getDisplayName(), result));
                                    System.out.println("   " + testClass.getSimpleName() + "." + test.getDisplayName()
                                            + ": " + result.getStatus());
                                    result.getThrowable()
                                            .ifPresent(failure -> System.out.println(
                                                    "\n" + failure.getMessage().indent(3)));
                                }
                            }
                        });
        return outcomes;
    }

    private Demo() {}
}
