/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;

/**
 * Parses {@code /proc/PID/stat}, proc(5). The name stands in parentheses and may itself contain blanks, parentheses and line
 * breaks, so the numbers are counted from the last closing parenthesis.
 */
final class ProcStat {
    // Fields after the name, counted from 0: state, ppid, pgrp, session, ... , starttime is field 22 of the file.
    private static final int PARENT = 1;
    private static final int GROUP = 2;
    private static final int SESSION = 3;
    private static final int THREADS = 17;
    private static final int START = 19;

    private ProcStat() {}

    /** The row in the content of a stat file; empty if it is not such a content. */
    static Optional<ProcessRow> parse(byte[] content) {
        int open = indexOf(content, '(', 0);
        int close = lastIndexOf(content, ')');
        if (open < 2 || close < open || close + 2 >= content.length) {
            return Optional.empty();
        }
        long pid = number(content, 0);
        String name = new String(content, open + 1, close - open - 1, StandardCharsets.UTF_8);
        ProcessState state = ProcessState.ofLetter((char) content[close + 2]);
        long[] fields = new long[START + 1];
        int at = close + 2;
        for (int field = 1; field <= START; field++) {
            at = nextField(content, at);
            if (at < 0) {
                return Optional.empty();
            }
            if (field == START && indexOf(content, ' ', at) < 0) {
                return Optional.empty(); // cut inside the number
            }
            if (field <= SESSION || field == THREADS || field == START) {
                fields[field] = number(content, at);
            }
        }
        if (pid <= 0) {
            return Optional.empty();
        }
        if (state == ProcessState.ZOMBIE && fields[THREADS] > 1) {
            // Only the main thread has ended; the others live, and so does the process.
            state = ProcessState.UNKNOWN;
        }
        return Optional.of(new ProcessRow(
                new ProcessId(pid, fields[START]),
                fields[PARENT],
                OptionalLong.of(fields[GROUP]),
                OptionalLong.of(fields[SESSION]),
                state,
                name));
    }

    private static int nextField(byte[] content, int at) {
        for (int i = at; i < content.length - 1; i++) {
            if (content[i] == ' ') {
                return i + 1;
            }
        }
        return -1;
    }

    private static long number(byte[] content, int at) {
        long number = 0;
        boolean negative = content[at] == '-';
        for (int i = negative ? at + 1 : at; i < content.length && content[i] >= '0' && content[i] <= '9'; i++) {
            number = number * 10 + (content[i] - '0');
        }
        return negative ? -number : number;
    }

    private static int indexOf(byte[] content, char c, int from) {
        for (int i = from; i < content.length; i++) {
            if (content[i] == c) {
                return i;
            }
        }
        return -1;
    }

    private static int lastIndexOf(byte[] content, char c) {
        for (int i = content.length - 1; i >= 0; i--) {
            if (content[i] == c) {
                return i;
            }
        }
        return -1;
    }
}
