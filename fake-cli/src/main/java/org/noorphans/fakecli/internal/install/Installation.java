/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.journal.Poll;
import org.noorphans.fakecli.internal.journal.RecordReader;
import org.noorphans.fakecli.model.ProcessIds;

/** What an installed fake has on this machine: an executable, a data directory, and gates held open. */
public final class Installation implements AutoCloseable {
    private static final Duration BY_THEMSELVES = Duration.ofMillis(200);
    private static final Duration BY_FORCE = Duration.ofSeconds(5);
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);

    private final Path executable;
    private final Path data;
    private final Map<String, GateFile> gates;
    private boolean closed;

    Installation(Path executable, Path data, Map<String, GateFile> gates) {
        this.executable = executable;
        this.data = data;
        this.gates = Map.copyOf(gates);
    }

    /** The executable, absolute. */
    public Path executable() {
        return executable;
    }

    /** The directory of the record directories. */
    public Path records() {
        return data.resolve("inv");
    }

    /** The gate with this file name. */
    public Optional<GateFile> gate(String fileName) {
        return Optional.ofNullable(gates.get(fileName));
    }

    /**
     * Ends everything and removes everything.
     *
     * <p>No new call can begin once the executable is gone; a call that has just begun ends when its files are. A
     * descendant writes itself down before it becomes one, and ends if it cannot: so after the records have been moved
     * away, no further one comes to life, and all that did are in the records.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        delete(executable);
        gates.values().forEach(GateFile::close);
        RecordReader reader = new RecordReader(records());
        Poll.until(
                BY_THEMSELVES,
                () -> Optional.of(true).filter(yes -> reader.fakes().stream().noneMatch(ProcessIds::isAlive)));
        ProcessEnder.endAll(reader::processes, BY_FORCE);

        Path moved = data.resolve("inv.closed");
        move(records(), moved);
        RecordReader last = new RecordReader(moved);
        Poll.until(LAST_LOOK, () -> Optional.of(true).filter(yes -> !last.hasHalfWrittenKid()));
        List<ProcessIds> alive = ProcessEnder.endAll(last::processes, BY_FORCE);

        deleteTree(data);
        if (!alive.isEmpty()) {
            throw new IllegalStateException("the fake " + executable + " is removed, but could not end "
                    + alive.stream().map(ids -> "pid " + ids.pid()).toList());
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (NoSuchFileException e) {
            // Somebody tidied the temporary directory; then there is nothing to move, and no record to go by.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot move " + from, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + file, e);
        }
    }

    static void deleteTree(Path directory) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException problem)
                        throws IOException {
                    if (problem != null) {
                        throw problem;
                    }
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }
}
