/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What verification expects beyond the plan itself.
 *
 * @param attempts how many attempts are made, exactly; empty: at least as many as were planned
 * @param distinct an argument whose values differ in all attempts
 * @param absent an argument that no attempt has
 * @param dead descendants that must have been started and be dead
 * @param mayLive descendants that may be alive
 * @param each what is expected of single attempts
 */
public record Expect(
        OptionalInt attempts,
        Optional<String> distinct,
        Optional<String> absent,
        List<String> dead,
        List<String> mayLive,
        Map<Integer, OfAttempt> each) {
    /** Nothing beyond the plan. */
    public static final Expect NOTHING =
            new Expect(OptionalInt.empty(), Optional.empty(), Optional.empty(), List.of(), List.of(), Map.of());

    public Expect {
        if (attempts.isPresent() && attempts.getAsInt() < 0) {
            throw new IllegalArgumentException("expect attempts must be 0 or more, but was " + attempts.getAsInt());
        }
        dead = List.copyOf(dead);
        mayLive = List.copyOf(mayLive);
        each = Collections.unmodifiableMap(new TreeMap<>(each));
    }

    /**
     * What is expected of one attempt.
     *
     * @param argvHas arguments that it has
     * @param argvHasNot arguments that it has not
     * @param stdinContains texts in what it read and saved
     * @param stdinNotContains texts that are not in it; {@code ${attempt0.prompt}} is the prompt of another attempt
     * @param exit its exit code
     * @param signals the signals that it noticed, in order
     */
    public record OfAttempt(
            List<String> argvHas,
            List<String> argvHasNot,
            List<String> stdinContains,
            List<String> stdinNotContains,
            OptionalInt exit,
            Optional<List<Signal>> signals) {
        public OfAttempt {
            argvHas = List.copyOf(argvHas);
            argvHasNot = List.copyOf(argvHasNot);
            stdinContains = List.copyOf(stdinContains);
            stdinNotContains = List.copyOf(stdinNotContains);
            signals = signals.map(List::copyOf);
        }
    }
}
