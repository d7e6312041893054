/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** A step that talks with the client, line by line: it reads what the client writes and answers it. */
public sealed interface DialogueStep extends Step {
    /**
     * Answers what the persona's client always asks first.
     *
     * @param handshake the name of the exchange, for example {@code handshake}
     */
    record Auto(String handshake) implements DialogueStep {
        @Override
        public String describe() {
            return "auto " + handshake;
        }
    }
}
