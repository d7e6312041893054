/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ScopeId;

/**
 * What attribution needs to know of a scope.
 *
 * @param id which scope
 * @param parent the scope that contains it; null for the run
 * @param opened the stamp of its begin; compares with start stamps
 * @param closed the stamp of its end; empty while it is open
 * @param lastLook the number of the look that was taken at its end; what was seen only later started later
 * @param slot the mark on its thread; 0 for none
 * @param task the thread that opened it, where it can be told
 * @param thread the name of that thread
 * @param baseline the processes that were there before it
 * @param code the test method that it runs; null for a class and the run
 */
public record Scope(
        ScopeId id,
        @Nullable Scope parent,
        long opened,
        OptionalLong closed,
        long lastLook,
        int slot,
        OptionalLong task,
        String thread,
        Set<ProcessId> baseline,
        @Nullable TestCode code) {

    /** Whether the process may have been started inside this scope: within its time, and not there before. */
    public boolean mayHaveStarted(ProcessRecord process) {
        long started = process.id().startStamp();
        return started >= opened
                && !baseline.contains(process.id())
                && (closed.isEmpty() || (started <= closed.getAsLong() && process.firstLook() <= lastLook));
    }

    /** The same scope, ended. */
    public Scope closedAt(long stamp, long look) {
        return new Scope(id, parent, opened, OptionalLong.of(stamp), look, slot, task, thread, baseline, code);
    }

    /** The same scope under another name, with the code that it runs. */
    public Scope named(ScopeId newId, @Nullable TestCode newCode) {
        return new Scope(newId, parent, opened, closed, lastLook, slot, task, thread, baseline, newCode);
    }

    /** Whether this is its own thread. */
    public boolean runsOn(OptionalLong otherTask) {
        return task.isPresent() && task.equals(otherTask);
    }

    /** Whether the scope has ended. */
    public boolean isClosed() {
        return closed.isPresent();
    }

    /** Whether this is the other scope or lies inside it. */
    public boolean isWithin(ScopeId other) {
        for (@Nullable Scope scope = this; scope != null; scope = scope.parent) {
            if (scope.id.number() == other.number()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is another scope, within the given one. */
    public boolean isInside(Scope other) {
        return id.number() != other.id.number() && isWithin(other.id);
    }

    /** The scope that contains this one and is contained in none. */
    public Scope outermost() {
        return parent == null ? this : parent.outermost();
    }

    /** The narrowest scope that contains this one and the other; empty if they have nothing in common. */
    public Optional<Scope> narrowestCommon(Scope other) {
        for (@Nullable Scope scope = this; scope != null; scope = scope.parent) {
            if (other.isWithin(scope.id)) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }
}
