/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.noorphans.model.OrphanedProcessesError;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.Termination.Outcome;

/** The red spec under guard: S1-21 and S1-22 as the extension sees them. */
class RetryRedSpecTests {
    @Test
    void with_the_bug_the_guard_fails_the_test_and_names_the_orphan_and_its_chain() {
        EngineExecutionResults results = run(RetryRedSpec.RetryTests_with_the_bug.class);

        results.allEvents().assertStatistics(stats -> stats.failed(1));
        var error = (OrphanedProcessesError) results.testEvents().failed().stream()
                .findFirst()
                .orElseThrow()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        assertThat(error.report().scope().kind()).isEqualTo(ScopeKind.TEST);
        assertThat(error.report().leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.survivor().commandLine()).contains("sleep");
            assertThat(leak.survivor().chain()).singleElement().satisfies(agent -> {
                assertThat(agent.commandLine()).contains("claude");
                assertThat(agent.endedAgo()).isPresent();
                assertThat(leak.survivor().row().groupId()).hasValue(agent.id().pid());
            });
            assertThat(leak.survivor().chainComplete()).isTrue();
            assertThat(leak.termination().outcome()).isEqualTo(Outcome.EXITED_ON_REQUEST);
            assertThat(StartedProcesses.isAlive(leak.survivor().id().pid())).isFalse();
        });
        assertThat(error)
                .hasMessageStartingWith(
                        "RetryRedSpec.RetryTests_with_the_bug.kills_the_failed_attempt() left 1 process running:");
    }

    @Test
    void with_the_fix_the_same_test_passes() {
        run(RetryRedSpec.RetryTests_with_the_fix.class).allEvents().assertStatistics(stats -> stats.failed(0));
    }

    private static EngineExecutionResults run(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute();
    }
}
