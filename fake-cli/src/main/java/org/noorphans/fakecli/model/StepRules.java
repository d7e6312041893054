/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What must hold for the steps of one attempt together. */
final class StepRules {
    private StepRules() {}

    static void check(String place, List<Step> steps) {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException(place + " has no steps; end it with exit, crash or stall");
        }
        Set<String> ids = new HashSet<>();
        int stalls = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String here = place + ", step " + (i + 1);
            if (step.ends() && i < steps.size() - 1) {
                throw new IllegalArgumentException(here + " (" + step.describe() + ") ends the fake, so the "
                        + (steps.size() - 1 - i) + " after it would never run; remove them");
            }
            if (step instanceof Step.Spawn spawn && !ids.add(spawn.id())) {
                throw new IllegalArgumentException(
                        here + ": the id \"" + spawn.id() + "\" is already taken in this attempt; choose another");
            }
            if (step instanceof Step.Stall && ++stalls > 1) {
                throw new IllegalArgumentException(
                        here + ": an attempt can stall once; use a gate for the other waits");
            }
        }
        Step last = steps.get(steps.size() - 1);
        if (!last.ends() && !(last instanceof Step.Stall)) {
            throw new IllegalArgumentException(place + " has no end: its last step is " + last.describe()
                    + "; finish it with exit, crash or stall");
        }
    }
}
