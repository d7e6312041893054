/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import com.google.gson.annotations.SerializedName;

/** Where a run stands. */
public enum RunStatus {
    /** Waits for its first attempt, or for the next one. */
    @SerializedName("queued")
    QUEUED,
    /** An attempt is under way. */
    @SerializedName("running")
    RUNNING,
    /** Ended without success. */
    @SerializedName("failed")
    FAILED,
    /** Ended with success. */
    @SerializedName("succeeded")
    SUCCEEDED,
    /** Ended on request, or because the daemon shut down. */
    @SerializedName("canceled")
    CANCELED;

    /** Whether nothing changes any more. */
    public boolean isTerminal() {
        return this == FAILED || this == SUCCEEDED || this == CANCELED;
    }
}
