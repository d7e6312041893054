/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.util.List;
import org.awaitility.Awaitility;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.ProcessTableReaderContract;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.internal.terminate.SignalSenderContract;
import org.noorphans.model.ProcessId;

/** Real processes on Linux. */
final class LinuxWorld implements ProcessTableReaderContract.World, SignalSenderContract.SignalWorld {
    private final StartedProcesses processes = new StartedProcesses();
    private final Platform platform;

    LinuxWorld(Switches switches) {
        platform = LinuxPlatform.create(switches);
    }

    @Override
    public ProcessTableReader reader() {
        return platform.reader();
    }

    @Override
    public SignalSender sender() {
        return platform.sender();
    }

    @Override
    public ProcessId self() {
        return platform.reader().self();
    }

    @Override
    public ProcessId child() {
        ProcessId child = processes.sleep();
        // For an instant a new child still carries the command line of this JVM.
        StartedProcesses.awaitState(child, "S");
        Awaitility.await()
                .until(() -> reader().commandLine(child.pid())
                        .filter(line -> line.startsWith("sleep"))
                        .isPresent());
        return child;
    }

    @Override
    public List<ProcessId> childAndGrandchild() {
        return processes.announced("sleep 60 >/dev/null & echo $!; wait");
    }

    @Override
    public ProcessId orphan() {
        List<ProcessId> two = childAndGrandchild();
        StartedProcesses.end(two.get(0));
        return two.get(1);
    }

    @Override
    public ProcessId zombie() {
        // The shell does not wait for the first child, and sleep does not either.
        List<ProcessId> two = processes.announced("sleep 0.2 & echo $!; exec sleep 60 >/dev/null");
        StartedProcesses.awaitState(two.get(1), "Z");
        return two.get(1);
    }

    @Override
    public ProcessId gone() {
        ProcessId child = processes.sleep();
        StartedProcesses.end(child);
        Awaitility.await()
                .until(() ->
                        ProcFacts.identity(child.pid()).filter(child::equals).isEmpty());
        return child;
    }

    @Override
    public ProcessId sessionLeader() {
        ProcessId leader = processes.start("setsid", "sleep", "60");
        Awaitility.await()
                .until(() -> ProcFacts.group(leader.pid())
                        .filter(group -> group == leader.pid())
                        .isPresent());
        return leader;
    }

    @Override
    public ProcessId stopped() {
        ProcessId child = processes.sh("kill -STOP $$; exec sleep 60");
        StartedProcesses.awaitState(child, "T");
        return child;
    }

    @Override
    public ProcessId stubborn() {
        return withTerm(TermHandling.IGNORED);
    }

    @Override
    public ProcessId withTerm(TermHandling handling) {
        String trap = switch (handling) {
            case CAUGHT -> "trap : TERM; ";
            case IGNORED -> "trap '' TERM; ";
            case DEFAULT, UNKNOWN -> "";
        };
        // A builtin that waits: no child would have to be ended.
        return processes.announced(trap + "echo; read -r line").get(0);
    }

    @Override
    public ProcessId outsider() {
        return ProcFacts.identity(ProcessHandle.current().parent().orElseThrow().pid())
                .orElseThrow();
    }

    @Override
    public boolean isAlive(ProcessId id) {
        return ProcFacts.isAlive(id);
    }

    @Override
    public void awaitEnd(ProcessId id) {
        StartedProcesses.awaitEnd(id);
    }

    @Override
    public void awaitStopped(ProcessId id, boolean stopped) {
        StartedProcesses.awaitState(id, stopped ? "T" : "SRD");
    }

    @Override
    public void close() {
        processes.close();
    }
}
