/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.assertj;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.QuietPlatform;
import org.noorphans.internal.report.LeakText;
import org.noorphans.internal.report.OneLine;
import org.noorphans.internal.terminate.Pacing;
import org.noorphans.model.ProcessRow;

/** Processes as the messages of assertions show them, in the manner of a leak report. */
final class ProcessLines {
    private static final int COMMAND_WIDTH = 100;
    private static final int COMMAND_COLUMN = 36;
    private static final long POLL = Duration.ofMillis(10).toNanos();

    private ProcessLines() {}

    static Optional<ProcessTableReader> reader() {
        return QuietPlatform.get().map(Platform::reader);
    }

    static String of(Collection<ProcessRow> rows) {
        return rows.stream().map(ProcessLines::of).collect(Collectors.joining("\n"));
    }

    static String of(ProcessRow row) {
        String command =
                reader().flatMap(reader -> reader.commandLine(row.pid())).orElse("[" + row.name() + "]");
        return of(row, command);
    }

    static String of(ProcessRow row, String commandLine) {
        String command = OneLine.cut(OneLine.escape(commandLine), COMMAND_WIDTH);
        StringBuilder line = new StringBuilder("  pid ")
                .append(row.pid())
                .append("  ")
                .append(command)
                .append(" ".repeat(Math.max(0, COMMAND_COLUMN - command.length())))
                .append("  state ")
                .append(row.state().letter());
        row.groupId().ifPresent(group -> line.append(", group ").append(group));
        row.sessionId().ifPresent(session -> line.append(", session ").append(session));
        line.append(", parent ").append(row.parentPid());
        reader().ifPresent(reader -> line.append(", age ")
                .append(LeakText.spell(reader.between(row.id().startStamp(), reader.now()))));
        return line.toString();
    }

    static String processes(int count) {
        return count + (count == 1 ? " process" : " processes");
    }

    /** How long something took or may take, in words. */
    static String spell(Duration duration) {
        return LeakText.spell(duration);
    }

    /** Waits until it is true, or the time is over; returns whether it became true. */
    static boolean within(Duration atMost, BooleanSupplier condition) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            Pacing.REAL.pause(Math.min(left, POLL));
        }
        return true;
    }
}
