/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
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
 * @param environment the environment variables whose values are recorded; of the others only the names are
 * @param expect what verification expects beyond the plan itself
 */
public record Scenario(
        Persona persona,
        String name,
        AttemptKey attemptKey,
        List<CallClass> classes,
        OnExhausted onExhausted,
        List<String> environment,
        Expect expect) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public Scenario {
        Objects.requireNonNull(persona, "persona");
        Names.check("fake", name);
        Objects.requireNonNull(attemptKey, "attemptKey");
        Objects.requireNonNull(onExhausted, "onExhausted");
        classes = List.copyOf(classes);
        checkClasses(name, classes);
        classes.forEach(each -> checkPhrases(persona, each));
        environment = List.copyOf(environment);
        environment.forEach(Scenario::checkVariable);
        Objects.requireNonNull(expect, "expect");
        checkEndless(classes, onExhausted);
    }

    /** A scenario that records no values of the environment and expects nothing beyond itself. */
    public Scenario(
            Persona persona, String name, AttemptKey attemptKey, List<CallClass> classes, OnExhausted onExhausted) {
        this(persona, name, attemptKey, classes, onExhausted, List.of(), Expect.NOTHING);
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

    private static void checkVariable(String variable) {
        if (!VARIABLE.matcher(variable).matches()) {
            throw new IllegalArgumentException(
                    "environment needs names of variables, but was given \"" + variable + "\"");
        }
    }

    /** A fake that becomes itself again and again would never end. */
    private static void checkEndless(List<CallClass> classes, OnExhausted onExhausted) {
        for (CallClass each : classes) {
            for (int i = 0; i < each.attempts().size(); i++) {
                boolean repeats = !each.counts()
                        || (onExhausted == OnExhausted.REPEAT_LAST
                                && i == each.attempts().size() - 1);
                if (repeats && each.attempts().get(i).stream().anyMatch(ProcessStep.ExecSelf.class::isInstance)) {
                    throw new IllegalArgumentException(CallClass.place(each.name(), each.counts(), i)
                            + " becomes itself again without end; put another attempt after it");
                }
            }
        }
    }

    private static void checkPhrases(Persona persona, CallClass callClass) {
        for (int i = 0; i < callClass.attempts().size(); i++) {
            DialogueRules.check(
                    persona,
                    CallClass.place(callClass.name(), callClass.counts(), i),
                    callClass.attempts().get(i));
            checkPhrases(
                    persona,
                    CallClass.place(callClass.name(), callClass.counts(), i) + ", ",
                    callClass.attempts().get(i));
        }
    }

    private static void checkPhrases(Persona persona, String place, List<Step> steps) {
        for (int i = 0; i < steps.size(); i++) {
            String here = place + "step " + (i + 1);
            Step step = steps.get(i);
            if (step instanceof Step.Say say) {
                try {
                    persona.check(say.phrase());
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(here + ": " + e.getMessage(), e);
                }
            } else if (step instanceof Step.Spawn spawn) {
                checkPhrases(persona, here + ", spawn, ", spawn.steps());
            } else if (step instanceof ProcessStep.Respawn respawn) {
                checkPhrases(persona, here + ", respawn, ", respawn.spawn().steps());
            } else if (step instanceof ProcessStep.On on) {
                on.handlers().values().forEach(handler -> checkPhrases(persona, here + ", on, ", handler));
            }
        }
    }
}
