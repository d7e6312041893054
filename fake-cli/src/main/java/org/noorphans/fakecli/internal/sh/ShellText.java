/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

/** Text as one word of a POSIX shell program. */
public final class ShellText {
    private ShellText() {}

    /** The text in single quotes, whatever it contains except NUL. */
    public static String quote(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
