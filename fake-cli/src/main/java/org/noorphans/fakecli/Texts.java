/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

/** Checks of the texts that a fake prints. */
final class Texts {
    private Texts() {}

    /** A shell word cannot hold NUL. */
    static void check(String step, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(step + " cannot print the character NUL; leave it out of the text");
        }
    }

    static void checkLine(String step, String line) {
        check(step, line);
        if (line.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    step + " prints one line, but the text contains a line end; use one step for each line");
        }
    }
}
