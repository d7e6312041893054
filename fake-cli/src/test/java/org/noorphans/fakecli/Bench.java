/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.noorphans.fakecli.internal.install.HostTools;
import org.noorphans.fakecli.internal.install.Installer;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Signal;

/**
 * Installs fakes and starts them, and at its end closes the fakes and kills the processes that it started, so that no
 * test leaves anything behind.
 */
final class Bench implements AutoCloseable {
    /** Long enough for a busy machine; no test waits for it to pass. */
    static final Duration SOON = Duration.ofSeconds(20);

    private final Path directory;
    private final Installer installer;
    private final List<FakeCli> fakes = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    private Bench(Path directory, Installer installer) {
        this.directory = directory;
        this.installer = installer;
    }

    static Bench under(Path shell, Path directory) {
        return new Bench(directory, Installer.on(HostTools.ofThisMachine().withShell(shell)));
    }

    static Bench in(Path directory) {
        return new Bench(directory, Installer.on(HostTools.ofThisMachine()));
    }

    FakeCli install(FakeCliBuilder builder) {
        return install(builder.scenario());
    }

    FakeCli install(Scenario scenario) {
        FakeCli fake = FakeCli.install(scenario, directory, installer);
        fakes.add(fake);
        return fake;
    }

    Process start(FakeCli fake, String... arguments) {
        return start(command(fake, arguments));
    }

    /** As a daemon starts agents: leading a session and group of its own. */
    Process startInOwnGroup(FakeCli fake, String... arguments) {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(command(fake, arguments));
        return start(command);
    }

    Process start(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).directory(directory.toFile()).start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Output run(FakeCli fake, String... arguments) {
        return output(start(fake, arguments));
    }

    /** Reads both streams to their ends and waits for the process. Only for output that fits a pipe. */
    static Output output(Process process) {
        try {
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Output(out, err, code(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int code(Process process) {
        try {
            if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " did not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends a signal to one recorded process, if it is still that process. */
    static void signal(Signal signal, ProcessIds ids) {
        if (!ids.isAlive()) {
            throw new AssertionError("not alive: " + ids);
        }
        kill(signal, Long.toString(ids.pid()));
    }

    /** Sends a signal to a group whose leader this test started. */
    static void signalGroup(Signal signal, Process leader, Invocation call) {
        if (!leader.isAlive() || call.ids().pid() != leader.pid() || call.ids().pgid() != leader.pid()) {
            throw new AssertionError("not the leader of a group of its own: " + call);
        }
        kill(signal, "-" + leader.pid());
    }

    private static void kill(Signal signal, String target) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + target)
                    .inheritIO()
                    .start();
            if (code(kill) != 0) {
                throw new AssertionError("kill " + signal + " " + target + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(FakeCli fake, String... arguments) {
        List<String> command = new ArrayList<>(List.of(fake.path().toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    public void close() {
        try {
            fakes.forEach(FakeCli::close);
        } finally {
            // A Process is tied to the process itself, not to its number, as long as it has not been waited for.
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** What a process printed and its code. */
    record Output(String out, String err, int code) {}
}
