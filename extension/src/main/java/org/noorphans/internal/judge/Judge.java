/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.judge;

import java.util.List;
import java.util.Set;
import org.noorphans.internal.attribute.Scope;
import org.noorphans.model.ProcessId;

/** Decides which processes a scope that ends must answer for. Pure. */
public final class Judge {
    private Judge() {}

    /**
     * The processes that the end of a scope brings to light: those that it owns, and those that a scope inside it owns
     * which has ended already without having seen them.
     *
     * @param ending the scope that ends
     * @param living living processes with their owners
     * @param settled the processes on which a verdict has been given before, whatever it was
     */
    public static List<Candidate> survivors(Scope ending, List<Candidate> living, Set<ProcessId> settled) {
        return living.stream()
                .filter(candidate -> !settled.contains(candidate.record().id()))
                .filter(candidate -> answersFor(ending, candidate.attribution().owner()))
                .toList();
    }

    private static boolean answersFor(Scope ending, Scope owner) {
        return owner.id().number() == ending.id().number() || (owner.isClosed() && owner.isWithin(ending.id()));
    }
}
