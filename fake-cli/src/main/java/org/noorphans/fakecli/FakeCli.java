/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.noorphans.fakecli.internal.install.GateFile;
import org.noorphans.fakecli.internal.install.HostTools;
import org.noorphans.fakecli.internal.install.Installation;
import org.noorphans.fakecli.internal.install.Installer;
import org.noorphans.fakecli.internal.journal.Verification;
import org.noorphans.fakecli.internal.sh.GateName;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.FakeCliInstallException;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Scenario;

/**
 * An installed fake: a real executable that does what a scenario says, and the records of what it did.
 *
 * <pre>{@code
 * try (FakeCli claude = FakeCli.persona(Persona.CLAUDE)
 *         .aux("helper", when().argvNone("--session-id", "--resume"), s -> s.out("{\"entries\":[]}").exit(0))
 *         .attempt(a -> a.spawn("mcp", SpawnMode.CHILD).stall())
 *         .attempt(a -> a.say(init()).say(text("Recovered")).say(success("Recovered")).exit(0))
 *         .install(binDir)) {
 *     startTheDaemonWith(claude.path());
 *     Invocation first = claude.journal().awaitEvent(0, "stall", Duration.ofSeconds(5));
 *     …
 *     assertThat(first.kid("mcp").isAlive()).isFalse();
 *     claude.verify();
 * }
 * }</pre>
 *
 * <h2>Basic approach</h2>
 *
 * <p>The scenario is compiled to straight-line POSIX shell that uses built-in commands only, because a fake on a JVM
 * takes so long to start that it trips the watchdogs it is meant to test. Each call writes a record directory of its
 * own. Waits are reads of a FIFO whose write end this JVM holds: they need no child process, and end with this JVM.
 *
 * <h2>Limits</h2>
 *
 * <p>Linux only so far: process numbers and start times come from {@code /proc}. A fake that runs as a user other than the one who installed it cannot read its plan.
 */
public final class FakeCli implements AutoCloseable {
    private static final Duration DEFAULT_SETTLE = Duration.ofSeconds(1);

    private final Scenario scenario;
    private final Installation installation;
    private final Journal journal;

    private FakeCli(Scenario scenario, Installation installation) {
        this.scenario = scenario;
        this.installation = installation;
        this.journal = new Journal(scenario.name(), installation.records());
    }

    /** Begins a scenario. */
    public static FakeCliBuilder persona(Persona persona) {
        return new FakeCliBuilder(persona);
    }

    /**
     * Writes the executable, named as the scenario says, into a directory, and its plan into a fresh directory below
     * {@code java.io.tmpdir}. After an error neither is left.
     *
     * @param directory must exist and be writable, on a file system from which programs can be started
     * @throws FakeCliInstallException if that is not so, if the name is taken there, or if a step needs a program that
     *     this machine lacks
     */
    public static FakeCli install(Scenario scenario, Path directory) {
        return new FakeCli(scenario, Installer.on(HostTools.ofThisMachine()).install(scenario, directory));
    }

    static FakeCli install(Scenario scenario, Path directory, Installer installer) {
        return new FakeCli(scenario, installer.install(scenario, directory));
    }

    /** What it does. */
    public Scenario scenario() {
        return scenario;
    }

    /** The executable, absolute. */
    public Path path() {
        return installation.executable();
    }

    /** What it did. */
    public Journal journal() {
        return journal;
    }

    /**
     * The stall of an attempt. If the last attempt is repeated, its stall is that of all repetitions.
     *
     * @throws IllegalArgumentException if that attempt has none
     */
    public Gate stall(int attempt) {
        int last = scenario.run().attempts().size() - 1;
        return gate(
                "stall",
                GateName.ofStall(CallClass.RUN, attempt),
                "attempt " + attempt + " has no stall step",
                call -> call.className().equals(Optional.of(CallClass.RUN))
                        && Math.min(call.attempt().orElse(-1), last) == attempt);
    }

    /**
     * A gate of the scenario.
     *
     * @throws IllegalArgumentException if no step names it
     */
    public Gate gate(String name) {
        return gate(
                "gate " + name,
                GateName.ofGate(name),
                "no step of the scenario is a gate named \"" + name + "\"",
                call -> true);
    }

    private Gate gate(String event, String fileName, String problem, Predicate<Invocation> concerned) {
        GateFile file = installation.gate(fileName).orElseThrow(() -> new IllegalArgumentException(problem));
        return new Gate(event, file, journal, concerned);
    }

    /** As {@link #verify(Duration)}, and processes get one second to end. */
    public void verify() {
        verify(DEFAULT_SETTLE);
    }

    /**
     * Checks that what was planned has happened: every attempt was made, no call was unmatched or one too many, none
     * failed for reasons of its own, no fake and none of its descendants is alive, and what the scenario expects beyond
     * that. A zombie is not alive. How an attempt ended is compared only if the scenario expects something of it: ending
     * it from outside is what many tests are about.
     *
     * @param settle how long processes may take to end
     * @throws AssertionError that lists everything that is not so
     */
    public void verify(Duration settle) {
        List<String> problems = Verification.problems(scenario, journal.calls(), settle);
        if (!problems.isEmpty()) {
            throw new AssertionError("fake " + scenario.name() + ":\n  " + String.join("\n  ", problems));
        }
    }

    /**
     * Removes the executable, ends every fake that still runs and everything the fakes started, each identified by pid
     * and start time, and deletes the records. A second time it does nothing.
     *
     * @throws IllegalStateException if something is still alive after five seconds, naming it; the files are gone then
     *     too
     */
    @Override
    public void close() {
        installation.close();
    }
}
