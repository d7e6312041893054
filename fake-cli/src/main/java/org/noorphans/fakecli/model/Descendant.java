/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/**
 * A process that a fake started on purpose.
 *
 * @param id its name in the scenario
 * @param mode how it was started
 * @param ids who it is; the group and session are those it has for life
 */
public record Descendant(String id, SpawnMode mode, ProcessIds ids) {
    /** Its process number. */
    public long pid() {
        return ids.pid();
    }

    /** Whether it is alive now; a zombie is not. */
    public boolean isAlive() {
        return ids.isAlive();
    }
}
