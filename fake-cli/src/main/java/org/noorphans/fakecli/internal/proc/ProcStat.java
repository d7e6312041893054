/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.proc;

import java.util.List;

/**
 * What a line of {@code /proc/PID/stat} says.
 *
 * @param state the letter of the process state
 * @param startTicks field 22, clock ticks since boot
 */
record ProcStat(char state, long startTicks) {
    private static final int STATE = 0;
    private static final int START = 22 - 3;

    /** Fields count from the last parenthesis, since the name before it may contain anything. */
    static ProcStat parse(String line) {
        List<String> fields =
                List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" +", -1));
        if (fields.size() <= START) {
            throw new IllegalArgumentException("not a line of /proc/PID/stat: " + line);
        }
        return new ProcStat(fields.get(STATE).charAt(0), Long.parseLong(fields.get(START)));
    }

    /** Neither a zombie nor dead. */
    boolean isAlive() {
        return state != 'Z' && state != 'X' && state != 'x';
    }
}
