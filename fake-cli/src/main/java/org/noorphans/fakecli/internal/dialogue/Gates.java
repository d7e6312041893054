/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits at gates: each is a FIFO whose write end the installer holds. A byte means open; an end without one, that the
 * installer is gone, and then the fake ends too.
 */
final class Gates {
    /** The gate that never opens: all that it tells is whether the installer lives. */
    static final String OWNER = "owner";

    private static final long LOOK_NANOS = 100_000_000;

    private final Path directory;
    private final Inbox inbox;
    private final Runnable ownerGone;
    private final boolean owned;
    private final Set<String> waiting = new HashSet<>();

    /**
     * The gates of an installation.
     *
     * @param owned whether an installer lives that holds them; if none does, gates are files that appear when opened
     */
    Gates(Path directory, Inbox inbox, Runnable ownerGone, boolean owned) {
        this.owned = owned;
        this.directory = directory;
        this.inbox = inbox;
        this.ownerGone = ownerGone;
    }

    /** Ends the fake as soon as its installer ends. Without an installer that lives, there is no such gate. */
    void watchOwner() {
        if (owned) {
            open(OWNER);
        }
    }

    /** Has the inbox told when the gate is open. */
    void open(String file) {
        if (waiting.add(file)) {
            Thread waiter = new Thread(new Waiter(file), file);
            waiter.setDaemon(true);
            waiter.start();
        }
    }

    private final class Waiter implements Runnable {
        private final String file;

        private Waiter(String file) {
            this.file = file;
        }

        @Override
        public void run() {
            Path gate = directory.resolve(file);
            while (!owned && !Files.exists(gate)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            int first;
            try (InputStream in = new FileInputStream(gate.toFile())) {
                first = in.read();
            } catch (IOException e) {
                // Deleted: the fake was closed.
                first = -1;
            }
            if (first < 0 && owned) {
                ownerGone.run();
            } else {
                inbox.add(new Arrival.GateOpen(file));
            }
        }
    }
}
