/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.util.List;
import org.noorphans.model.Evidence;

/**
 * Who owns a process.
 *
 * @param owner the owning scope
 * @param evidence why; never empty
 */
public record Attribution(Scope owner, List<Evidence> evidence) {
    public Attribution {
        evidence = List.copyOf(evidence);
        if (evidence.isEmpty()) {
            throw new IllegalArgumentException("an attribution needs evidence");
        }
    }
}
