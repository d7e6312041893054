/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.fake;

import java.util.List;
import java.util.Optional;
import org.noorphans.internal.observe.SpawnRecord;
import org.noorphans.internal.observe.SpawnRecords;

/** The records of a JVM that keeps some, and in which no pool thread has started anything. */
public final class NothingNoted implements SpawnRecords {
    @Override
    public Optional<String> missingBecause() {
        return Optional.empty();
    }

    @Override
    public List<SpawnRecord> read() {
        return List.of();
    }
}
