/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.assertj;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.noorphans.SpawnedProcesses;
import org.noorphans.model.SpawnedProcess;

/** Assertions about what the running test has started; made by {@link ProcessAssertions}. */
public final class SpawnedProcessesAssert extends AbstractAssert<SpawnedProcessesAssert, SpawnedProcesses> {
    SpawnedProcessesAssert(SpawnedProcesses actual) {
        super(actual, SpawnedProcessesAssert.class);
    }

    /** Nothing that the test has started is alive but what was to be preserved. */
    public SpawnedProcessesAssert hasNoSurvivors() {
        return hasNoSurvivorsWithin(Duration.ZERO);
    }

    /** Nothing that the test has started is alive, but what was to be preserved, by the end of this time. */
    public SpawnedProcessesAssert hasNoSurvivorsWithin(Duration atMost) {
        isNotNull();
        if (!ProcessLines.within(atMost, () -> actual.survivors().isEmpty())) {
            List<SpawnedProcess> survivors = actual.survivors();
            if (!survivors.isEmpty()) {
                throw failure(
                        "%s",
                        "Expecting nothing that the test has started to be alive"
                                + (atMost.isZero() ? "" : " after " + ProcessLines.spell(atMost)) + ", but "
                                + ProcessLines.processes(survivors.size())
                                + (survivors.size() == 1 ? " is" : " are") + ":\n\n"
                                + survivors.stream()
                                        .map(process -> ProcessLines.of(process.row(), process.commandLine()))
                                        .collect(Collectors.joining("\n"))
                                + "\n\nTo let one live: spawned.preserve(processId).");
            }
        }
        return this;
    }
}
