/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

/** Bytes as a shell command that prints them, whatever they are. */
public final class ByteText {
    private static final int CHUNK = 2000;

    private ByteText() {}

    /** Lines of shell that print exactly these bytes. */
    public static String print(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int start = 0; start < bytes.length; start += CHUNK) {
            text.append("printf '");
            for (int i = start; i < Math.min(bytes.length, start + CHUNK); i++) {
                append(text, bytes[i] & 0xff);
            }
            text.append("'\n");
        }
        return text.toString();
    }

    /** What printf or the quotes treat specially, and everything that is not a printable ASCII character, is octal. */
    private static void append(StringBuilder text, int b) {
        if (b >= ' ' && b < 0x7f && b != '\\' && b != '%' && b != '\'') {
            text.append((char) b);
        } else {
            text.append(String.format("\\%03o", b));
        }
    }
}
