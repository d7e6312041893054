/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.noorphans.fakecli.internal.check.Names;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.internal.check.Times;

/** One thing that a fake does. Steps run in order; each is done before the next begins. */
public sealed interface Step
        permits Step.Out,
                Step.Err,
                Step.Json,
                Step.Say,
                Step.Partial,
                Step.Delay,
                Step.Stall,
                Step.Gate,
                Step.Spawn,
                Step.Ignore,
                Step.Exit,
                Step.ExitAs,
                Step.Crash,
                OutputStep,
                WaitStep,
                InputStep,
                ProcessStep,
                EffectStep,
                DialogueStep {
    /** The step's name and values, for messages. */
    default String describe() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Whether nothing can follow. */
    default boolean ends() {
        return false;
    }

    /**
     * Prints one line to standard output, at once.
     *
     * @param line the line without its end
     */
    record Out(String line) implements Step {
        public Out {
            Texts.checkLine("out", line);
        }
    }

    /**
     * Prints one line to standard error, at once.
     *
     * @param line the line without its end
     */
    record Err(String line) implements Step {
        public Err {
            Texts.checkLine("err", line);
        }
    }

    /**
     * Prints one JSON object as a line to standard output.
     *
     * @param object the object's text, on one line
     */
    record Json(String object) implements Step {
        public Json {
            Texts.checkLine("json", object);
            if (!object.startsWith("{") || !object.endsWith("}")) {
                throw new IllegalArgumentException("json needs one object, {…}, but was given: " + object);
            }
        }
    }

    /**
     * Prints a phrase in the persona's dialect.
     *
     * @param phrase the phrase
     */
    record Say(Phrase phrase) implements Step {
        public Say {
            Objects.requireNonNull(phrase, "phrase");
        }
    }

    /**
     * Prints text to standard output without ending the line.
     *
     * @param text the text; may contain line ends
     */
    record Partial(String text) implements Step {
        public Partial {
            Texts.check("partial", text);
        }
    }

    /**
     * Lets real time pass; signals act at once meanwhile.
     *
     * <p>It is a helper process that waits, a quarter of a second at most at a time: after a KILL it may outlive the
     * fake by that long.
     *
     * @param time at least this long; zero to ten minutes
     */
    record Delay(Duration time) implements Step {
        public Delay {
            Times.check("delay", time, Duration.ZERO);
        }
    }

    /**
     * Does nothing until the test releases it, without a child and without time limit of its own; ends the fake when
     * the JVM that installed it ends. TERM ends it unless ignored. If released as the last step, the fake ends with 0.
     */
    record Stall() implements Step {}

    /**
     * Waits until the test opens the gate of this name; opened once, it stays open.
     *
     * @param name the name of the gate, shared by all attempts
     */
    record Gate(String name) implements Step {
        public Gate {
            Names.check("gate", name);
        }
    }

    /**
     * Starts a descendant that does nothing but live. The next step begins when it has been recorded and runs.
     *
     * <p>It is a {@code sleep} with all three standard descriptors on {@code /dev/null}. Except for the signals in
     * {@code ignore}, and INT and QUIT, which every background command of a shell ignores, signals end it.
     *
     * @param id its name in the journal; unique in its attempt
     * @param mode how it is started
     * @param ignore the signals it ignores
     * @param holdStdout whether it keeps the fake's standard output open
     * @param life when it ends by itself; more than zero, ten minutes at most
     * @param steps what it does, in order, before it does nothing but live; its own descendants are spawn steps here.
     *     With steps it is a shell. What it prints goes to {@code /dev/null} unless it holds standard output
     */
    record Spawn(String id, SpawnMode mode, Set<Signal> ignore, boolean holdStdout, Duration life, List<Step> steps)
            implements Step {
        /** The life of a descendant of which nothing else is said. */
        public static final Duration DEFAULT_LIFE = Duration.ofMinutes(2);

        public Spawn {
            Names.check("spawn", id);
            Objects.requireNonNull(mode, "mode");
            ignore = checkedSignals("spawn " + id, ignore);
            Times.check("spawn " + id + ", life", life, Duration.ofMillis(1));
            steps = List.copyOf(steps);
            StepRules.checkDescendant("spawn " + id, steps);
        }

        /** A descendant without steps. */
        public Spawn(String id, SpawnMode mode, Set<Signal> ignore, boolean holdStdout, Duration life) {
            this(id, mode, ignore, holdStdout, life, List.of());
        }

        @Override
        public String describe() {
            return "spawn " + id + " " + mode;
        }
    }

    /**
     * From here on the fake ignores these signals. Descendants started later do not inherit it.
     *
     * @param signals the signals; at least one
     */
    record Ignore(Set<Signal> signals) implements Step {
        public Ignore {
            signals = checkedSignals("ignore", signals);
            if (signals.isEmpty()) {
                throw new IllegalArgumentException("ignore needs at least one signal, but was given none");
            }
        }
    }

    /**
     * Ends the fake with an exit code.
     *
     * @param code 0 to 255
     */
    record Exit(int code) implements Step {
        public Exit {
            if (code < 0 || code > 255) {
                throw new IllegalArgumentException("exit code must be 0 to 255, but was " + code);
            }
        }

        @Override
        public String describe() {
            return "exit " + code;
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /**
     * Ends the fake with the exit code that a shell reports for a signal, 128 and the signal's number, though no signal
     * is involved.
     *
     * @param signal the signal it looks like
     */
    record ExitAs(Signal signal) implements Step {
        public ExitAs {
            Objects.requireNonNull(signal, "signal");
        }

        @Override
        public String describe() {
            return "exitAs " + signal;
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /**
     * Ends the fake by a real signal to itself, without a core file. For a code that only looks like a signal, such
     * as 139, use {@link Exit}.
     *
     * @param signal the signal
     */
    record Crash(Signal signal) implements Step {
        public Crash {
            Objects.requireNonNull(signal, "signal");
        }

        @Override
        public String describe() {
            return "crash " + signal;
        }

        @Override
        public boolean ends() {
            return true;
        }
    }

    /** The signals in their order; refused if one of them cannot be ignored. */
    static Set<Signal> checkedSignals(String what, Set<Signal> signals) {
        for (Signal signal : signals) {
            if (!signal.canBeIgnored()) {
                throw new IllegalArgumentException(what + " cannot ignore " + signal + ": no process can");
            }
        }
        Set<Signal> sorted = EnumSet.noneOf(Signal.class);
        sorted.addAll(signals);
        return Collections.unmodifiableSet(sorted);
    }
}
