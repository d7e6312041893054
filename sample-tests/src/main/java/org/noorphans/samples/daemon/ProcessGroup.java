/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A process group that one of our children leads, and who was seen in it.
 *
 * <p>The number of a group identifies it no better than a pid identifies a process: once the last member is gone, the
 * kernel may give the number to others. So this class remembers members by pid and start time. As long as one of them,
 * alive or zombie, is still in the group, the number cannot have changed hands, and whoever else is in the group by now
 * is a member as well. If none is left, the group is taken for gone and never signalled again.
 */
final class ProcessGroup {

    private static final Duration LEADERSHIP_LIMIT = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

    private final long id;
    private final long leaderStart;
    private final Supplier<List<ProcStat>> table;
    private final List<ProcStat> known = new ArrayList<>();

    /**
     * A group that at most its leader was seen in.
     *
     * @param table looks at all processes
     * @throws IllegalArgumentException if it is our own group, or a number with a special meaning for {@code kill}
     */
    ProcessGroup(long id, Optional<ProcStat> leader, Supplier<List<ProcStat>> table) {
        if (id <= 1 || id == ownGroup()) {
            throw new IllegalArgumentException("not a group to signal: " + id);
        }
        this.id = id;
        this.leaderStart = leader.map(ProcStat::start).orElse(0L);
        this.table = table;
        leader.ifPresent(known::add);
    }

    /**
     * Waits until the child leads its group, which a program started through {@code setsid} does within milliseconds.
     *
     * @throws IOException if it does not
     */
    static ProcessGroup ledBy(Process child) throws IOException {
        long deadline = System.nanoTime() + LEADERSHIP_LIMIT.toNanos();
        do {
            Optional<ProcStat> leader = ProcStat.of(child.pid()).filter(stat -> stat.group() == child.pid());
            // A child that has been collected already leads nothing; what it left behind is found by leaderExited.
            if (leader.isPresent() || !child.isAlive()) {
                return new ProcessGroup(child.pid(), leader, ProcStat::all);
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        } while (System.nanoTime() < deadline);
        throw new IOException("pid " + child.pid() + " did not become the leader of a process group");
    }

    long id() {
        return id;
    }

    /**
     * Remembers the members that outlive the leader; call it as soon as the leader has been collected.
     *
     * <p>The number is still theirs then: if anyone is in the group, it was never free, and if nobody was, the kernel
     * would have to hand out every other number first. Should a process already have the leader's pid, that has happened.
     */
    synchronized void leaderExited() {
        List<ProcStat> members = members();
        if (members.stream().noneMatch(member -> member.pid() == id && member.start() != leaderStart)) {
            members.stream()
                    .filter(member -> member.session() == id && member.start() >= leaderStart)
                    .forEach(known::add);
        }
    }

    /** The members that are alive now; none once the group is gone or its number has passed to others. */
    synchronized List<ProcStat> livingMembers() {
        List<ProcStat> members = members();
        if (members.stream().noneMatch(this::isKnown)) {
            return List.of();
        }
        members.stream().filter(member -> !isKnown(member)).forEach(known::add);
        return members.stream().filter(ProcStat::isAlive).toList();
    }

    /**
     * Signals every member.
     *
     * <p>Between the look and the signal the last member could end, and then the number could change hands; for that the
     * kernel would have to hand out all other numbers in the meantime.
     *
     * @return false if there was nobody to signal, or it was not permitted
     */
    synchronized boolean signal(Signal signal) {
        return !livingMembers().isEmpty() && kill(signal);
    }

    /** Waits until no member is alive. */
    boolean endsWithin(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        long pause = Duration.ofMillis(2).toNanos();
        while (!livingMembers().isEmpty()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            LockSupport.parkNanos(Math.min(pause, left));
            pause = Math.min(pause * 2, LONGEST_PAUSE.toNanos());
        }
        return true;
    }

    private List<ProcStat> members() {
        return table.get().stream().filter(stat -> stat.group() == id).toList();
    }

    private boolean isKnown(ProcStat member) {
        return known.stream().anyMatch(member::isSameProcessAs);
    }

    private boolean kill(Signal signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", signal.name(), "--", "-" + id)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.onExit().join().exitValue() == 0;
        } catch (IOException cannotStartKill) {
            return false;
        }
    }

    private static long ownGroup() {
        return ProcStat.of(ProcessHandle.current().pid()).orElseThrow().group();
    }
}
