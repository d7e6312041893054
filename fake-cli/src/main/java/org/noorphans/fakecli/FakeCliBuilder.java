/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.check.Names;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Expect;
import org.noorphans.fakecli.model.OnExhausted;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.When;

/**
 * Writes a {@link Scenario} down in Java. Calls are told apart in this order: version, help, the auxiliary rules in the
 * order in which they were added, attempts.
 */
public final class FakeCliBuilder {
    private final Persona persona;
    private String name;
    private @Nullable String version;
    private @Nullable String help;
    private boolean strictFlags;
    private final List<String> environment = new ArrayList<>();
    private Expect expect = Expect.NOTHING;
    private AttemptKey attemptKey = AttemptKey.NONE;
    private When attemptsWhen = When.when();
    private OnExhausted onExhausted = OnExhausted.FAIL;
    private final List<CallClass> auxiliary = new ArrayList<>();
    private final List<List<Step>> attempts = new ArrayList<>();

    FakeCliBuilder(Persona persona) {
        this.persona = Objects.requireNonNull(persona, "persona");
        this.name = persona.command();
    }

    /** The name of the executable; without it, the persona's. */
    public FakeCliBuilder name(String newName) {
        Names.check("fake", newName);
        name = newName;
        return this;
    }

    /** The line that answers {@code --version}, instead of the persona's. */
    public FakeCliBuilder version(String line) {
        Texts.checkLine("version", line);
        version = line;
        return this;
    }

    /** The line that answers {@code --help}, instead of the persona's. */
    public FakeCliBuilder help(String line) {
        Texts.checkLine("help", line);
        help = line;
        return this;
    }

    /** What attempts are counted by; without it, all calls are one sequence. */
    public FakeCliBuilder attemptKey(AttemptKey key) {
        attemptKey = Objects.requireNonNull(key, "key");
        return this;
    }

    /**
     * A kind of call that never counts as an attempt.
     *
     * @param className its name in the journal
     * @param when the calls it is for
     * @param script what each of them does
     */
    public FakeCliBuilder aux(String className, When when, Consumer<Steps> script) {
        List<Step> steps = Steps.collect(CallClass.place(className, false, 0), script);
        auxiliary.add(new CallClass(className, when, false, List.of(steps)));
        return this;
    }

    /** What the next attempt does; the first call describes attempt 0. */
    public FakeCliBuilder attempt(Consumer<Steps> script) {
        attempts.add(Steps.collect(CallClass.place(CallClass.RUN, true, attempts.size()), script));
        return this;
    }

    /**
     * Which calls are attempts at all; without it, all that no rule before took. Others are unmatched: the fake says so
     * on standard error, ends with 97, and {@link FakeCli#verify()} fails.
     */
    public FakeCliBuilder attemptsWhen(When when) {
        attemptsWhen = Objects.requireNonNull(when, "when");
        return this;
    }

    /**
     * Rejects the arguments that the real program rejects, with its exit code.
     *
     * @throws IllegalArgumentException when the scenario is built, if nothing is known about this persona's
     */
    public FakeCliBuilder strictFlags() {
        strictFlags = true;
        return this;
    }

    /** Records the values of these environment variables too; of all others, only the names are. */
    public FakeCliBuilder recordEnvironment(String... names) {
        environment.addAll(List.of(names));
        return this;
    }

    /** What {@link FakeCli#verify()} expects beyond the plan itself. */
    public FakeCliBuilder expect(Expect expectations) {
        expect = Objects.requireNonNull(expectations, "expectations");
        return this;
    }

    /** What to do when there are more calls than attempts; without it, {@link OnExhausted#FAIL}. */
    public FakeCliBuilder onExhausted(OnExhausted choice) {
        onExhausted = Objects.requireNonNull(choice, "choice");
        return this;
    }

    /**
     * The scenario as written so far.
     *
     * @throws IllegalArgumentException if it has no attempt, or two classes of one name
     */
    public Scenario scenario() {
        if (attempts.isEmpty()) {
            throw new IllegalArgumentException(
                    "scenario \"" + name + "\" has no attempts; describe at least one with attempt(…)");
        }
        List<CallClass> classes = new ArrayList<>();
        classes.addAll(persona.probes(version, help));
        if (strictFlags) {
            classes.add(persona.strictFlags());
        }
        classes.addAll(auxiliary);
        classes.add(new CallClass(CallClass.RUN, attemptsWhen, true, attempts));
        return new Scenario(persona, name, attemptKey, classes, onExhausted, environment, expect);
    }

    /**
     * Installs the scenario as an executable in a directory. See {@link FakeCli#install(Scenario, Path)}.
     *
     * @param directory where the executable goes; must exist
     */
    public FakeCli install(Path directory) {
        return FakeCli.install(scenario(), directory);
    }
}
