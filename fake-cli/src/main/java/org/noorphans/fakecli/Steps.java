/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.EffectStep;
import org.noorphans.fakecli.model.InputStep;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.ProcessStep;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.StdinPolicy;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;

/**
 * Collects the steps of one attempt. Each method adds one step, in the order of the calls; each refuses wrong values
 * with an {@link IllegalArgumentException} that names the attempt and the number of the step, from 1.
 */
public final class Steps {
    private final String place;
    private final List<Step> steps = new ArrayList<>();

    Steps(String place) {
        this.place = place;
    }

    static List<Step> collect(String place, Consumer<Steps> script) {
        Steps steps = new Steps(place);
        script.accept(steps);
        CallClass.checkTogether(place, steps.steps);
        return List.copyOf(steps.steps);
    }

    /** Prints a line to standard output. */
    public Steps out(String line) {
        return add(() -> new Step.Out(line));
    }

    /** Prints a line to standard error. */
    public Steps err(String line) {
        return add(() -> new Step.Err(line));
    }

    /**
     * Prints a JSON object as one line to standard output.
     *
     * @param object strings, numbers, booleans, maps, lists and null; the fields keep the order of the map
     */
    public Steps json(Map<String, ?> object) {
        return add(() -> new Step.Json(JsonText.of(object)));
    }

    /** Prints a phrase of the persona. */
    public Steps say(Phrase phrase) {
        return add(() -> new Step.Say(phrase));
    }

    /** Prints text to standard output without a line end. */
    public Steps partial(String text) {
        return add(() -> new Step.Partial(text));
    }

    /** Lets real time pass. */
    public Steps delay(Duration time) {
        return add(() -> new Step.Delay(time));
    }

    /** Does nothing until released or ended. */
    public Steps stall() {
        return add(Step.Stall::new);
    }

    /** Waits until the test opens this gate. */
    public Steps gate(String name) {
        return add(() -> new Step.Gate(name));
    }

    /** Prints bytes. */
    public Steps bytes(byte[] bytes) {
        return add(() -> new OutputStep.Bytes(Base64.getEncoder().encodeToString(bytes)));
    }

    /** Prints a recording. */
    public Steps replay(Path file) {
        return add(() -> new OutputStep.Replay(file.toString()));
    }

    /** Prints many bytes. */
    public Steps flood(OutputStep.Stream stream, long bytes) {
        return add(() -> new OutputStep.Flood(stream, bytes));
    }

    /** Holds standard output back until the fake ends. */
    public Steps burst() {
        return add(OutputStep.Burst::new);
    }

    /** Prints a line so many times, each time after waiting. */
    public Steps heartbeat(Duration every, String out, int count) {
        return add(() -> new WaitStep.Heartbeat(every, out, OptionalInt.of(count)));
    }

    /** Prints a line again and again, until ended from outside. */
    public Steps heartbeat(Duration every, String out) {
        return add(() -> new WaitStep.Heartbeat(every, out, OptionalInt.empty()));
    }

    /** Uses the CPU. */
    public Steps busy(Duration time) {
        return add(() -> new WaitStep.Busy(time));
    }

    /** Divides the times of the steps after it. */
    public Steps speed(double factor) {
        return add(() -> new WaitStep.Speed(factor));
    }

    /** Reads or closes standard input; what is read is not kept. */
    public Steps stdin(StdinPolicy policy) {
        return add(() -> new InputStep.Stdin(policy, false));
    }

    /** Reads standard input and keeps what was read in the journal. */
    public Steps saveStdin(StdinPolicy policy) {
        return add(() -> new InputStep.Stdin(policy, true));
    }

    /** Does these steps on the signal, and goes on unless they end the fake. */
    public Steps on(Signal signal, Consumer<Steps> script) {
        return add(() -> {
            Steps handler = new Steps(place + ", on " + signal);
            script.accept(handler);
            return new ProcessStep.On(Map.of(signal, handler.steps));
        });
    }

    /** Notes the signal in the journal, and goes on. */
    public Steps log(Signal signal) {
        return on(signal, steps -> {});
    }

