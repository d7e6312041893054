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
        checkList(place + ", step ", steps);
        checkIds(place + ", step ", steps, new HashSet<>());
        DialogueRules.check(place, steps);
        Step last = steps.get(steps.size() - 1);
        if (!last.ends() && !(last instanceof Step.Stall) && !DialogueRules.isDialogue(steps)) {
            throw new IllegalArgumentException(place + " has no end: its last step is " + last.describe()
                    + "; finish it with exit, crash or stall");
        }
    }

    /** Steps of a descendant: it has no input, and no end of its own is asked for, since its life ends it. */
    static void checkDescendant(String place, List<Step> steps) {
        checkList(place + ", step ", steps);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof InputStep
                    || step instanceof DialogueStep
                    || step instanceof OutputStep.Burst
                    || step instanceof ProcessStep.ExecSelf
                    || step instanceof EffectStep.Run
                    || step instanceof Step.Gate) {
                throw new IllegalArgumentException(place + ", step " + (i + 1) + ": a descendant cannot do "
                        + step.describe() + "; only the fake itself can");
            }
        }
    }

    /** Steps on a signal: they may come several times, at any point of the attempt. */
    static void checkHandler(String place, List<Step> steps) {
        checkList(place + ", step ", steps);
        boolean ends = !steps.isEmpty() && steps.get(steps.size() - 1).ends();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String here = place + ", step " + (i + 1);
            if (step instanceof ProcessStep
                    || step instanceof InputStep
                    || step instanceof DialogueStep
                    || step instanceof OutputStep.Burst
                    || step instanceof WaitStep.Speed
                    || step instanceof EffectStep.Run
                    || step instanceof Step.Stall
                    || step instanceof Step.Ignore) {
                throw new IllegalArgumentException(
                        here + ": " + step.describe() + " cannot be done on a signal; do it in the attempt itself");
            }
            if (step instanceof Step.Spawn && !ends) {
                throw new IllegalArgumentException(here + ": a signal that comes twice would start " + step.describe()
                        + " twice; end the steps with exit or crash");
            }
        }
    }

    private static void checkList(String place, List<Step> steps) {
        int stalls = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.ends() && i < steps.size() - 1) {
                throw new IllegalArgumentException(place + (i + 1) + " (" + step.describe()
                        + ") ends the fake, so the " + (steps.size() - 1 - i)
                        + " after it would never run; remove them");
            }
            if (step instanceof Step.Stall && ++stalls > 1) {
                throw new IllegalArgumentException(
                        place + (i + 1) + ": an attempt can stall once; use a gate for the other waits");
            }
        }
    }

    /** Ids name descendants in the journal of an attempt, at whatever depth they are started. */
    private static void checkIds(String place, List<Step> steps, Set<String> ids) {
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step instanceof Step.Spawn spawn) {
                checkId(place + (i + 1), spawn, ids);
            } else if (step instanceof ProcessStep.Respawn respawn) {
                checkId(place + (i + 1), respawn.spawn(), ids);
            } else if (step instanceof ProcessStep.On on) {
                String here = place + (i + 1) + ", on, step ";
                on.handlers().values().forEach(handler -> checkIds(here, handler, ids));
            }
        }
    }

    private static void checkId(String here, Step.Spawn spawn, Set<String> ids) {
        if (!ids.add(spawn.id())) {
            throw new IllegalArgumentException(
                    here + ": the id \"" + spawn.id() + "\" is already taken in this attempt; choose another");
        }
        checkIds(here + ", do, step ", spawn.steps(), ids);
    }
}
