/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.observe;

import java.util.List;
import java.util.Optional;

/** The door to what the JVM noted of the processes that Java code started. */
public interface SpawnRecords {
    /** Why there are no records; empty if there are. */
    Optional<String> missingBecause();

    /** All records that are still kept, oldest first. Slow (tens of milliseconds): for reports only. */
    List<SpawnRecord> read();

    /**
     * No records, for a stated reason.
     *
     * @param reason completes "spawn sites are missing because …"
     */
    static SpawnRecords none(String reason) {
        return new SpawnRecords() {
            @Override
            public Optional<String> missingBecause() {
                return Optional.of(reason);
            }

            @Override
            public List<SpawnRecord> read() {
                return List.of();
            }
        };
    }
}
