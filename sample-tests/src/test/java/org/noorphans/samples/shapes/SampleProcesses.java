/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.noorphans.model.ProcessId;

/**
 * What one run of a fixture starts, each process under the role that it plays. Recipes append {@code role pid} to the file
 * {@code pids} in the directory that {@code OUT} names; what Java starts is written there too. The harness keeps this object
 * and ends what is left; the fixture gets it as a parameter.
 */
public final class SampleProcesses implements AutoCloseable {
    /** The configuration parameter that names the directory, and with it this object. */
    static final String PARAMETER = "samples.out";

    /** The start time of a process that had gone before it could be read; no process has it. */
    private static final long GONE = 0;

    private static final Map<String, SampleProcesses> OPEN = new ConcurrentHashMap<>();

    private final Path out;
    private final Map<String, ProcessId> known = new ConcurrentHashMap<>();
    private final Map<String, String> notes = new ConcurrentHashMap<>();
    private volatile CompletableFuture<String> reader = new CompletableFuture<>();

    private SampleProcesses(Path out) {
        this.out = out;
    }

    /** Begins a run that publishes in this directory, which must be empty. */
    public static SampleProcesses in(Path out) {
        SampleProcesses processes = new SampleProcesses(out);
        OPEN.put(out.toString(), processes);
        return processes;
    }

    /** The directory that {@code OUT} names. */
    public Path out() {
        return out;
    }

    /** Starts a recipe as {@code root}, with its output discarded. */
    public Process recipe(String name) {
        return start("root", silent(builder("sh", path(name))));
    }

    /** Starts {@code sleep 120} as a direct child. */
    public Process sleeper(String role) {
        return start(role, silent(builder("sleep", "120")));
    }

    /**
     * Has a shell start {@code sleep 120}, and then kills the shell.
     *
     * @param before what is done while the shell lives
     */
    public void orphan(String role, Runnable before) {
        String script = "sleep 120 & echo \"$0 $!\" >> \"$OUT/pids\"; wait";
        start(role + "-starter", silent(builder("sh", "-c", script, role)));
        await(role);
        before.run();
        end(role + "-starter");
    }

    /** Starts a process and publishes it. */
    public Process start(String role, ProcessBuilder builder) {
        try {
            Process process = builder.start();
            publish(role, process.pid());
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A builder with the variables that recipes use. */
    public ProcessBuilder builder(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OUT", out.toString());
        builder.environment().put("PRCTL", System.getProperty("os.arch").equals("aarch64") ? "167" : "157");
        return builder;
    }

    static ProcessBuilder silent(ProcessBuilder builder) {
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
    }

    /** Where a recipe lies. */
    public static String path(String recipe) {
        try {
            return Path.of(SampleProcesses.class
                            .getResource("/shapes/" + recipe)
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a process that does not publish itself. */
    public void publish(String role, long pid) {
        LinuxProcess.read(pid).ifPresent(process -> known.put(role, process.id()));
        try {
            Files.writeString(
                    out.resolve("pids"), role + " " + pid + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a process plays this role already. */
    public boolean isPublished(String role) {
        return published().containsKey(role);
    }

    /** Waits until a process has been published. */
    public ProcessId await(String role) {
        Eventually.that(role + " is published", () -> published().containsKey(role));
        // In the middle of an exec a process shows no environment for an instant.
        Eventually.that(
                role + " is known or gone",
                () -> id(role).startStamp() != GONE
                        || LinuxProcess.read(id(role).pid()).isEmpty());
        return id(role);
    }

    /** Waits until a process is in this state. */
    public ProcessId awaitState(String role, char state) {
        ProcessId id = await(role);
        Eventually.that(
                role + " is in state " + state,
                () -> LinuxProcess.read(id).filter(now -> now.state() == state).isPresent());
        return id;
    }

    /** Waits until a process has ended. */
    public void awaitEnd(String role) {
        ProcessId id = await(role);
        Eventually.that(role + " has ended", () -> !LinuxProcess.isAlive(id));
    }

    /** The identity of a published process. One that had gone before it was looked at has the start time 0. */
    public ProcessId id(String role) {
        Long pid = published().get(role);
        if (pid == null) {
            throw new AssertionError(role + " has not been published in " + out);
        }
        if (!known.containsKey(role)) {
            ours(pid).ifPresent(process -> known.put(role, process.id()));
        }
        return known.getOrDefault(role, new ProcessId(pid, GONE));
    }

    /** The role of a process; its number if it has none. */
    public String role(ProcessId id) {
        return published().keySet().stream()
                .filter(role -> id(role).equals(id))
                .findFirst()
                .orElseGet(id::toString);
    }

    /** The roles of all published processes that are alive. */
    public List<String> alive() {
        return published().keySet().stream()
                .filter(role -> LinuxProcess.isAlive(id(role)))
                .toList();
    }

    /** Kills one process and waits until it has ended. */
    public void end(String role) {
        LinuxProcess.kill(id(role));
        awaitEnd(role);
    }

    /** Makes a file in the directory, for which a recipe waits. */
    public void open(String gate) {
        try {
            Files.createFile(out.resolve(gate));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps a word for the harness. */
    public void note(String key, String value) {
        notes.put(key, value);
    }

    /** What was noted; empty if nothing was. */
    public String note(String key) {
        return notes.getOrDefault(key, "");
    }

    /** Reads the output of a process to its end in a thread of its own. */
    public CompletableFuture<String> readToEnd(Process process) {
        CompletableFuture<String> text = new CompletableFuture<>();
        reader = text;
        Thread thread = new Thread(
                () -> {
                    try {
                        text.complete(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        text.completeExceptionally(e);
                    }
                },
                "reader");
        thread.setDaemon(true);
        thread.start();
        return text;
    }

    /** What {@link #readToEnd} reads. */
    public CompletableFuture<String> reader() {
        return reader;
    }

    /** Kills every published process that is alive. */
    @Override
    public void close() {
        OPEN.remove(out.toString());
        List<ProcessId> left = published().keySet().stream().map(this::id).toList();
        left.forEach(LinuxProcess::kill);
        left.forEach(id -> Eventually.that(id + " has been ended", () -> !LinuxProcess.isAlive(id)));
    }

    /** A process that had gone before its start time was noted may have left its number to a stranger. */
    private Optional<LinuxProcess> ours(long pid) {
        return LinuxProcess.read(pid)
                .filter(now -> now.state() == 'Z' || LinuxProcess.hasVariable(pid, "OUT", out.toString()));
    }

    private Map<String, Long> published() {
        Path file = out.resolve("pids");
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            String text = Files.readString(file);
            // A line that is just being written has no end yet.
            List<String> lines = new ArrayList<>(
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
            return lines.stream()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(
                            words -> words[0],
                            words -> Long.valueOf(words[1]),
                            (first, second) -> {
                                throw new AssertionError("one role for the pids " + first + " and " + second);
                            },
                            LinkedHashMap::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives a fixture the object of the run that it is part of. */
    public static final class Resolver implements ParameterResolver {
        /** For JUnit. */
        public Resolver() {}

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SampleProcesses.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return of(context);
        }
    }

    /** The object of the run that a context is part of. */
    public static SampleProcesses of(ExtensionContext context) {
        return context.getConfigurationParameter(PARAMETER).map(OPEN::get).orElseThrow();
    }
}
