/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Which calls a rule is for: those for which every condition holds. Without a condition it holds for all calls.
 *
 * <p>An argument matches a flag if it is equal to it or, for a flag that begins with two hyphens, begins with the flag
 * and {@code =}. All arguments are looked at, values and prompts too, as the real programs' test fakes do.
 *
 * @param conditions all must hold
 */
public record When(List<Condition> conditions) {
    /** One condition on the arguments of a call. */
    public sealed interface Condition {
        /** The flags it looks for; never empty. */
        List<String> flags();
    }

    /**
     * At least one argument matches one of the flags.
     *
     * @param flags the flags; at least one
     */
    public record ArgvAny(List<String> flags) implements Condition {
        public ArgvAny {
            flags = checked("argvAny", flags);
        }
    }

    /**
     * No argument matches any of the flags.
     *
     * @param flags the flags; at least one
     */
    public record ArgvNone(List<String> flags) implements Condition {
        public ArgvNone {
            flags = checked("argvNone", flags);
        }
    }

    /**
     * The arguments begin with exactly these: a sub-command.
     *
     * @param flags the words; at least one
     */
    public record ArgvStarts(List<String> flags) implements Condition {
        public ArgvStarts {
            flags = checked("argvStarts", flags);
        }
    }

    public When {
        conditions = List.copyOf(conditions);
    }

    /** Holds for every call; add conditions to narrow it. */
    public static When when() {
        return new When(List.of());
    }

    /** This, and at least one argument matches one of {@code flags}. */
    public When argvAny(String... flags) {
        return and(new ArgvAny(List.of(flags)));
    }

    /** This, and no argument matches any of {@code flags}. */
    public When argvNone(String... flags) {
        return and(new ArgvNone(List.of(flags)));
    }

    /** This, and the arguments begin with exactly these words. */
    public When argvStarts(String... words) {
        return and(new ArgvStarts(List.of(words)));
    }

    private When and(Condition condition) {
        List<Condition> all = new ArrayList<>(conditions);
        all.add(condition);
        return new When(all);
    }

    private static List<String> checked(String name, List<String> flags) {
        if (flags.isEmpty()) {
            throw new IllegalArgumentException(name + " needs at least one flag, but was given none");
        }
        for (String flag : flags) {
            if (flag.isEmpty() || flag.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(name + " needs flags that an argument can equal: at least one"
                        + " character and no NUL, but was given \"" + flag.replace("\0", "\\0") + "\"");
            }
        }
        return List.copyOf(flags);
    }
}
