/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A process that outlived the scope that started it.
 *
 * @param row the process at the moment of the verdict
 * @param commandLine its whole command line as it was at the verdict, neither shortened nor masked; its short name in
 *     brackets where the command line cannot be read
 * @param age how long it had been running
 * @param owner the scope that owns it; may be wider than the scope whose end brought it to light is narrow
 * @param chain its parents, nearest first, as far as they were seen; never contains this JVM
 * @param chainComplete whether the last link of the chain (the survivor itself if there is none) was seen as a child
 *     that this JVM started; false if a parent had gone before it was seen
 * @param thread the thread of this JVM that started the first link; empty if it could not be told
 * @param spawnSite where in the code the first link was started; empty if the JVM has no record of it
 * @param evidence why it is attributed to the owner; never empty
 */
public record Survivor(
        ProcessRow row,
        String commandLine,
        Duration age,
        ScopeId owner,
        List<Ancestor> chain,
        boolean chainComplete,
        Optional<String> thread,
        Optional<SpawnSite> spawnSite,
        List<Evidence> evidence) {
    public Survivor {
        chain = List.copyOf(chain);
        evidence = List.copyOf(evidence);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("a survivor needs evidence, but " + row + " has none");
        }
    }

    /** Short for {@code row().id()}. */
    public ProcessId id() {
        return row.id();
    }
}
