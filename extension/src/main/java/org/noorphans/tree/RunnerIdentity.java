/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.noorphans.model.ProcessId;

/**
 * Who a durable runner is: a process that survives the stop of the tree that it is part of. It is handed in by whoever started
 * the runner, or by the runner itself; this library never looks for one by name.
 *
 * @param pid its number; 2 or more
 * @param groupId its process group, which it must lead: equal to {@code pid}
 * @param start when it started
 * @param program the name of its program, if that is to be compared too; without a path
 */
public record RunnerIdentity(long pid, long groupId, Start start, Optional<String> program) {
    public RunnerIdentity {
        if (pid <= 1 || groupId != pid) {
            throw new OwnedTreeException(
                    TreeProblem.INVALID_RUNNER_IDENTITY, "pid " + pid + ", group " + groupId, List.of(), null);
        }
    }

    /** When a process started, as exactly as it was told. */
    public sealed interface Start {
        /** Whether the process, which started at the given stamp and time, can be the one. */
        boolean matches(long startStamp, Instant startedAt);

        /**
         * Told by its start stamp: exact.
         *
         * @param startStamp see {@link ProcessId}
         */
        record Stamp(long startStamp) implements Start {
            @Override
            public boolean matches(long otherStamp, Instant startedAt) {
                return startStamp == otherStamp;
            }
        }

        /**
         * Told by wall-clock time: the whole second must be equal, since the system's own tools know no more.
         *
         * @param instant the time
         */
        record At(Instant instant) implements Start {
            @Override
            public boolean matches(long startStamp, Instant startedAt) {
                return isSameSecond(instant, startedAt);
            }
        }
    }

    /** A runner that leads a group of its own, known exactly. */
    public static RunnerIdentity of(ProcessId id) {
        return new RunnerIdentity(id.pid(), id.pid(), new Start.Stamp(id.startStamp()), Optional.empty());
    }

    /**
     * A runner as a record in text tells it.
     *
     * @param startedAt an ISO time with zone or offset, such as {@code 2026-01-31T10:15:30.123Z}
     * @throws OwnedTreeException {@link TreeProblem#INVALID_RUNNER_IDENTITY} if the record is malformed
     */
    public static RunnerIdentity parse(long pid, long groupId, String startedAt) {
        try {
            return new RunnerIdentity(
                    pid, groupId, new Start.At(OffsetDateTime.parse(startedAt).toInstant()), Optional.empty());
        } catch (DateTimeException | NullPointerException e) {
            throw new OwnedTreeException(
                    TreeProblem.INVALID_RUNNER_IDENTITY, "its start is not a time", List.of(), null);
        }
    }

    /** The same runner, whose program must also have this name. */
    public RunnerIdentity runs(String programName) {
        return new RunnerIdentity(pid, groupId, start, Optional.of(programName));
    }

    static boolean isSameSecond(Instant one, Instant other) {
        return one.truncatedTo(ChronoUnit.SECONDS).equals(other.truncatedTo(ChronoUnit.SECONDS));
    }
}
