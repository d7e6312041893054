/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One call of a fake, as far as it had come when the journal was read. It does not change afterwards; ask the journal
 * again for a newer picture.
 *
 * @param sequence its number among all calls of this fake, from 0
 * @param className the class that took the call; empty if none did
 * @param attempt its attempt number, from 0; empty for classes that do not count
 * @param argv path of the executable, then the arguments, exactly; what is not UTF-8 is replaced by U+FFFD
 * @param cwd its working directory, without symbolic links; empty if that was already deleted
 * @param ids who it is
 * @param stdin what it does with its standard input
 * @param kids the descendants recorded so far, in the order of their steps
 * @param helpers processes that waited on the fake's behalf during a delay
 * @param events what it came to, in order: {@code spawn ID}, {@code stall}, {@code gate NAME}
 * @param flags what went wrong: {@code unmatched}, {@code exhausted}, {@code ownerGone} (the installing JVM ended or
 *     closed the fake during a stall or gate), {@code spawnFailed}
 * @param end how it ended
 */
public record Invocation(
        int sequence,
        Optional<String> className,
        OptionalInt attempt,
        List<String> argv,
        Optional<String> cwd,
        ProcessIds ids,
        StdinPolicy stdin,
        List<Descendant> kids,
        List<ProcessIds> helpers,
        List<String> events,
        Set<String> flags,
        End end) {
    public Invocation {
        argv = List.copyOf(argv);
        kids = List.copyOf(kids);
        helpers = List.copyOf(helpers);
        events = List.copyOf(events);
        flags = Set.copyOf(flags);
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
}
