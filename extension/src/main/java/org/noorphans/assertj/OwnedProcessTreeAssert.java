/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.assertj;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.assertj.core.api.AbstractAssert;
import org.noorphans.model.ProcessRow;
import org.noorphans.tree.OwnedProcess;
import org.noorphans.tree.OwnedProcessTree;
import org.noorphans.tree.TreeView;

/** Assertions about an owned tree; made by {@link ProcessAssertions}. */
public final class OwnedProcessTreeAssert extends AbstractAssert<OwnedProcessTreeAssert, OwnedProcessTree> {
    OwnedProcessTreeAssert(OwnedProcessTree actual) {
        super(actual, OwnedProcessTreeAssert.class);
    }

    /** Nothing of the tree is alive but what was to be preserved. */
    public OwnedProcessTreeAssert hasNoSurvivors() {
        return hasNoSurvivorsWithin(Duration.ZERO);
    }

    /** Nothing of the tree is alive, but what was to be preserved, by the end of this time. */
    public OwnedProcessTreeAssert hasNoSurvivorsWithin(Duration atMost) {
        isNotNull();
        if (!ProcessLines.within(atMost, () -> survivors().isEmpty())) {
            List<OwnedProcess> survivors = survivors();
            if (!survivors.isEmpty()) {
                throw failure(
                        "%s",
                        "Expecting nothing of the tree of process " + actual.pid() + " to be alive"
                                + (atMost.isZero() ? "" : " after " + ProcessLines.spell(atMost)) + ", but "
                                + ProcessLines.processes(survivors.size())
                                + (survivors.size() == 1 ? " is" : " are") + ":\n\n"
                                + lines(survivors)
                                + "\n\nTo end them: tree.stop(graceful, forced). To keep one: tree.preserve(identity).");
            }
        }
        return this;
    }

    private List<OwnedProcess> survivors() {
        TreeView view = actual.observe();
        return view.members().stream()
                .filter(member -> !view.preserved().contains(member.id()))
                .toList();
    }

    private static String lines(List<OwnedProcess> survivors) {
        return ProcessLines.of(survivors.stream()
                .map(member -> ProcessLines.reader()
                        .flatMap(reader -> reader.row(member.pid()))
                        .filter(row -> row.id().equals(member.id()))
                        .orElseGet(() -> row(member)))
                .toList());
    }

    private static ProcessRow row(OwnedProcess member) {
        return new ProcessRow(
                member.id(), member.parentPid(), member.groupId(), OptionalLong.empty(), member.state(), member.kind());
    }
}
