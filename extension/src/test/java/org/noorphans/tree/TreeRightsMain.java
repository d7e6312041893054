/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;
import java.util.Optional;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.model.ProcessId;
import org.noorphans.model.Termination.Outcome;

/** Runs as root without the right to signal other users' processes, and owns a tree in which another user has a process. */
final class TreeRightsMain {
    private TreeRightsMain() {}

    @SuppressWarnings({"SystemExitOutsideMain", "SystemOut"})
    public static void main(String[] args) throws Exception {
        String script = "setsid setpriv --reuid 65534 --regid 65534 --clear-groups sleep 5 & foreign=$!;"
                + " setsid sleep 60 & echo ready $foreign $!; wait; wait";
        Shell shell = Shell.start(script);
        try {
            ProcessId foreign = shell.announced(0);
            long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
            while (shell.tree().observe().groups().size() < 3 && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            OwnedTreeException failure = null;
            try {
                shell.tree().stop(Duration.ofMillis(300), Duration.ofMillis(300));
            } catch (OwnedTreeException e) {
                failure = e;
            }
            System.out.println("problem: " + (failure == null ? "none" : failure.problem()));
            System.out.println("foreign: "
                    + Optional.ofNullable(failure).stream()
                            .flatMap(known -> known.terminations().stream())
                            .filter(termination -> termination.id().equals(foreign))
                            .map(termination -> termination.outcome())
                            .findFirst()
                            .orElse(Outcome.STILL_THERE));
            System.out.println("foreign alive: " + ProcFacts.isAlive(foreign));
            System.out.println("own alive: " + ProcFacts.isAlive(shell.announced(1)));
            System.out.println("root alive: " + shell.process().isAlive());
            StartedProcesses.awaitEnd(foreign); // it ends by itself: nobody here may end it
        } finally {
            shell.close();
        }
        System.exit(0);
    }
}
