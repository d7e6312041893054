/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import com.google.gson.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.noorphans.fakecli.internal.dialogue.JsonTree;
import org.noorphans.fakecli.internal.dialogue.ShortForms;

/** What must hold for the steps of an attempt that is a dialogue. */
final class DialogueRules {
    /** The virtual machine needs these for itself: a fake that is one can neither ignore them nor end by them. */
    private static final Set<Signal> OF_THE_MACHINE = EnumSet.of(Signal.SEGV, Signal.ILL, Signal.FPE);

    private static final Set<Signal> CAN_BE_IGNORED =
            EnumSet.of(Signal.HUP, Signal.INT, Signal.TERM, Signal.USR1, Signal.ALRM);

    private DialogueRules() {}

    static boolean isDialogue(List<Step> steps) {
        return steps.stream().anyMatch(DialogueStep.class::isInstance);
    }

    /** Rules that hold whoever speaks. */
    static void check(String place, List<Step> steps) {
        if (!isDialogue(steps)) {
            return;
        }
        boolean expected = false;
        boolean automatic = false;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            String here = place + ", step " + (i + 1) + " (" + step.describe() + ")";
            if (step instanceof DialogueStep.Auto) {
                if (automatic) {
                    throw new IllegalArgumentException(
                            here + ": an attempt shakes hands once; expect the other calls by their methods");
                }
                automatic = true;
            } else if (step instanceof DialogueStep.Expect) {
                expected = true;
            } else if (step instanceof DialogueStep.Reply || step instanceof DialogueStep.Fail) {
                if (!expected) {
                    throw new IllegalArgumentException(
                            here + " has nothing to answer; put an expect before it that is not answered yet");
                }
                expected = false;
            } else {
                checkOther(here, step);
            }
        }
    }

    private static void checkOther(String here, Step step) {
        boolean possible = !(step instanceof OutputStep.Burst)
                && !(step instanceof ProcessStep && !(step instanceof ProcessStep.CloseStdout))
                && !(step instanceof InputStep.Stdin stdin && stdin.policy() != StdinPolicy.EOF);
        if (!possible) {
            throw new IllegalArgumentException(
                    here + " cannot be part of a dialogue; use it in an attempt without" + " dialogue steps");
        }
        if (step instanceof Step.Crash crash && OF_THE_MACHINE.contains(crash.signal())) {
            throw new IllegalArgumentException(here + ": a dialogue is played by a Java virtual machine, which cannot"
                    + " end by " + crash.signal() + "; take another signal, such as KILL or ABRT, or exit with "
                    + (128 + number(crash.signal())));
        }
        if (step instanceof Step.Ignore ignore && !CAN_BE_IGNORED.containsAll(ignore.signals())) {
            Set<Signal> wrong = EnumSet.copyOf(ignore.signals());
            wrong.removeAll(CAN_BE_IGNORED);
            throw new IllegalArgumentException(here + ": a dialogue is played by a Java virtual machine, which cannot"
                    + " ignore " + wrong + "; it can ignore " + CAN_BE_IGNORED);
        }
    }

    private static int number(Signal signal) {
        return switch (signal) {
            case ILL -> 4;
            case FPE -> 8;
            default -> 11;
        };
    }

    /** Rules that depend on who speaks. */
    static void check(Persona persona, String place, List<Step> steps) {
        if (!isDialogue(steps)) {
            return;
        }
        Optional<ShortForms> forms = ShortForms.of(persona.name());
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!(step instanceof DialogueStep)) {
                continue;
            }
            String here = place + ", step " + (i + 1) + " (" + step.describe() + ")";
            if (forms.isEmpty()) {
                throw new IllegalArgumentException(
                        here + ": persona " + persona + " speaks no protocol; dialogues have "
                                + String.join(", ", new TreeSet<>(ShortForms.personas())));
            }
            if (step instanceof DialogueStep.Notify notify) {
                checkForm(here, "notify", notify.message(), forms.get().notices(), forms.get());
            } else if (step instanceof DialogueStep.Beat beat) {
                checkForm(here, "heartbeat", beat.message(), forms.get().notices(), forms.get());
            } else if (step instanceof DialogueStep.Ask ask) {
                checkForm(here, "ask", ask.message(), forms.get().questions(), forms.get());
            }
        }
    }

    private static void checkForm(String here, String what, String message, Set<String> known, ShortForms forms) {
        JsonObject object = JsonTree.object(message);
        if (forms.isWhole(object) || (object.size() == 1 && known.containsAll(object.keySet()))) {
            return;
        }
        throw new IllegalArgumentException(here + ": " + what + " needs one of "
                + String.join(", ", new TreeSet<>(known)) + ", or a whole message with "
                + String.join(" or ", forms.whole()) + ", but was given " + message);
    }
}