    /** On the signal, starts a descendant and dies of the signal. */
    public Steps respawn(Signal when, String id, SpawnMode mode, Consumer<SpawnOptions> options) {
        return add(() -> new ProcessStep.Respawn(when, spawnStep(id, mode, options)));
    }

    /** Becomes a new call of the same fake. */
    public Steps execSelf(String... arguments) {
        return add(() -> new ProcessStep.ExecSelf(List.of(arguments)));
    }

    /** Closes standard output. */
    public Steps closeStdout() {
        return add(ProcessStep.CloseStdout::new);
    }

    /** Writes a file anew. */
    public Steps write(String path, String text) {
        return add(() -> new EffectStep.Write(path, text));
    }

    /** Adds to a file. */
    public Steps append(String path, String text) {
        return add(() -> new EffectStep.Append(path, text));
    }

    /** Deletes a file. */
    public Steps delete(String path) {
        return add(() -> new EffectStep.Delete(path));
    }

    /** Runs a program, a minute at most. */
    public Steps run(String... argv) {
        return add(() -> new EffectStep.Run(List.of(argv), EffectStep.Run.DEFAULT_LIFE));
    }

    /** Ends with the code that looks like this signal. */
    public Steps exitAs(Signal signal) {
        return add(() -> new Step.ExitAs(signal));
    }

    /** Adds steps that exist already, for example those of a {@code Quirk}. */
    public Steps all(List<Step> more) {
        more.forEach(step -> add(() -> step));
        return this;
    }

    /** Starts a descendant that ignores nothing, holds nothing and lives 120 s. */
    public Steps spawn(String id, SpawnMode mode) {
        return spawn(id, mode, options -> {});
    }

    /** Starts a descendant. */
    public Steps spawn(String id, SpawnMode mode, Consumer<SpawnOptions> options) {
        return add(() -> spawnStep(id, mode, options));
    }

    private Step.Spawn spawnStep(String id, SpawnMode mode, Consumer<SpawnOptions> options) {
        SpawnOptions chosen = new SpawnOptions(place + ", spawn " + id);
        options.accept(chosen);
        return new Step.Spawn(id, mode, chosen.ignore, chosen.holdStdout, chosen.life, chosen.steps);
    }

    /** Ignores these signals from here on. */
    public Steps ignore(Signal... signals) {
        return add(() -> new Step.Ignore(setOf(signals)));
    }

    /** Ends with this code. */
    public Steps exit(int code) {
        return add(() -> new Step.Exit(code));
    }

    /** Ends by this signal. */
    public Steps crash(Signal signal) {
        return add(() -> new Step.Crash(signal));
    }

    /** Talks with the client. */
    public Steps dialogue(Consumer<Dialogue> script) {
        script.accept(new Dialogue(this));
        return this;
    }

    Steps add(Supplier<Step> step) {
        try {
            steps.add(step.get());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ", step " + (steps.size() + 1) + ": " + e.getMessage(), e);
        }
        return this;
    }

    private static Set<Signal> setOf(Signal... signals) {
        Set<Signal> set = EnumSet.noneOf(Signal.class);
        set.addAll(Arrays.asList(signals));
        return set;
    }

    /** What is special about a descendant. */
    public static final class SpawnOptions {
        private Set<Signal> ignore = Set.of();
        private boolean holdStdout;
        private Duration life = Step.Spawn.DEFAULT_LIFE;

        private List<Step> steps = List.of();
        private final String place;

        private SpawnOptions(String place) {
            this.place = place;
        }

        /** Does these steps, and then lives on; its own descendants are spawn steps here. */
        public SpawnOptions doing(Consumer<Steps> script) {
            Steps own = new Steps(place);
            script.accept(own);
            steps = List.copyOf(own.steps);
            return this;
        }

        /** Ignores these signals, from before it is recorded. */
        public SpawnOptions ignore(Signal... signals) {
            ignore = setOf(signals);
            return this;
        }

        /** Keeps the fake's standard output open, so that its reader sees no end while the descendant lives. */
        public SpawnOptions holdStdout() {
            holdStdout = true;
            return this;
        }

        /** Ends by itself after this time; 120 s if nothing is said. */
        public SpawnOptions life(Duration time) {
            life = time;
            return this;
        }
    }
}
