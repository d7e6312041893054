/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * One call of a fake, as far as it had come when the journal was read. It does not change afterwards; ask the journal
 * again for a newer picture.
 *
 * @param sequence its number among all calls of this fake, from 0
 * @param className the class that took the call; empty if none did
 * @param attempt its attempt number, from 0; empty for classes that do not count
 * @param key what its attempt was counted by; empty if all calls are one sequence
 * @param argv path of the executable, then the arguments, exactly; what is not UTF-8 is replaced by U+FFFD
 * @param cwd its working directory, without symbolic links; empty if that was already deleted
 * @param environment the names of its environment variables, sorted, and the values of those that the scenario asks
 *     for. The shell may add its own, such as {@code PWD} or {@code SHLVL}
 * @param ids who it is
 * @param stdin what it does with its standard input
 * @param kids the descendants recorded so far, in the order of their steps
 * @param helpers processes that waited on the fake's behalf during a delay
 * @param timeline what it came to, in order: {@code spawn ID}, {@code stall}, {@code gate NAME}, {@code signal NAME},
 *     {@code stdin line}, {@code stdin eof}, {@code stdin done}, {@code file write}, {@code run PROGRAM CODE}
 * @param times when it began, first and last printed, and ended
 * @param flags what went wrong: {@code unmatched}, {@code exhausted}, {@code ownerGone} (the installing JVM ended or
 *     closed the fake during a stall or gate), {@code spawnFailed}, {@code fileFailed}, {@code runTooLong}, {@code lifeOver} (installed
 *     without an owner, and its time was over)
 * @param end how it ended
 */
public record Invocation(
        int sequence,
        Optional<String> className,
        OptionalInt attempt,
        Optional<String> key,
        List<String> argv,
        Optional<String> cwd,
        Map<String, Optional<String>> environment,
        ProcessIds ids,
        Input stdin,
        List<Descendant> kids,
        List<ProcessIds> helpers,
        List<Event> timeline,
        Moments times,
        Set<String> flags,
        End end) {
    public Invocation {
        argv = List.copyOf(argv);
        kids = List.copyOf(kids);
        helpers = List.copyOf(helpers);
        timeline = List.copyOf(timeline);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        flags = Set.copyOf(flags);
    }

    /** What it came to, in order, without the times. */
    public List<String> events() {
        return timeline.stream().map(Event::what).toList();
    }

    /** The handled signals that reached it, in order. */
    public List<Signal> signals() {
        return events().stream()
                .filter(event -> event.startsWith("signal "))
                .map(event -> Signal.valueOf(event.substring("signal ".length())))
                .toList();
    }

    /** The arguments without the path of the executable. */
    public List<String> arguments() {
        return argv.subList(1, argv.size());
    }

    /**
     * The descendant of this name.
     *
     * @throws NoSuchElementException if it has not been recorded, naming those that have
     */
    public Descendant kid(String id) {
        return kids.stream()
                .filter(kid -> kid.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no descendant \"" + id + "\" recorded; recorded are "
                        + kids.stream().map(Descendant::id).toList()));
    }

    /** Whether the fake itself is alive now; a zombie is not. */
    public boolean isAlive() {
        return ids.isAlive();
    }

    /**
     * Something that the call came to.
     *
     * @param at when, by the clock of the file system, a few milliseconds behind at most
     * @param what what
     */
    public record Event(Instant at, String what) {}

    /**
     * What it did with its standard input.
     *
     * @param policy what the last input step said
     * @param text what was read, if it was to be saved; what is not UTF-8 is replaced by U+FFFD
     * @param bytes how many bytes were saved
     * @param sha256 their hash, in hexadecimal digits; empty if nothing was to be saved
     * @param eof whether the end was seen
     */
    public record Input(StdinPolicy policy, Optional<String> text, long bytes, Optional<String> sha256, boolean eof) {}

    /**
     * When it was.
     *
     * @param start when its steps began
     * @param firstOut when it had first printed
     * @param lastOut when it had last printed
     * @param end when it wrote its end; empty if it did not
     */
    public record Moments(
            Instant start, Optional<Instant> firstOut, Optional<Instant> lastOut, Optional<Instant> end) {}
}
