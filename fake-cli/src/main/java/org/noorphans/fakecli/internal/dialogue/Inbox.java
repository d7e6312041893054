/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Everything that arrives, in one queue, so that one thread alone decides and acts.
 *
 * <p>Standard input is read at once and always, also while the fake is busy or stalls: what a client wrote before it was
 * ended is then in the record. (A fake that must not read has no business with dialogues.)
 */
final class Inbox {
    /** No message of the protocols comes near it; a client that never ends its line must not fill the memory. */
    private static final int LONGEST_LINE = 16 << 20;

    private final LinkedBlockingQueue<Arrival> queue = new LinkedBlockingQueue<>();
    private final CallRecord record;

    Inbox(CallRecord record) {
        this.record = record;
    }

    void add(Arrival arrival) {
        queue.add(arrival);
    }

    /** The next arrival; null if none comes before this moment of {@link System#nanoTime()}. */
    @Nullable
    Arrival next(long deadline) throws InterruptedException {
        return queue.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    Arrival next() throws InterruptedException {
        return queue.take();
    }

    /** What has arrived already; null if nothing. */
    @Nullable
    Arrival poll() {
        return queue.poll();
    }

    /** Reads to the end, on the calling thread. */
    void read(InputStream in) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] block = new byte[8192];
        boolean tooLong = false;
        try (OutputStream copy = new FileOutputStream(record.file("stdin").toFile(), true)) {
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                copy.write(block, 0, count);
                int from = 0;
                for (int i = 0; i < count; i++) {
                    if (block[i] == '\n') {
                        line.write(block, from, i - from);
                        from = i + 1;
                        finish(line, tooLong);
                        tooLong = false;
                    }
                }
                line.write(block, from, count - from);
                if (line.size() > LONGEST_LINE) {
                    line.reset();
                    tooLong = true;
                }
            }
        } catch (IOException e) {
            // Closed from outside: nothing more comes.
        }
        // A last line without an end counts, as it does for most readers of lines.
        finish(line, tooLong);
        record.inputEnded();
        add(new Arrival.InputEnd());
    }

    private void finish(ByteArrayOutputStream bytes, boolean tooLong) {
        byte[] line = bytes.toByteArray();
        bytes.reset();
        if (tooLong) {
            add(new Arrival.BadLine("the line is longer than " + (LONGEST_LINE >> 20) + " MiB"));
            return;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
            if (!text.isBlank()) {
                add(new Arrival.Line(text));
            }
        } catch (CharacterCodingException e) {
            add(new Arrival.BadLine("the line is not UTF-8"));
        }
    }
}
