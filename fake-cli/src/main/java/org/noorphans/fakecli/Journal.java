/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.noorphans.fakecli.internal.journal.Calls;
import org.noorphans.fakecli.internal.journal.Poll;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;

/**
 * What happened to an installed fake. Every method reads the records anew, and may do so while fakes run: a call
 * appears once everything that is known at its start has been written.
 *
 * <p>It ends with {@link FakeCli#close()}, which deletes the records; read before that.
 */
public final class Journal {
    private final String fake;
    private final Path records;
    private final Calls calls;

    Journal(String fake, Path records) {
        this.fake = fake;
        this.records = records;
        this.calls = new Calls(fake, records);
    }

    Path recordsDirectory() {
        return records;
    }

    /** All calls, in the order in which they began. */
    public List<Invocation> all() {
        return calls.all();
    }

    /** The calls that drew an attempt number in the class {@link CallClass#RUN}, in the order of their numbers. */
    public List<Invocation> attempts() {
        return calls.attempts();
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
        return calls.survivors(List.of());
    }

    /** All calls, one line of JSON each; see {@code docs/fake-cli.md} for the fields. */
    public String toJsonl() {
        return calls.toJsonl();
    }

    Calls calls() {
        return calls;
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

    private String summary(Invocation call) {
        return calls.name(call) + " " + call.arguments() + " " + call.events() + " " + call.end();
    }
}
