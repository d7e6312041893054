/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.time.Duration;
import java.util.function.Predicate;
import org.noorphans.fakecli.internal.install.GateFile;
import org.noorphans.fakecli.model.Invocation;

/** A place where a fake waits until the test lets it go on. Once opened it stays open, also for later calls. */
public final class Gate {
    private final String event;
    private final GateFile file;
    private final Journal journal;
    private final Predicate<Invocation> concerned;

    Gate(String event, GateFile file, Journal journal, Predicate<Invocation> concerned) {
        this.event = event;
        this.file = file;
        this.journal = journal;
        this.concerned = concerned;
    }

    /**
     * Waits until some call has arrived here, whether or not it has gone on since.
     *
     * @throws AssertionError if none has by then
     */
    public Invocation awaitArrival(Duration timeout) {
        return journal.await(
                "the arrival at \"" + event + "\"",
                timeout,
                call -> call.events().contains(event) && concerned.test(call));
    }

    /** Opens it: all that wait here go on, and all that come later pass. A second time it does nothing. */
    public void release() {
        file.release();
    }
}
