/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.noorphans.fakecli.model.Descendant;

/** Looks at the kernel's own picture of a descendant, to compare with what it recorded. */
final class Proc {
    private Proc() {}

    /** What an open descriptor points to. */
    static String target(Descendant kid, int descriptor) {
        try {
            return Files.readSymbolicLink(directory(kid).resolve("fd").resolve(Integer.toString(descriptor)))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long parent(Descendant kid) {
        return Long.parseLong(stat(kid)[1]);
    }

    static long group(Descendant kid) {
        return Long.parseLong(stat(kid)[2]);
    }

    static long session(Descendant kid) {
        return Long.parseLong(stat(kid)[3]);
    }

    static Path workingDirectory(Descendant kid) {
        try {
            return Files.readSymbolicLink(directory(kid).resolve("cwd"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command line, words separated by blanks. */
    static String command(Descendant kid) {
        return read(kid, "cmdline").replace('\0', ' ').strip();
    }

    static boolean ignores(Descendant kid, int signalNumber) {
        String mask = read(kid, "status")
                .lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow()
                .substring("SigIgn:".length())
                .strip();
        return (Long.parseUnsignedLong(mask, 16) >> (signalNumber - 1) & 1) == 1;
    }

    private static String[] stat(Descendant kid) {
        String line = read(kid, "stat");
        return line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    }

    private static String read(Descendant kid, String file) {
        try {
            return Files.readString(directory(kid).resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory(Descendant kid) {
        return Path.of("/proc", Long.toString(kid.pid()));
    }
}
