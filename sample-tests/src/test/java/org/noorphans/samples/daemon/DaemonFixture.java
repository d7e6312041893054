/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import static java.util.Comparator.reverseOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.noorphans.fakecli.FakeCli;
import org.noorphans.fakecli.FakeCliBuilder;

/** A daemon, the fake agents it runs, and everything that must be gone afterwards. */
final class DaemonFixture implements AutoCloseable {

    /** S1-6: with one of these set, the seed's daemon would report to somebody. */
    static final List<String> TELEMETRY = List.of(
            "POSTHOG_KEY",
            "POSTHOG_HOST",
            "LANGFUSE_PUBLIC_KEY",
            "LANGFUSE_SECRET_KEY",
            "LANGFUSE_BASE_URL",
            "OPEN_DESIGN_TELEMETRY_RELAY_URL");

    final StartedProcesses processes = new StartedProcesses();
    final AgentDaemon daemon;
    final DaemonClient client;

    private final Path folder;
    private final List<FakeCli> fakes = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    private DaemonFixture(Path folder, AgentDaemon daemon) {
        this.folder = folder;
        this.daemon = daemon;
        this.client = new DaemonClient(daemon.url());
    }

    static DaemonFixture start(Duration inactivity, Duration backoff, Duration grace, Teardown teardown) {
        return start(new DaemonSettings(environment(System.getenv()), inactivity, backoff, grace, teardown));
    }

    static DaemonFixture start(DaemonSettings settings) {
        try {
            return new DaemonFixture(Files.createTempDirectory("agent-daemon-"), AgentDaemon.start(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** S1-6: the environment for a daemon under test. The one given, which may be the JVM's, stays as it is (S1-7). */
    static Map<String, String> environment(Map<String, String> original) {
        Map<String, String> copy = new HashMap<>(original);
        copy.keySet().removeAll(TELEMETRY);
        return copy;
    }

    /** Installs a fake in a folder of its own and makes it the daemon's agent for all runs from now on. */
    FakeCli use(FakeCliBuilder agent) {
        FakeCli fake = agent.install(newFolder());
        fakes.add(fake);
        client.configure(fake.path());
        return fake;
    }

    /** The same with a shell script, which finds its own folder in FOLDER; gives that folder. */
    Path use(String script) {
        Path home = newFolder();
        Path agent = home.resolve("claude");
        // A file that this JVM has open for writing could not be started; one that another process wrote can.
        String write = "cat > \"$1\" && chmod 755 \"$1\"";
        try {
            Process writer = new ProcessBuilder("sh", "-c", write, "sh", agent.toString()).start();
            try (var stdin = writer.getOutputStream()) {
                stdin.write(("#!/bin/sh\nFOLDER=${0%/*}\n" + script).getBytes(StandardCharsets.UTF_8));
            }
            if (writer.waitFor() != 0) {
                throw new IllegalStateException("cannot write " + agent);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        client.configure(agent);
        return home;
    }

    private Path newFolder() {
        try {
            return Files.createTempDirectory(folder, "bin-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    /** What {@link #close} has done, in order. */
    List<String> closed() {
        return List.copyOf(closed);
    }

    /** S1-8: every step is taken, pass or fail, in this order. There is no environment to restore: see S1-7. */
    @Override
    public void close() {
        try (AutoCloseable delete = step("temporary folder", this::delete);
                AutoCloseable agents = step("fake agents", () -> fakes.forEach(FakeCli::close));
                AutoCloseable server = step("server", daemon::close);
                AutoCloseable shutdown = step("daemon", daemon::shutdown);
                AutoCloseable kill = step("processes", processes::close)) {
            // Resources are closed last to first.
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private AutoCloseable step(String name, Runnable action) {
        return () -> {
            action.run();
            closed.add(name);
        };
    }

    private void delete() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
