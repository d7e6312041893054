/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.internal.terminate.SignalSenderContract;
import org.noorphans.model.ProcessId;

@EnabledOnOs(OS.LINUX)
class PidfdSignalSenderTests {
    private static final Switches BY_NUMBER = new Switches(true, true, true, false);

    @Nested
    class With_pidfd extends SignalSenderContract {
        @Override
        protected SignalWorld createWorld() {
            return new LinuxWorld(Switches.ALL);
        }

        @Test
        void finds_a_number_that_names_a_thread_by_now_gone() throws Exception {
            assertThat(sendToAThreadOfThisJvm(Switches.ALL)).isIn(Delivery.GONE, Delivery.NOT_THE_SAME_PROCESS);
        }
    }

    @Nested
    class By_number extends SignalSenderContract {
        @Override
        protected SignalWorld createWorld() {
            return new LinuxWorld(BY_NUMBER);
        }

        @Test
        void finds_a_number_that_names_a_thread_by_now_gone() throws Exception {
            assertThat(sendToAThreadOfThisJvm(BY_NUMBER)).isIn(Delivery.GONE, Delivery.NOT_THE_SAME_PROCESS);
        }
    }

    /** A number that a process had may be a thread's by now: kill(2) would take it for that thread's process. */
    private static Delivery sendToAThreadOfThisJvm(Switches switches) throws InterruptedException {
        Platform platform = LinuxPlatform.create(switches);
        long[] task = new long[1];
        CountDownLatch known = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            task[0] = platform.reader().currentTask().orElseThrow();
            known.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        known.await();
        try {
            // CONT: harmless, should it ever arrive.
            return platform.sender().send(new ProcessId(task[0], 1), Signal.CONT);
        } finally {
            done.countDown();
            thread.join();
        }
    }
}
