/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The record directory of this call, written in the same form as the shell writes it. */
final class CallRecord {
    private static final int LONGEST_EVENT = 200;

    private final Path directory;
    private int nextEvent;
    private boolean saidSomething;

    /**
     * A record that the shell has begun.
     *
     * @param nextEvent the number of the next event
     */
    CallRecord(Path directory, int nextEvent) {
        this.directory = directory;
        this.nextEvent = nextEvent;
    }

    String directory() {
        return directory.toString();
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    /** Notes that the fake has come to something. Texts from outside are cut and made one line. */
    synchronized void event(String text) {
        write("ev." + nextEvent++, oneLine(text));
    }

    /** Notes that something went wrong. */
    void flag(String name) {
        append("flags", name, true);
    }

    /** The very last act. */
    void end(String how) {
        write("end", how);
    }

    /** Notes a process that works for the fake. */
    void helper(long pid) {
        try {
            String stat = new String(
                    Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            append("helpers", pid + " " + fields[1] + " " + fields[2] + " " + fields[3] + " " + fields[19], true);
        } catch (IOException e) {
            // Ended already.
        }
    }

    /** Notes that something was printed just now; the time is the file's. */
    synchronized void said() {
        if (!saidSomething) {
            saidSomething = true;
            write("out.first", "");
        }
        write("out.last", "");
    }

    /** Notes that standard input has ended. */
    void inputEnded() {
        write("stdin.eof", "");
    }

    private void write(String name, String line) {
        append(name, line, false);
    }

    /** A record that is gone cannot be written, and nobody would read it: the fake was closed. */
    private synchronized void append(String name, String line, boolean more) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (OutputStream out = new FileOutputStream(file(name).toFile(), more)) {
            out.write(line.concat("\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // As in the shell: the fake does what it is told, whether or not it can be noted.
        }
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length() && i < LONGEST_EVENT; i++) {
            char c = text.charAt(i);
            line.append(c < ' ' || c == 0x7f ? '?' : c);
        }
        return line.toString();
    }
}
