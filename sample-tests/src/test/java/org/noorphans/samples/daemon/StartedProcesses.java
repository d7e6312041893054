/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The processes a test has to answer for: told to it as soon as their pid is known, ended by it pass or fail. */
final class StartedProcesses implements AutoCloseable {

    private final List<ProcStat> started = new CopyOnWriteArrayList<>();

    /** Registers a process by pid and start time; one that has gone already needs no end. */
    long register(long pid) {
        ProcStat.of(pid).ifPresent(started::add);
        return pid;
    }

    /** The registered ones that are alive; a zombie is not, and neither is another process with the same pid. */
    List<ProcStat> alive() {
        return started.stream()
                .map(process -> ProcStat.of(process.pid()).filter(process::isSameProcessAs))
                .flatMap(Optional::stream)
                .filter(ProcStat::isAlive)
                .toList();
    }

    /** Kills what is alive and ignores what has gone. */
    @Override
    public void close() {
        for (ProcStat process : alive()) {
            ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Whether this process runs: neither gone nor a zombie. */
    static boolean isAlive(long pid) {
        return ProcStat.of(pid).filter(ProcStat::isAlive).isPresent();
    }
}
