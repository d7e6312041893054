/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;

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

    /** Every fake in the records, also of calls that are not complete yet. */
    public List<ProcessIds> fakes() {
        return directories().stream()
                .flatMap(directory -> lines(directory.resolve("ids")).stream())
                .map(RecordReader::ids)
                .toList();
    }

    /** Every process in the records: fakes, descendants, helpers. */
    public List<ProcessIds> processes() {
        List<ProcessIds> all = new ArrayList<>(fakes());
        for (Path directory : directories()) {
            kids(directory).forEach(kid -> all.add(kid.ids()));
            all.addAll(helpers(directory));
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

    /**
     * Everything is read in the reverse order of its writing: whether the process lives, its end, its events, then what
     * the events are about. So "gone without an end" is final, and the descendant that an event names is there.
     */
    private static Invocation invocation(Path directory) {
        ProcessIds ids = ids(lines(directory.resolve("ids")).get(0));
        boolean alive = ids.isAlive();
        End end = end(directory, alive);
        Set<String> flags = Set.copyOf(lines(directory.resolve("flags")));
        List<Invocation.Event> timeline = timeline(directory);
        Optional<String> attempt = first(directory.resolve("attempt"));
        return new Invocation(
                number(directory),
                first(directory.resolve("class")),
                attempt.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(attempt.get())),
                cwd(directory.resolve("key")),
                argv(directory.resolve("argv")),
                cwd(directory.resolve("cwd")),
                environment(directory),
                ids,
                input(directory),
                kids(directory),
                helpers(directory),
                timeline,
                moments(directory),
                flags,
                end);
    }

    private static End end(Path directory, boolean alive) {
        Optional<String> line = first(directory.resolve("end"));
        if (line.isEmpty()) {
            return alive ? new End.Running() : new End.Missing();
        }
        String[] words = line.get().split(" ", 2);
        if (words[0].equals("replaced")) {
            return new End.Replaced();
        }
        return words[0].equals("exit")
                ? new End.Exited(Integer.parseInt(words[1]))
                : new End.Crashed(Signal.valueOf(words[1]));
    }

    /** The fake's own events in their order, then those of descendants; together by time. */
    private static List<Invocation.Event> timeline(Path directory) {
        List<Path> files = new ArrayList<>(list(directory, name -> name.startsWith("ev.")));
        files.addAll(list(directory, name -> name.startsWith("kidev.")));
        List<Invocation.Event> events = new ArrayList<>();
        for (Path file : files) {
            Optional<Instant> at = modified(file);
            Optional<String> what = first(file);
            if (at.isPresent() && what.isPresent()) {
                events.add(new Invocation.Event(at.get(), what.get()));
            }
        }
        events.sort(Comparator.comparing(Invocation.Event::at));
        return events;
    }

    private static Invocation.Moments moments(Path directory) {
        return new Invocation.Moments(
                modified(directory.resolve("start")).orElse(Instant.EPOCH),
                modified(directory.resolve("out.first")),
                modified(directory.resolve("out.last")),
                modified(directory.resolve("end")));
    }

    private static Map<String, Optional<String>> environment(Path directory) {
        Map<String, Optional<String>> variables = new TreeMap<>();
        lines(directory.resolve("env")).forEach(name -> variables.put(name, Optional.empty()));
        for (String each : text(directory.resolve("env.values")).split("\0", -1)) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                variables.put(each.substring(0, equals), Optional.of(each.substring(equals + 1)));
            }
        }
        return variables;
    }

    private static Invocation.Input input(Path directory) {
        StdinPolicy policy = first(directory.resolve("stdin.policy"))
                .map(text -> StdinPolicy.valueOf(text.toUpperCase(Locale.ROOT)))
                .orElse(StdinPolicy.NONE);
        Path saved = directory.resolve("stdin");
        boolean eof = Files.exists(directory.resolve("stdin.eof"));
        if (!Files.exists(saved)) {
            return new Invocation.Input(policy, Optional.empty(), 0, Optional.empty(), eof);
        }
        byte[] bytes = bytes(saved);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return new Invocation.Input(policy, Optional.of(text), bytes.length, Optional.of(sha256(bytes)), eof);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static Optional<Instant> modified(Path file) {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the time of " + file, e);
        }
    }

    private static List<Path> kidFiles(Path directory) {
        return list(directory, name -> name.startsWith("kid."));
    }

    private static List<Descendant> kids(Path directory) {
        List<Descendant> kids = new ArrayList<>();
        for (Path file : kidFiles(directory)) {
            first(file).ifPresent(line -> {
                String[] words = line.split(" ", 3);
                kids.add(new Descendant(words[0], SpawnMode.valueOf(words[1]), ids(words[2])));
            });
        }
        return kids;
    }

    private static List<ProcessIds> helpers(Path directory) {
        return lines(directory.resolve("helpers")).stream()
                .map(RecordReader::ids)
                .toList();
    }

    private static ProcessIds ids(String line) {
        String[] words = line.split(" ", -1);
        return new ProcessIds(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
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

    /** Not Files.readString, which refuses bytes that are not UTF-8. */
    private static String text(Path file) {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static List<Path> list(Path directory, Predicate<String> wanted) {
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
