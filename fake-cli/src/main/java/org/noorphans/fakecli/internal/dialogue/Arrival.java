/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

/** Something that happens to the fake from outside, in the order in which it happened. */
sealed interface Arrival {
    /**
     * A line came in.
     *
     * @param line without its end
     */
    record Line(String line) implements Arrival {}

    /**
     * A line came in that is no text.
     *
     * @param problem what is wrong with it
     */
    record BadLine(String problem) implements Arrival {}

    /** Standard input has ended. */
    record InputEnd() implements Arrival {}

    /**
     * A gate is open.
     *
     * @param file its file
     */
    record GateOpen(String file) implements Arrival {}

    /**
     * A signal came that the fake takes note of.
     *
     * @param name its name without SIG
     */
    record SignalCame(String name) implements Arrival {}
}
