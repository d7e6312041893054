/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.noorphans.fakecli.internal.check.Names;

/**
 * Everything that a fake is to do, as a value: nothing is written or started until it is installed.
 *
 * @param persona whose dialect the fake speaks
 * @param name the name of the executable
 * @param attemptKey what attempts are counted by
 * @param classes the kinds of calls, in order; the first whose condition holds takes the call. The last is
 *     {@link CallClass#RUN}, which counts
 * @param onExhausted what to do when there are more calls than attempts
 */
public record Scenario(
        Persona persona, String name, AttemptKey attemptKey, List<CallClass> classes, OnExhausted onExhausted) {
    public Scenario {
        Objects.requireNonNull(persona, "persona");
        Names.check("fake", name);
        Objects.requireNonNull(attemptKey, "attemptKey");
        Objects.requireNonNull(onExhausted, "onExhausted");
        classes = List.copyOf(classes);
        checkClasses(name, classes);
        for (CallClass each : classes) {
            checkPhrases(persona, each);
        }
    }

    /** The class that holds the attempts. */
    public CallClass run() {
        return classes.get(classes.size() - 1);
    }

    private static void checkClasses(String name, List<CallClass> classes) {
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("scenario \"" + name + "\" is empty; give it at least one attempt");
        }
        Set<String> names = new HashSet<>();
        for (CallClass each : classes) {
            if (!names.add(each.name())) {
                throw new IllegalArgumentException(
                        "scenario \"" + name + "\" has two classes named \"" + each.name() + "\"; rename one");
            }
        }
        CallClass last = classes.get(classes.size() - 1);
        if (!last.name().equals(CallClass.RUN) || !last.counts()) {
            throw new IllegalArgumentException("the last class of scenario \"" + name + "\" must be \"" + CallClass.RUN
                    + "\" and count attempts, but is \"" + last.name() + "\"");
        }
    }

    private static void checkPhrases(Persona persona, CallClass callClass) {
        for (int i = 0; i < callClass.attempts().size(); i++) {
            List<Step> steps = callClass.attempts().get(i);
            for (int j = 0; j < steps.size(); j++) {
                if (steps.get(j) instanceof Step.Say say
                        && !persona.phrases().contains(say.phrase().name())) {
                    throw new IllegalArgumentException(CallClass.place(callClass.name(), callClass.counts(), i)
                            + ", step "
                            + (j + 1) + ": persona " + persona + " has no phrase \""
                            + say.phrase().name() + "\"; it has "
                            + (persona.phrases().isEmpty()
                                    ? "none, use out"
                                    : String.join(
                                            ", ",
                                            persona.phrases().stream().sorted().toList())));
                }
            }
        }
    }
}
