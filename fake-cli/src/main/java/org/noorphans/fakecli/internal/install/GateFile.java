/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A FIFO whose write end this JVM holds.
 *
 * <p>Readers block while it is held and see the end of file when it is closed, by {@link #close()} or by the end of the
 * JVM. Opening it for reading and writing never blocks, also without a reader.
 */
public final class GateFile implements AutoCloseable {
    /** More than can wait at one gate; small enough that a pipe takes it without blocking. */
    private static final int WAITERS = 4096;

    private final Path path;
    private final RandomAccessFile writeEnd;
    private boolean released;
    private boolean closed;

    private GateFile(Path path, RandomAccessFile writeEnd) {
        this.path = path;
        this.writeEnd = writeEnd;
    }

    /** Holds an existing FIFO. */
    static GateFile hold(Path path) throws IOException {
        return new GateFile(path, new RandomAccessFile(path.toFile(), "rw"));
    }

    /**
     * Opens the gate for good.
     *
     * <p>First a plain file with a line takes the name, so that all who look it up from now on pass. Who waits already,
     * or had looked it up just before, reads from the FIFO, which gets a line for each of them and stays held: opening
     * it never blocks, however late.
     */
    public synchronized void release() {
        if (released || closed) {
            return;
        }
        try {
            Path open = path.resolveSibling(path.getFileName() + ".open");
            Files.writeString(open, "\n");
            Files.move(open, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            writeEnd.write("\n".repeat(WAITERS).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the gate " + path, e);
        }
        released = true;
    }

    /** Lets go of the write end: who waits here ends with the flag ownerGone. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            writeEnd.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the gate " + path, e);
        }
    }
}
