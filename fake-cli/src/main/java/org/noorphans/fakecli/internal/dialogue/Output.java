/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonObject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Standard output and error, unbuffered: one write for each line. */
final class Output {
    private final CallRecord record;
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);

    private boolean closed;

    Output(CallRecord record) {
        this.record = record;
    }

    /** A message as a line. */
    void message(JsonObject message) {
        line(JsonTree.write(message));
    }

    void line(String line) {
        text(line.concat("\n"));
    }

    /**
     * Text as it is.
     *
     * @throws UncheckedIOException if nobody reads any more
     */
    void text(String text) {
        bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] bytes) {
        if (closed) {
            return;
        }
        try {
            out.write(bytes);
            record.said();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Who does not read standard error does not stop the fake. */
    void error(String line) {
        try {
            errorBytes(line.concat("\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Closed.
        }
    }

    void errorBytes(byte[] bytes) throws IOException {
        err.write(bytes);
        record.said();
    }

    /** The descriptor then leads nowhere, and so does what is printed. */
    void close() {
        closed = true;
        try {
            out.close();
        } catch (IOException e) {
            // Closed is what it was to be.
        }
    }
}
