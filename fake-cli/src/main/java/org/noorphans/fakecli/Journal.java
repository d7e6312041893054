/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.journal.Poll;
import org.noorphans.fakecli.internal.journal.RecordReader;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;
import org.noorphans.fakecli.model.ProcessIds;

/**
 * What happened to an installed fake. Every method reads the records anew, and may do so while fakes run: a call
 * appears once everything that is known at its start has been written.
 *
 * <p>It ends with {@link FakeCli#close()}, which deletes the records; read before that.
 */
public final class Journal {
    private final String fake;
    private final Path records;
    private final RecordReader reader;

    Journal(String fake, Path records) {
        this.fake = fake;
        this.records = records;
        this.reader = new RecordReader(records);
    }

    Path recordsDirectory() {
        return records;
    }

    /** All calls, in the order in which they began. */
    public List<Invocation> all() {
        return reader.read();
    }

    /** The calls that drew an attempt number in the class {@link CallClass#RUN}, in the order of their numbers. */
    public List<Invocation> attempts() {
        return all().stream()
                .filter(call -> call.className().equals(Optional.of(CallClass.RUN))
                        && call.attempt().isPresent())
                .sorted(Comparator.comparingInt(call -> call.attempt().orElseThrow()))
                .toList();
    }

    /** The calls that drew no attempt number: questions for the version or help, auxiliary and unmatched calls. */
    public List<Invocation> aux() {
        return all().stream().filter(call -> call.attempt().isEmpty()).toList();
    }

    /**
     * Waits until an attempt has begun. It may not have taken a step yet: to see its descendants, wait for an event.
     *
     * @param attempt its number, from 0
     * @param timeout how long to wait at most
     * @throws AssertionError if it has not begun by then, listing the calls there were
     */
    public Invocation awaitAttempt(int attempt, Duration timeout) {
        return await("attempt " + attempt, timeout, call -> isAttempt(call, attempt));
    }

    /**
     * Waits until an attempt has come to something.
     *
     * @param attempt its number, from 0
     * @param event {@code spawn ID}, {@code stall} or {@code gate NAME}; see {@link Invocation#events()}
     * @param timeout how long to wait at most
     * @throws AssertionError if it has not come to it by then
     */
    public Invocation awaitEvent(int attempt, String event, Duration timeout) {
        return await(
                "\"" + event + "\" of attempt " + attempt,
                timeout,
                call -> isAttempt(call, attempt) && call.events().contains(event));
    }

    /**
     * Waits until an attempt has ended, however.
     *
     * @throws AssertionError if it still runs or has not begun by then
     */
    public Invocation awaitEnd(int attempt, Duration timeout) {
        return await(
                "the end of attempt " + attempt,
                timeout,
                call -> isAttempt(call, attempt) && !(call.end() instanceof End.Running) && !call.isAlive());
    }

    /** Every fake, descendant and helper that is alive now, by pid and start time; zombies are not. */
    public List<LiveProcess> survivors() {
        List<LiveProcess> alive = new ArrayList<>();
        for (Invocation call : all()) {
            String name = name(call);
            add(alive, name, call.ids());
            for (Descendant kid : call.kids()) {
                add(alive, kid.id() + " (" + kid.mode() + ") of " + name, kid.ids());
            }
            for (ProcessIds helper : call.helpers()) {
                add(alive, "helper that waits for " + name, helper);
            }
        }
        return alive;
    }

    Invocation await(String what, Duration timeout, Predicate<Invocation> condition) {
        Supplier<Optional<Invocation>> look =
                () -> all().stream().filter(condition).findFirst();
        return Poll.until(timeout, look)
                .orElseThrow(() -> new AssertionError("waited " + timeout.toMillis() + " ms for " + what + " of fake "
                        + fake + ", but there were only: "
                        + all().stream().map(this::summary).toList()));
    }

    private static boolean isAttempt(Invocation call, int attempt) {
        return call.className().equals(Optional.of(CallClass.RUN))
                && call.attempt().isPresent()
                && call.attempt().getAsInt() == attempt;
    }

    private static void add(List<LiveProcess> alive, String what, ProcessIds ids) {
        if (ids.isAlive()) {
            alive.add(new LiveProcess(what, ids));
        }
    }

    String name(Invocation call) {
        String className = call.className().orElse("unmatched");
        if (call.attempt().isEmpty()) {
            return fake + " " + className + " call " + call.sequence();
        }
        String counted = className.equals(CallClass.RUN) ? "" : className + " ";
        return fake + " " + counted + "attempt " + call.attempt().getAsInt();
    }

    private String summary(Invocation call) {
        return name(call) + " " + call.arguments() + " " + call.events() + " " + call.end();
    }
}
