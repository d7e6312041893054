/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.Locale;
import java.util.Objects;

/** What is done with standard input. */
public sealed interface InputStep extends Step {
    /**
     * Reads, or closes, standard input. Without such a step a fake never reads.
     *
     * @param policy how much
     * @param save whether what was read is kept in the journal; it may contain secrets
     */
    record Stdin(StdinPolicy policy, boolean save) implements InputStep {
        public Stdin {
            Objects.requireNonNull(policy, "policy");
            if (save && policy != StdinPolicy.LINE && policy != StdinPolicy.EOF) {
                throw new IllegalArgumentException("stdin " + policy.name().toLowerCase(Locale.ROOT)
                        + " reads nothing, so there is nothing to save");
            }
        }

        @Override
        public String describe() {
            return "stdin " + policy.name().toLowerCase(Locale.ROOT);
        }
    }
}
