/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.terminate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.noorphans.internal.terminate.SignalSender.Delivery;
import org.noorphans.model.ProcessId;

/** What every sender of signals must do. */
public abstract class SignalSenderContract {
    private SignalWorld world;

    /** A place with processes to signal. */
    public interface SignalWorld extends AutoCloseable {
        SignalSender sender();

        ProcessId self();

        /** A child that sleeps. */
        ProcessId child();

        /** A child that ignores TERM. */
        ProcessId stubborn();

        ProcessId zombie();

        ProcessId gone();

        boolean isAlive(ProcessId id);

        /** Waits, within bounds, until the process is no longer alive. */
        void awaitEnd(ProcessId id);

        /** Waits, within bounds, until the process is stopped, or is not. */
        void awaitStopped(ProcessId id, boolean stopped);

        @Override
        void close();
    }

    protected abstract SignalWorld createWorld();

    @BeforeEach
    void open() {
        world = createWorld();
    }

    @AfterEach
    void close() {
        world.close();
    }

    private Delivery send(ProcessId target, Signal signal) {
        return world.sender().send(target, signal);
    }

    @ParameterizedTest
    @EnumSource(names = {"TERM", "KILL"})
    void ends_a_process(Signal signal) {
        ProcessId child = world.child();
        assertThat(send(child, signal)).isEqualTo(Delivery.DELIVERED);
        world.awaitEnd(child);
    }

    @Test
    void kill_ends_what_ignores_term() {
        ProcessId stubborn = world.stubborn();
        assertThat(send(stubborn, Signal.TERM)).isEqualTo(Delivery.DELIVERED);
        assertThat(world.isAlive(stubborn)).isTrue();
        assertThat(send(stubborn, Signal.KILL)).isEqualTo(Delivery.DELIVERED);
        world.awaitEnd(stubborn);
    }

    @Test
    void stops_and_continues_a_process() {
        ProcessId child = world.child();
        assertThat(send(child, Signal.STOP)).isEqualTo(Delivery.DELIVERED);
        world.awaitStopped(child, true);
        assertThat(send(child, Signal.CONT)).isEqualTo(Delivery.DELIVERED);
        world.awaitStopped(child, false);
        assertThat(world.isAlive(child)).isTrue();
    }

    @Test
    void term_acts_on_a_stopped_process_once_it_is_continued() {
        ProcessId child = world.child();
        send(child, Signal.STOP);
        world.awaitStopped(child, true);
        assertThat(send(child, Signal.TERM)).isEqualTo(Delivery.DELIVERED);
        assertThat(world.isAlive(child)).isTrue();
        send(child, Signal.CONT);
        world.awaitEnd(child);
    }

    @ParameterizedTest
    @EnumSource
    void sends_nothing_to_another_process_with_the_number(Signal signal) {
        ProcessId child = world.child();
        assertThat(send(new ProcessId(child.pid(), child.startStamp() - 1), signal))
                .isEqualTo(Delivery.NOT_THE_SAME_PROCESS);
        assertThat(send(new ProcessId(child.pid(), child.startStamp() + 1), signal))
                .isEqualTo(Delivery.NOT_THE_SAME_PROCESS);
        assertThat(world.isAlive(child)).isTrue();
        world.awaitStopped(child, false);
    }

    @ParameterizedTest
    @EnumSource
    void finds_what_has_gone_gone(Signal signal) {
        assertThat(send(world.gone(), signal)).isEqualTo(Delivery.GONE);
    }

    @Test
    void finds_a_number_that_nobody_can_have_gone() {
        assertThat(send(new ProcessId(Integer.MAX_VALUE - 7, 1), Signal.TERM)).isEqualTo(Delivery.GONE);
    }

    @Test
    void a_zombie_takes_signals() {
        ProcessId zombie = world.zombie();
        assertThat(send(zombie, Signal.KILL)).isEqualTo(Delivery.DELIVERED);
        assertThat(world.isAlive(zombie)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void refuses_process_1(Signal signal) {
        assertThatThrownBy(() -> send(new ProcessId(1, 30), signal)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void refuses_this_jvm(Signal signal) {
        assertThatThrownBy(() -> send(world.self(), signal)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> send(new ProcessId(world.self().pid(), 1), signal))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void no_target_can_mean_a_group_or_everything() {
        assertThatThrownBy(() -> new ProcessId(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ProcessId(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ProcessId(-4711, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
