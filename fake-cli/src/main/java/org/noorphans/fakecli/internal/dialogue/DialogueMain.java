/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What an installed fake becomes when its attempt is a dialogue.
 *
 * <p>Code that runs before the first message is kept plain, without lambdas: each of them costs milliseconds at the
 * first use, and a fake's own start must not trip the watchdogs that it is there to test.
 */
public final class DialogueMain {
    /** How a fake ends whose installer is gone, or whose scenario did not work out. */
    private static final int BROKEN = 98;

    private DialogueMain() {}

    /**
     * Plays the script of a call.
     *
     * @param arguments the data directory, the record directory, the shell, the number of the next event, hundredths of
     *     a second to live (empty if an installer lives), session, attempt, and the arguments of the call
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path data = Path.of(arguments[0]);
        CallRecord record = new CallRecord(Path.of(arguments[1]), Integer.parseInt(arguments[3]));
        Inbox inbox = new Inbox(record);
        Gates gates = new Gates(data.resolve("gates"), inbox, new Ending(record, "ownerGone"), arguments[4].isEmpty());
        gates.watchOwner();
        if (!arguments[4].isEmpty()) {
            start(new Deadline(Long.parseLong(arguments[4]), new Ending(record, "lifeOver")), "deadline");
        }

        List<Act> acts = Act.read(record.file("script"));
        Act head = acts.get(0);
        Output out = new Output(record);
        Processes processes = new Processes(arguments, record, inbox);
        for (String signal : head.text(5).split(" ", -1)) {
            if (!signal.isEmpty()) {
                processes.reset(signal);
            }
        }
        Setup setup = new Setup(head.text(1), head.text(2), head.text(3), head.text(4));
        Protocol protocol = Protocol.of(head.text(0), out, setup);
        start(new Reading(inbox), "input");

        try {
            int code = new Player(acts.subList(1, acts.size()), record, out, inbox, gates, protocol, processes).play();
            end(record, code);
        } catch (UncheckedIOException e) {
            // Nobody reads standard output any more. A program that says nothing about that is ended by the signal.
            processes.crash("PIPE");
        }
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static synchronized void end(CallRecord record, int code) {
        record.end("exit " + code);
        Runtime.getRuntime().halt(code);
    }

    /** Ends the fake because nobody is left who could want it. */
    private static final class Ending implements Runnable {
        private final CallRecord record;
        private final String flag;

        private Ending(CallRecord record, String flag) {
            this.record = record;
            this.flag = flag;
        }

        @Override
        public void run() {
            record.flag(flag);
            end(record, BROKEN);
        }
    }

    private static final class Deadline implements Runnable {
        private final long end;
        private final Runnable then;

        private Deadline(long hundredths, Runnable then) {
            this.end = System.nanoTime() + hundredths * 10_000_000;
            this.then = then;
        }

        @Override
        public void run() {
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            then.run();
        }
    }

    private static final class Reading implements Runnable {
        private final Inbox inbox;

        private Reading(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void run() {
            inbox.read(new FileInputStream(FileDescriptor.in));
        }
    }
}
