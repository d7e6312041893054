/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.check;

/** Checks of the texts that a fake prints. */
public final class Texts {
    private Texts() {}

    /** A shell word cannot hold NUL; and every variable must be one that there is. */
    public static void check(String step, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(step + " cannot print the character NUL; leave it out of the text");
        }
        try {
            Template.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(step + ": " + e.getMessage(), e);
        }
    }

    /** One line, without NUL. */
    public static void checkLine(String step, String line) {
        check(step, line);
        if (line.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    step + " prints one line, but the text contains a line end; use one step for each line");
        }
    }
}
