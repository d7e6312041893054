/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.os.linux.QuietPlatform;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/** The real reader, until a test breaks it. */
final class BreakableReader implements ProcessTableReader {
    private final ProcessTableReader real = QuietPlatform.get().orElseThrow().reader();
    private volatile boolean breaksOnce;
    private volatile boolean broken;
    private volatile boolean throwing;
    private final AtomicReference<Runnable> afterwards = new AtomicReference<>(() -> {});

    /** Something happens after the next table was read, before anybody sees it. */
    void afterNextTable(Runnable deed) {
        afterwards.set(deed);
    }

    void breakOnce() {
        breaksOnce = true;
    }

    /** Throws, or shows nothing. */
    void breakForGood(boolean byThrowing) {
        throwing = byThrowing;
        broken = true;
    }

    @Override
    public ProcessTable wholeTable() {
        if (breaksOnce || (broken && throwing)) {
            breaksOnce = false;
            throw new IllegalStateException("the inspection broke");
        }
        ProcessTable table = broken ? ProcessTable.of(List.of()) : real.wholeTable();
        afterwards.getAndSet(() -> {}).run();
        return table;
    }

    @Override
    public ProcessId self() {
        return real.self();
    }

    @Override
    public boolean hasNoChild() {
        return real.hasNoChild();
    }

    @Override
    public ProcessTable ownTree() {
        return real.ownTree();
    }

    @Override
    public Optional<ProcessRow> row(long pid) {
        return broken ? Optional.empty() : real.row(pid);
    }

    @Override
    public Optional<String> commandLine(long pid) {
        return real.commandLine(pid);
    }

    @Override
    public TermHandling termHandling(long pid) {
        return real.termHandling(pid);
    }

    @Override
    public Optional<String> threadName(long taskId) {
        return real.threadName(taskId);
    }

    @Override
    public long now() {
        return real.now();
    }

    @Override
    public Duration between(long earlierStamp, long laterStamp) {
        return real.between(earlierStamp, laterStamp);
    }

    @Override
    public Instant instantOf(long stamp) {
        return real.instantOf(stamp);
    }

    @Override
    public long stamps(Duration duration) {
        return real.stamps(duration);
    }

    @Override
    public Set<Long> selfAndAncestors() {
        return real.selfAndAncestors();
    }

    @Override
    public OptionalLong currentTask() {
        return real.currentTask();
    }
}
