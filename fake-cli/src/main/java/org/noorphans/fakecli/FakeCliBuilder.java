/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.noorphans.fakecli.internal.check.Names;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.model.AttemptKey;
import org.noorphans.fakecli.model.CallClass;
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
    private Optional<String> version;
    private Optional<String> help;
    private AttemptKey attemptKey = AttemptKey.NONE;
    private When attemptsWhen = When.when();
    private OnExhausted onExhausted = OnExhausted.FAIL;
    private final List<CallClass> auxiliary = new ArrayList<>();
    private final List<List<Step>> attempts = new ArrayList<>();

    FakeCliBuilder(Persona persona) {
        this.persona = Objects.requireNonNull(persona, "persona");
        this.name = persona.command();
        this.version = persona.versionLine();
        this.help = persona.usageLine();
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
        version = Optional.of(line);
        return this;
    }

    /** The line that answers {@code --help}, instead of the persona's. */
    public FakeCliBuilder help(String line) {
        Texts.checkLine("help", line);
        help = Optional.of(line);
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
        version.ifPresent(line -> classes.add(probe("version", persona.versionFlags(), line)));
        help.ifPresent(line -> classes.add(probe("help", persona.helpFlags(), line)));
        classes.addAll(auxiliary);
        classes.add(new CallClass(CallClass.RUN, attemptsWhen, true, attempts));
        return new Scenario(persona, name, attemptKey, classes, onExhausted);
    }

    /**
     * Installs the scenario as an executable in a directory. See {@link FakeCli#install(Scenario, Path)}.
     *
     * @param directory where the executable goes; must exist
     */
    public FakeCli install(Path directory) {
        return FakeCli.install(scenario(), directory);
    }

    private static CallClass probe(String className, List<String> flags, String line) {
        List<Step> answer = List.of(new Step.Out(line), new Step.Exit(0));
        return new CallClass(className, new When(List.of(new When.ArgvAny(flags))), false, List.of(answer));
    }
}
