/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.regex.Pattern;

/**
 * What attempts are counted by.
 *
 * <p>Calls with the same key draw from one sequence 0, 1, 2, … A number is claimed atomically, so that calls at the
 * same moment never get the same one.
 */
public sealed interface AttemptKey {
    /** One sequence for all calls of the fake. */
    AttemptKey NONE = new None();

    /** One sequence for each working directory. */
    AttemptKey CWD = new Cwd();

    /** One sequence for each value of an argument, written {@code FLAG VALUE} or {@code FLAG=VALUE}. */
    static AttemptKey arg(String flag) {
        return new Arg(flag);
    }

    /** One sequence for each value of an environment variable. */
    static AttemptKey env(String name) {
        return new Env(name);
    }

    /** One sequence for all calls of the fake. */
    record None() implements AttemptKey {}

    /** One sequence for each working directory. */
    record Cwd() implements AttemptKey {}

    /**
     * One sequence for each value of an argument; calls without it share one.
     *
     * @param flag the argument before the value
     */
    record Arg(String flag) implements AttemptKey {
        private static final Pattern ALLOWED = Pattern.compile("-{0,2}[A-Za-z0-9][A-Za-z0-9._-]*");

        public Arg {
            if (!ALLOWED.matcher(flag).matches()) {
                throw new IllegalArgumentException(
                        "attempt key arg needs a flag such as --session-id, but was given \"" + flag + "\"");
            }
        }
    }

    /**
     * One sequence for each value of an environment variable; calls without it share one.
     *
     * @param name its name
     */
    record Env(String name) implements AttemptKey {
        private static final Pattern ALLOWED = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

        public Env {
            if (!ALLOWED.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "attempt key env needs the name of a variable, but was given \"" + name + "\"");
            }
        }
    }
}
