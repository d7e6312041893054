/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.List;
import java.util.Objects;
import org.noorphans.fakecli.internal.check.Names;

/**
 * One kind of call: which calls belong to it and what they do.
 *
 * @param name what the journal calls it; unique in its scenario
 * @param when the calls it is for, unless an earlier class of the scenario takes them
 * @param counts whether calls draw an attempt number; if not, all do the same
 * @param attempts the steps of attempt 0, 1, 2, …; exactly one list if the class does not count, else at least one
 */
public record CallClass(String name, When when, boolean counts, List<List<Step>> attempts) {
    /** The name of the class that holds the attempts of a scenario. */
    public static final String RUN = "run";

    public CallClass {
        Names.check("class", name);
        Objects.requireNonNull(when, "when");
        attempts = attempts.stream().map(List::copyOf).toList();
        if (attempts.isEmpty()) {
            throw new IllegalArgumentException(
                    "class \"" + name + "\" has no attempts; give it at least one list of steps");
        }
        if (!counts && attempts.size() != 1) {
            throw new IllegalArgumentException("class \"" + name + "\" does not count attempts, so it needs exactly one"
                    + " list of steps, but has " + attempts.size());
        }
        for (int i = 0; i < attempts.size(); i++) {
            checkTogether(place(name, counts, i), attempts.get(i));
        }
    }

    /**
     * What must hold for the steps of one attempt together: they have an end, nothing comes after it, and names are
     * taken once.
     *
     * @param place the attempt, for the message
     * @throws IllegalArgumentException if it does not hold, naming attempt, step and what would be right
     */
    public static void checkTogether(String place, List<Step> steps) {
        StepRules.check(place, steps);
    }

    /** The name of an attempt in messages. */
    public static String place(String name, boolean counts, int attempt) {
        if (!counts) {
            return "class \"" + name + "\"";
        }
        return name.equals(RUN) ? "attempt " + attempt : "class \"" + name + "\", attempt " + attempt;
    }
}
