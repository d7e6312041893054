/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.noorphans.fakecli.model.ScenarioFileException;
import org.noorphans.fakecli.model.ScenarioFileException.Problem;

/** Everything that is wrong with a file, collected so that one check tells all of it. */
final class Problems {
    private final String file;
    private final List<Problem> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    /** Does something; a refusal becomes a problem, at its own place or else here. */
    void collect(Tree here, Runnable deed) {
        try {
            deed.run();
        } catch (Tree.Refused e) {
            add(e.where, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | ArithmeticException e) {
            add(here, String.valueOf(e.getMessage()));
        }
    }

    void add(Tree where, String message) {
        found.add(new Problem(where.line(), where.column(), message));
    }

    int count() {
        return found.size();
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            found.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
            throw new ScenarioFileException(file, found);
        }
    }
}
