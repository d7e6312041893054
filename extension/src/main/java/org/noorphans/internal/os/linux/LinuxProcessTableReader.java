/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import com.sun.jna.Memory;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.ProcessTable;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Reads procfs.
 *
 * <p><b>The own tree, basic approach.</b> {@code /proc/self/task/TID/children} names the children of every thread of this
 * JVM, {@code /proc/PID/task/TID/children} those of every process below it (proc(5); needs CONFIG_PROC_CHILDREN). The cost
 * depends on our own processes only, not on how many the machine has. The kernel promises such a list only for processes
 * that hold still: when a child ends, or moves to another parent, between two reads, a living one may be skipped. So the
 * walk is repeated until two in a row show the same processes. Where the kernel lacks the lists, the tree is cut out of the
 * whole table.
 */
final class LinuxProcessTableReader implements ProcessTableReader {
    /** How often the walk is repeated at most: a tree that never holds still is better seen late than never. */
    private static final int WALKS = 8;

    /** Longer command lines are cut when they are read. */
    private static final int COMMAND_LINE_BYTES = 64 * 1024;

    /** Signal 15 in the masks of {@code /proc/PID/status}: bit 14. */
    private static final long TERM_BIT = 1L << 14;

    private static final ThreadLocal<Memory> TIMESPEC = ThreadLocal.withInitial(() -> new Memory(16));

    private final long ticksPerSecond = LibC.sysconf(LibC.SC_CLK_TCK);
    private final boolean childrenListed;
    private final ProcessId self;

    LinuxProcessTableReader(boolean useChildrenLists) {
        long pid = LibC.getpid();
        self = row(pid).map(ProcessRow::id)
                .orElseThrow(() -> new IllegalStateException("/proc does not show this JVM, pid " + pid));
        childrenListed = useChildrenLists && new File("/proc/self/task/" + pid + "/children").exists();
    }

    @Override
    public ProcessId self() {
        return self;
    }

    /*
     * waitid(2) with WNOWAIT takes nothing away: it only asks. ECHILD: "the calling process has no unwaited-for children".
     */
    @Override
    public boolean hasNoChild() {
        return LibC.waitid(LibC.P_ALL, 0, null, LibC.WEXITED | LibC.WNOHANG | LibC.WNOWAIT) == -1
                && ProcFile.lastError() == LibC.ECHILD;
    }

    @Override
    public ProcessTable ownTree() {
        if (!childrenListed) {
            return cutOut(wholeTable());
        }
        Set<ProcessId> before = Set.of();
        ProcessTable tree = walk();
        for (int walks = 1; walks < WALKS; walks++) {
            Set<ProcessId> ids = tree.ids();
            if (ids.equals(before)) {
                break;
            }
            before = ids;
            tree = walk();
        }
        return tree;
    }

    private ProcessTable walk() {
        Map<Long, ProcessRow> rows = new LinkedHashMap<>();
        Map<Long, Long> taskByPid = new HashMap<>();
        row(self.pid()).ifPresent(row -> rows.put(row.pid(), row));
        ArrayDeque<Long> open = new ArrayDeque<>(List.of(self.pid()));
        while (!open.isEmpty()) {
            long parent = open.remove();
            for (String task : tasksOf(parent)) {
                String children = ProcFile.readText("/proc/" + parent + "/task/" + task + "/children");
                if (children == null) {
                    continue;
                }
                for (long child : numbers(children)) {
                    if (rows.containsKey(child)) {
                        continue;
                    }
                    row(child).ifPresent(row -> {
                        rows.put(child, row);
                        if (parent == self.pid()) {
                            taskByPid.put(child, Long.parseLong(task));
                        }
                        if (row.isAlive()) {
                            open.add(child);
                        }
                    });
                }
            }
        }
        return ProcessTable.of(rows.values(), taskByPid);
    }

    private ProcessTable cutOut(ProcessTable whole) {
        List<ProcessRow> rows = new ArrayList<>();
        whole.row(self.pid()).ifPresent(rows::add);
        rows.addAll(whole.descendantsOf(self.pid()));
        return ProcessTable.of(rows);
    }

    private static String[] tasksOf(long pid) {
        @Nullable String[] names = new File("/proc/" + pid + "/task").list();
        return names == null ? new String[0] : names;
    }

    private static List<Long> numbers(String blankSeparated) {
        List<Long> numbers = new ArrayList<>();
        long number = 0;
        for (int i = 0; i < blankSeparated.length(); i++) {
            char c = blankSeparated.charAt(i);
            if (c >= '0' && c <= '9') {
                number = number * 10 + (c - '0');
            } else if (number > 0) {
                numbers.add(number);
                number = 0;
            }
        }
        if (number > 0) {
            numbers.add(number);
        }
        return numbers;
    }

