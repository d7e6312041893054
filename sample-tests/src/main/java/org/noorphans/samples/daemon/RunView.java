/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import org.jspecify.annotations.Nullable;

/**
 * What {@code GET /api/runs/{id}} answers: one run at one moment.
 *
 * @param id the run
 * @param status where it stands
 * @param attempts how many agents were started for it so far
 * @param childPid the agent of the latest attempt; null before the first and between a failed attempt and its retry
 * @param groupId the process group that this agent leads; always equal to {@code childPid}
 * @param childExited whether that agent has ended; false while there is none
 * @param exitCode how the agent exited by itself; null if it did not
 * @param signal the signal the agent died of, or the last one a cancel used, as in "SIGTERM"; otherwise null
 * @param error what went wrong, for people; null if nothing did
 * @param errorCode the same for programs
 */
public record RunView(
        String id,
        RunStatus status,
        int attempts,
        @Nullable Long childPid,
        @Nullable Long groupId,
        boolean childExited,
        @Nullable Integer exitCode,
        @Nullable String signal,
        @Nullable String error,
        @Nullable String errorCode) {}
