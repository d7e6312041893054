/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.ProcessTableReaderContract;
import org.noorphans.internal.observe.TermHandling;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.internal.terminate.SignalSenderContract;
import org.noorphans.model.ProcessId;

/** The fake keeps the same contracts as the real adapters, so that what is tested on it holds. */
class FakeMachineTests {
    @Nested
    class As_a_reader extends ProcessTableReaderContract {
        @Override
        protected World createWorld() {
            return new FakeWorld();
        }
    }

    @Nested
    class As_a_sender extends SignalSenderContract {
        @Override
        protected SignalWorld createWorld() {
            return new FakeWorld();
        }
    }

    private static final class FakeWorld implements ProcessTableReaderContract.World, SignalSenderContract.SignalWorld {
        private final FakeMachine machine = new FakeMachine();
        private long next = 200;

        private FakeMachine.Handle start(long parent) {
            return machine.start(next++, parent).commandLine("sleep 60");
        }

        @Override
        public ProcessTableReader reader() {
            return machine;
        }

        @Override
        public SignalSender sender() {
            return machine::send;
        }

        @Override
        public ProcessId self() {
            return machine.self();
        }

        @Override
        public ProcessId child() {
            return start(FakeMachine.JVM).id();
        }

        @Override
        public ProcessId stubborn() {
            return withTerm(TermHandling.IGNORED);
        }

        @Override
        public List<ProcessId> childAndGrandchild() {
            ProcessId child = child();
            return List.of(child, start(child.pid()).id());
        }

        @Override
        public ProcessId orphan() {
            List<ProcessId> two = childAndGrandchild();
            machine.send(two.get(0), Signal.KILL);
            return two.get(1);
        }

        @Override
        public ProcessId zombie() {
            ProcessId child = child();
            machine.send(child, Signal.KILL);
            return child;
        }

        @Override
        public ProcessId gone() {
            FakeMachine.Handle child = start(FakeMachine.JVM);
            child.exitCollected();
            return child.id();
        }

        @Override
        public ProcessId sessionLeader() {
            return start(FakeMachine.JVM).leader().id();
        }

        @Override
        public ProcessId stopped() {
            return start(FakeMachine.JVM).stopped().id();
        }

        @Override
        public ProcessId withTerm(TermHandling handling) {
            return start(FakeMachine.JVM).term(handling).id();
        }

        @Override
        public ProcessId outsider() {
            return machine.row(FakeMachine.BUILD_TOOL).orElseThrow().id();
        }

        @Override
        public boolean isAlive(ProcessId id) {
            return machine.wholeTable().isAlive(id);
        }

        @Override
        public void awaitEnd(ProcessId id) {
            machine.advance(Duration.ofSeconds(1));
            assertThat(isAlive(id)).isFalse();
        }

        @Override
        public void awaitStopped(ProcessId id, boolean stopped) {
            assertThat(machine.row(id.pid()).orElseThrow().state().isStopped()).isEqualTo(stopped);
        }

        @Override
        public void close() {}
    }
}