    @Override
    public ProcessTable wholeTable() {
        List<ProcessRow> rows = new ArrayList<>();
        @Nullable String[] names = new File("/proc").list();
        if (names == null) {
            return ProcessTable.of(rows);
        }
        for (String name : names) {
            if (!name.isEmpty() && Character.isDigit(name.charAt(0))) {
                row(Long.parseLong(name)).ifPresent(rows::add);
            }
        }
        return ProcessTable.of(rows);
    }

    @Override
    public Optional<ProcessRow> row(long pid) {
        byte[] content = ProcFile.read("/proc/" + pid + "/stat");
        return content == null ? Optional.empty() : ProcStat.parse(content);
    }

    @Override
    public Optional<String> commandLine(long pid) {
        byte[] content = ProcFile.read("/proc/" + pid + "/cmdline", COMMAND_LINE_BYTES);
        if (content == null || content.length == 0) {
            return Optional.empty();
        }
        int end = content.length;
        while (end > 0 && content[end - 1] == 0) {
            end--;
        }
        String arguments = new String(content, 0, end, StandardCharsets.UTF_8);
        return arguments.isEmpty() ? Optional.empty() : Optional.of(arguments.replace('\0', ' '));
    }

    @Override
    public TermHandling termHandling(long pid) {
        String status = ProcFile.readText("/proc/" + pid + "/status");
        if (status == null) {
            return TermHandling.UNKNOWN;
        }
        Optional<Long> ignored = mask(status, "SigIgn:");
        Optional<Long> caught = mask(status, "SigCgt:");
        Optional<Long> blocked = mask(status, "SigBlk:");
        if (ignored.isEmpty() || caught.isEmpty() || blocked.isEmpty()) {
            return TermHandling.UNKNOWN;
        }
        if ((ignored.get() & TERM_BIT) != 0) {
            return TermHandling.IGNORED;
        }
        return ((caught.get() | blocked.get()) & TERM_BIT) != 0 ? TermHandling.CAUGHT : TermHandling.DEFAULT;
    }

    private static Optional<Long> mask(String status, String label) {
        int at = status.indexOf("\n" + label);
        if (at < 0) {
            return Optional.empty();
        }
        int from = at + 1 + label.length();
        int to = status.indexOf('\n', from);
        return Optional.of(Long.parseUnsignedLong(
                status.substring(from, to < 0 ? status.length() : to).trim(), 16));
    }

    @Override
    public Optional<String> threadName(long taskId) {
        byte[] content = ProcFile.read("/proc/self/task/" + taskId + "/comm");
        return content == null
                ? Optional.empty()
                : Optional.of(new String(content, StandardCharsets.UTF_8).stripTrailing());
    }

    @Override
    public long now() {
        Memory timespec = TIMESPEC.get();
        LibC.clock_gettime(LibC.CLOCK_BOOTTIME, timespec);
        long seconds = timespec.getLong(0);
        long nanos = timespec.getLong(8);
        return seconds * ticksPerSecond + nanos / (1_000_000_000L / ticksPerSecond);
    }

    @Override
    public Duration between(long earlierStamp, long laterStamp) {
        return Duration.ofMillis((laterStamp - earlierStamp) * 1000 / ticksPerSecond);
    }

    /*
     * The sum that ps(1) prints as start time: the whole second of the boot, from the line "btime" of /proc/stat, and the
     * stamp. Unlike "the present moment less the age" it gives the same answer each time.
     */
    @Override
    public Instant instantOf(long stamp) {
        String stat = ProcFile.readText("/proc/stat");
        int at = stat == null ? -1 : stat.indexOf("\nbtime ");
        if (stat == null || at < 0) {
            return Instant.now().minus(between(stamp, now()));
        }
        int from = at + "\nbtime ".length();
        long boot = Long.parseLong(stat.substring(from, stat.indexOf('\n', from)));
        return Instant.ofEpochSecond(boot).plusMillis(stamp * 1000 / ticksPerSecond);
    }

    @Override
    public long stamps(Duration duration) {
        return (duration.toMillis() * ticksPerSecond + 999) / 1000;
    }

    @Override
    public Set<Long> selfAndAncestors() {
        Set<Long> pids = new HashSet<>(Set.of(self.pid()));
        Optional<ProcessRow> row = row(self.pid());
        while (row.isPresent()
                && row.get().parentPid() > 0
                && pids.add(row.get().parentPid())) {
            row = row(row.get().parentPid());
        }
        return pids;
    }

    @Override
    public OptionalLong currentTask() {
        return OptionalLong.of(LibC.syscall(LibC.SYS_GETTID, 0, 0, 0, 0));
    }
}
