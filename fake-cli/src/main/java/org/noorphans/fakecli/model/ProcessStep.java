/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.noorphans.fakecli.internal.check.Texts;

/** Steps about the fake as a process. */
public sealed interface ProcessStep extends Step {
    /**
     * From here on these signals run steps, then the fake goes on where it was. Each arrival is in the journal; with an
     * empty list that is all. A program that the fake becomes by exec does not inherit it.
     *
     * @param handlers the steps for each signal
     */
    record On(Map<Signal, List<Step>> handlers) implements ProcessStep {
        public On {
            if (handlers.isEmpty()) {
                throw new IllegalArgumentException("on needs at least one signal, but was given none");
            }
            Step.checkedSignals("on", handlers.keySet());
            Map<Signal, List<Step>> copy = new EnumMap<>(Signal.class);
            handlers.forEach((signal, steps) -> {
                StepRules.checkHandler("on " + signal, steps);
                copy.put(signal, List.copyOf(steps));
            });
            handlers = Collections.unmodifiableMap(copy);
        }
    }

    /**
     * On a signal, starts a descendant that outlives the fake, and then dies of the signal.
     *
     * @param when the signal
     * @param spawn the descendant
     */
    record Respawn(Signal when, Step.Spawn spawn) implements ProcessStep {
        public Respawn {
            Objects.requireNonNull(spawn, "spawn");
            if (!when.canBeIgnored()) {
                throw new IllegalArgumentException("respawn cannot wait for " + when + ": no process sees it");
            }
        }
    }

    /**
     * Becomes a new call of the same fake: same process number, no new process. It is a call of its own in the journal
     * and draws an attempt of its own.
     *
     * @param arguments the arguments of the new call; may contain variables
     */
    record ExecSelf(List<String> arguments) implements ProcessStep {
        public ExecSelf {
            arguments = List.copyOf(arguments);
            arguments.forEach(argument -> Texts.check("execSelf", argument));
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /** Closes the fake's own end of standard output; later output is lost. */
    record CloseStdout() implements ProcessStep {}
}
