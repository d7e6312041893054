/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.noorphans.fakecli.internal.journal.RecordReader;
import org.noorphans.fakecli.model.ProcessIds;

/** A fake that some other JVM has installed, found by its executable. */
public final class Installed {
    /** Where an installation without an owner names its gates. */
    static final String GATES = "plan/gates.txt";

    private static final String MARK = "fc_data='";
    private static final Duration BY_FORCE = Duration.ofSeconds(5);

    private final Path executable;
    private final Path data;

    private Installed(Path executable, Path data) {
        this.executable = executable;
        this.data = data;
    }

    /** The data directory of an executable that is installed for good. */
    public static Path dataOf(Path executable) {
        return executable.resolveSibling("." + executable.getFileName() + ".fakecli");
    }

    /**
     * The fake that this executable is.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Installed at(Path executable) {
        try {
            for (String line : Files.readAllLines(executable)) {
                if (line.startsWith(MARK) && line.endsWith("'")) {
                    String quoted = line.substring(MARK.length(), line.length() - 1);
                    return new Installed(executable.toAbsolutePath(), Path.of(quoted.replace("'\\''", "'")));
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + executable + ": " + e, e);
        }
        throw new IllegalArgumentException(executable + " is no fake; give the path that install printed");
    }

    /** The directory of its records. */
    public Path records() {
        return data.resolve("inv");
    }

    /** A file in its data directory. */
    public Path file(String name) {
        return data.resolve(name);
    }

    /**
     * Opens a gate for good.
     *
     * @throws IllegalArgumentException if it has none of this name, naming those it has
     */
    public void release(String gate) {
        try {
            List<String> gates = Files.readAllLines(data.resolve(GATES));
            String name = gates.contains("gate." + gate) ? "gate." + gate : gate;
            if (!gates.contains(name)) {
                throw new IllegalArgumentException("no gate \"" + gate + "\"; there are " + gates);
            }
            Files.writeString(data.resolve("gates").resolve(name), "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot open the gate " + gate + "; is the fake owned by a JVM that runs?", e);
        }
    }

    /**
     * Ends all that the records name, each by pid and start time, and deletes executable and data.
     *
     * @return what could not be ended
     */
    public List<ProcessIds> remove() {
        try {
            Files.deleteIfExists(executable);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + executable, e);
        }
        List<ProcessIds> alive = ProcessEnder.endAll(new RecordReader(records())::processes, BY_FORCE);
        Installation.deleteTree(data);
        return alive;
    }
}
