/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.SpawnMode;
import org.noorphans.fakecli.model.Step;

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

    /** Starts a descendant that ignores nothing, holds nothing and lives 120 s. */
    public Steps spawn(String id, SpawnMode mode) {
        return spawn(id, mode, options -> {});
    }

    /** Starts a descendant. */
    public Steps spawn(String id, SpawnMode mode, Consumer<SpawnOptions> options) {
        return add(() -> {
            SpawnOptions chosen = new SpawnOptions();
            options.accept(chosen);
            return new Step.Spawn(id, mode, chosen.ignore, chosen.holdStdout, chosen.life);
        });
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

    private Steps add(Supplier<Step> step) {
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

        private SpawnOptions() {}

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
