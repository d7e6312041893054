/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.noorphans.fakecli.Descendant;
import org.noorphans.fakecli.End;
import org.noorphans.fakecli.Invocation;
import org.noorphans.fakecli.ProcessIds;
import org.noorphans.fakecli.Signal;
import org.noorphans.fakecli.SpawnMode;
import org.noorphans.fakecli.StdinPolicy;

/**
 * Reads record directories, also while fakes write them.
 *
 * <p>A directory counts once its file {@code start} is there; of files that grow, only whole lines count. So what is
 * read is always something that was true.
 */
public final class RecordReader {
    private final Path records;

    /** Reads below this directory, at each question anew. */
    public RecordReader(Path records) {
        this.records = records;
    }

    /** All calls that have begun, by their numbers. */
    public List<Invocation> read() {
        return directories().stream()
                .filter(directory -> Files.exists(directory.resolve("start")))
                .map(RecordReader::invocation)
                .toList();
    }

    /** Every process in the records, also of calls that are not complete yet: fakes, descendants, helpers. */
    public List<ProcessIds> processes() {
        List<ProcessIds> all = new ArrayList<>();
        for (Path directory : directories()) {
            lines(directory.resolve("ids")).forEach(line -> all.add(ids(line, 0)));
            kids(directory).forEach(kid -> all.add(kid.ids()));
            lines(directory.resolve("helpers")).forEach(line -> all.add(ids(line, 0)));
        }
        return all;
    }

    /** Whether some descendant is writing itself down at this moment. */
    public boolean hasHalfWrittenKid() {
        return directories().stream()
                .flatMap(directory -> kidFiles(directory).stream())
                .anyMatch(file -> lines(file).isEmpty());
    }

    private List<Path> directories() {
        return list(records, name -> true);
    }

    private static Invocation invocation(Path directory) {
        ProcessIds ids = ids(lines(directory.resolve("ids")).get(0), 0);
        // Order matters: the process is looked at before its end is read, so "gone without an end" is final.
        boolean alive = ids.isAlive();
        return new Invocation(
                number(directory),
                first(directory.resolve("class")),
                first(directory.resolve("attempt"))
                        .map(text -> OptionalInt.of(Integer.parseInt(text)))
                        .orElseGet(OptionalInt::empty),
                argv(directory.resolve("argv")),
                cwd(directory.resolve("cwd")),
                ids,
                StdinPolicy.NONE,
                kids(directory),
                lines(directory.resolve("helpers")).stream()
                        .map(line -> ids(line, 0))
                        .toList(),
                lines(directory.resolve("events")),
                Set.copyOf(lines(directory.resolve("flags"))),
                end(directory, alive));
    }

    private static End end(Path directory, boolean alive) {
        Optional<String> line = first(directory.resolve("end"));
        if (line.isEmpty()) {
            return alive ? new End.Running() : new End.Missing();
        }
        String[] words = line.get().split(" ", 2);
        return words[0].equals("exit")
                ? new End.Exited(Integer.parseInt(words[1]))
                : new End.Crashed(Signal.valueOf(words[1]));
    }

    private static List<Path> kidFiles(Path directory) {
        return list(directory, name -> name.startsWith("kid."));
    }

    private static List<Descendant> kids(Path directory) {
        List<Descendant> kids = new ArrayList<>();
        for (Path file : kidFiles(directory)) {
            first(file).ifPresent(line -> {
                String[] words = line.split(" ", 3);
                kids.add(new Descendant(words[0], SpawnMode.valueOf(words[1]), ids(words[2], 0)));
            });
        }
        return kids;
    }

    private static ProcessIds ids(String line, int from) {
        String[] words = line.split(" ");
        return new ProcessIds(
                Long.parseLong(words[from]),
                Long.parseLong(words[from + 1]),
                Long.parseLong(words[from + 2]),
                Long.parseLong(words[from + 3]),
                Long.parseLong(words[from + 4]));
    }

    private static List<String> argv(Path file) {
        String text = text(file);
        return List.of(text.substring(0, text.length() - 1).split("\0", -1));
    }

    /** A directory name may contain line ends; only the last one is the shell's. */
    private static Optional<String> cwd(Path file) {
        String text = text(file);
        return text.isEmpty() ? Optional.empty() : Optional.of(text.substring(0, text.length() - 1));
    }

    private static Optional<String> first(Path file) {
        return lines(file).stream().findFirst();
    }

    /** The lines that are whole; none if there is no such file. */
    private static List<String> lines(Path file) {
        String text = text(file);
        int end = text.lastIndexOf('\n');
        return end < 0 ? List.of() : List.of(text.substring(0, end).split("\n", -1));
    }

    private static String text(Path file) {
        try {
            // Not Files.readString, which refuses bytes that are not UTF-8.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static List<Path> list(Path directory, java.util.function.Predicate<String> wanted) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> wanted.test(file.getFileName().toString()))
                    .sorted(Comparator.comparingInt(RecordReader::number))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    private static int number(Path numbered) {
        String name = String.valueOf(numbered.getFileName());
        return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
    }
}
