/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.observe.SpawnRecords;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.watch.OrphanWatch;
import org.noorphans.internal.watch.ProcessWatch;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ScopeKind;

/**
 * Runs under a user without rights, beside a process of root whose number is the argument. Prints what it found, one fact a
 * line.
 */
final class WithoutRightsMain {
    private WithoutRightsMain() {}

    @SuppressWarnings({"SystemExitOutsideMain", "SystemOut"})
    public static void main(String[] args) throws Exception {
        List<String> facts = new ArrayList<>();
        long foreign = Long.parseLong(args[0]);
        Platform platform = LinuxPlatform.create(Switches.ALL);
        ProcessId root = platform.reader().row(foreign).map(ProcessRow::id).orElseThrow();
        ProcessWatch watch =
                new ProcessWatch(platform, SpawnRecords.none("this is a test"), Duration.ofMillis(20), Pacing.REAL);
        OrphanWatch run = OrphanWatch.open(watch, ScopeKind.RUN, "run", null, null);
        OrphanWatch type = OrphanWatch.open(watch, ScopeKind.CLASS, "class", null, run);
        OrphanWatch test = OrphanWatch.open(watch, ScopeKind.TEST, "test", null, type);
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            facts.add("mark supported: " + platform.marks().isSupported());
            facts.add("mark inherited: "
                    + (platform.marks().slotOfTask(child.pid()) != 0
                            && platform.marks().slotOfTask(child.pid())
                                    == platform.marks().slotOfTask(0)));
            facts.add("subreaper: " + platform.subreaper());
            facts.add("sees the process of root: "
                    + platform.reader().wholeTable().row(root).isPresent());
            facts.add("takes it for its own: "
                    + platform.reader().ownTree().row(root).isPresent());
            facts.add("TERM to it: " + platform.sender().send(root, Signal.TERM));
            facts.add("KILL to it by number: "
                    + LinuxPlatform.create(new Switches(true, true, true, false))
                            .sender()
                            .send(root, Signal.KILL));
            LeakReport report = test.end(new Policy(Duration.ZERO, Duration.ofSeconds(1), true, true));
            facts.add("leaks: " + report.leaks().size());
            facts.add("the leak is the child: "
                    + Optional.of(report.leaks().get(0).survivor().row().pid()).equals(Optional.of(child.pid())));
            facts.add("it was ended: " + report.leaks().get(0).termination().outcome());
            facts.add("class clean: " + type.end(Policy.DEFAULT).isClean());
            facts.add("run clean: " + run.end(Policy.DEFAULT).isClean());
        } finally {
            child.destroyForcibly();
            child.waitFor();
        }
        facts.forEach(System.out::println);
        System.exit(0);
    }
}
