/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.check;

import java.util.regex.Pattern;

/** The names that scenarios give: they become parts of file names and of shell text, so few characters are allowed. */
public final class Names {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Names() {}

    /** Refuses a name that has other characters. */
    public static void check(String what, String name) {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " name \"" + printable(name) + "\" cannot be used: take 1 to 64"
                    + " letters, digits, dots, underscores and hyphens, beginning with a letter or a digit");
        }
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
