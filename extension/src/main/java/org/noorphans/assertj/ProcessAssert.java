/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.assertj;

import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/** Assertions about one process; made by {@link ProcessAssertions}. */
public final class ProcessAssert extends AbstractAssert<ProcessAssert, Long> {
    private final ProcessTableReader reader;
    private final Optional<ProcessId> id;

    ProcessAssert(long pid) {
        super(pid, ProcessAssert.class);
        reader = ProcessLines.reader()
                .orElseThrow(() -> new UnsupportedOperationException("processes cannot be read on this system"));
        id = reader.row(pid).map(ProcessRow::id);
    }

    /** What the process looks like now; empty if it has left the table or its number is another's. */
    private Optional<ProcessRow> row() {
        return reader.row(actual).filter(row -> Optional.of(row.id()).equals(id));
    }

    private boolean isAlive() {
        return row().filter(ProcessRow::isAlive).isPresent();
    }

    /** It is alive. */
    public ProcessAssert isRunning() {
        if (!isAlive()) {
            throw failure("%s", "Expecting process " + actual + " to be running, but " + whyNot() + ".");
        }
        return this;
    }

    private String whyNot() {
        if (id.isEmpty()) {
            return "there is no process with this number";
        }
        return row().map(row -> "it is a " + row.state().words() + ":\n\n" + ProcessLines.of(row))
                .orElse("it has ended");
    }

    /** It is gone, or has gone by the end of this time. */
    public ProcessAssert exitsWithin(Duration atMost) {
        if (!ProcessLines.within(atMost, () -> !isAlive())) {
            Optional<ProcessRow> alive = row().filter(ProcessRow::isAlive);
            if (alive.isPresent()) {
                throw failure(
                        "%s",
                        "Expecting process " + actual + " to have ended within " + ProcessLines.spell(atMost)
                                + ", but it is alive:\n\n" + ProcessLines.of(alive.get()));
            }
        }
        return this;
    }

    /** It is alive and in this process group. */
    public ProcessAssert isInGroup(long groupId) {
        isRunning();
        row().ifPresent(row -> {
            if (row.groupId().isEmpty() || row.groupId().getAsLong() != groupId) {
                throw failure(
                        "%s",
                        "Expecting process " + actual + " to be in group " + groupId + ", but it is in "
                                + (row.groupId().isPresent()
                                        ? "group " + row.groupId().getAsLong()
                                        : "an unknown one")
                                + ":\n\n" + ProcessLines.of(row));
            }
        });
        return this;
    }
}
