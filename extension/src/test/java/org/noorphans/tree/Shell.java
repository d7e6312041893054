/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.model.ProcessId;

/**
 * A shell script that is owned, started for a test. It says {@code ready} and the numbers of those it started in one line; all
 * of them are ended when the test is over, pass or fail. Every script ends by itself within 60 s.
 */
final class Shell implements AutoCloseable {
    private final StartedProcesses started = new StartedProcesses();
    private final OwnedProcessTree tree;
    private final Path output;
    private final List<ProcessId> announced = new ArrayList<>();
    private int read;

    private Shell(OwnedProcessTree tree, Path output) throws IOException {
        this.tree = tree;
        this.output = output;
        if (ProcFacts.identity(tree.pid()).isPresent()) {
            try {
                started.own(tree.pid());
            } catch (AssertionError endedMeanwhile) {
                // Some scripts end at once; then there is nothing to end.
            }
        }
        try {
            String line = line();
            if (!line.startsWith("ready")) {
                throw new AssertionError("no announcement, but " + line);
            }
            Arrays.stream(line.substring("ready".length()).trim().split(" "))
                    .filter(word -> !word.isEmpty())
                    .map(Long::parseLong)
                    .map(started::own)
                    .forEach(announced::add);
        } catch (IOException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    /** The output goes to a file: when the started process ends, Java closes its pipe, and others still write to it. */
    static ProcessBuilder builder(String script) {
        try {
            Path output = Files.createTempFile("noorphans-shell", ".out");
            return new ProcessBuilder("sh", "-c", script)
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As leader of its own group. */
    static Shell start(String script) throws IOException {
        return start(builder(script));
    }

    static Shell start(ProcessBuilder builder) throws IOException {
        return new Shell(
                OwnedProcessTree.start(builder), builder.redirectOutput().file().toPath());
    }

    /** As a plain child of this JVM, in its group. */
    static Shell plain(String script) throws IOException {
        ProcessBuilder builder = builder(script);
        return new Shell(
                OwnedProcessTree.own(builder.start()),
                builder.redirectOutput().file().toPath());
    }

    OwnedProcessTree tree() {
        return tree;
    }

    Process process() {
        return tree.process();
    }

    /** One of those that the announcement named. */
    ProcessId announced(int index) {
        return announced.get(index);
    }

    /** Lets a script go on that waits with {@code read}. */
    void go() throws IOException {
        process().getOutputStream().write('\n');
        process().getOutputStream().flush();
    }

    /** The next line that is printed. */
    String line() throws IOException {
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> complete().size() > read);
        return complete().get(read++);
    }

    /** What else has been printed so far. */
    List<String> rest() throws IOException {
        return complete().subList(read, complete().size());
    }

    private List<String> complete() throws IOException {
        String text = Files.readString(output);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    @Override
    public void close() {
        tree.stopObserving();
        started.close();
        try {
            Files.deleteIfExists(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
