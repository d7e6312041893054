/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.util.List;
import org.noorphans.model.Evidence;

/**
 * Who owns a process.
 *
 * @param owner the owning scope; if several come into question, the narrowest that contains them
 * @param candidates the scopes that come into question; the owner alone where that could be told
 * @param evidence why; never empty
 */
public record Attribution(Scope owner, List<Scope> candidates, List<Evidence> evidence) {
    public Attribution {
        candidates = List.copyOf(candidates);
        evidence = List.copyOf(evidence);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("an attribution needs evidence");
        }
    }

    /** An attribution that leaves no doubt. */
    static Attribution certain(Scope owner, List<Evidence> evidence) {
        return new Attribution(owner, List.of(owner), evidence);
    }

    /** Whether several scopes come into question. */
    public boolean isAmbiguous() {
        return candidates.size() > 1;
    }
}
