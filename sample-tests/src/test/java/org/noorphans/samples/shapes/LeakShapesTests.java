/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;

/** Every leak shape gets the verdict that {@link LeakShapes} states. */
@EnabledOnOs(OS.LINUX)
class LeakShapesTests {
    static Stream<LeakShape> rows() {
        return LeakShapes.ALL.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void gets_its_verdict(LeakShape shape, @TempDir Path out) {
        shape.verify(out, Map.of());
    }

    @Test
    void every_fixture_has_a_row() {
        List<Class<?>> inTheTable = LeakShapes.ALL.stream()
                .flatMap(shape -> shape.fixtures().stream())
                .toList();
        assertThat(inTheTable).doesNotHaveDuplicates();
        assertThat(Arrays.stream(LeakShapeFixtures.class.getDeclaredClasses())
                        .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(inTheTable);
    }

    @Test
    void rows_that_run_below_a_subreaper_exist() {
        assertThat(LeakShapes.belowSubreaper().map(LeakShape::name))
                .containsExactlyElementsOf(LeakShapes.BELOW_SUBREAPER);
    }

    @Test
    void S13_a_a_number_with_another_start_is_told_apart_and_nothing_is_sent() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessId now = LinuxProcess.read(process.pid()).orElseThrow().id();
            ProcessId before = new ProcessId(now.pid(), now.startStamp() - 1);
            SignalSender sender = LinuxPlatform.create(new LinuxPlatform.Switches(false, false, true, true))
                    .sender();
            assertThat(sender.send(before, Signal.KILL)).isEqualTo(SignalSender.Delivery.NOT_THE_SAME_PROCESS);
            assertThat(LinuxProcess.isAlive(now)).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void S12_b_the_killer_takes_no_group_and_not_its_own_process() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ProcessId(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProcessId(-1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProcessId(-LinuxProcess.self().group(), 1));
        SignalSender sender = LinuxPlatform.create(new LinuxPlatform.Switches(false, false, true, true))
                .sender();
        // With start times that nobody has, so that a sender that refused nothing would still reach nobody.
        assertThatIllegalArgumentException().isThrownBy(() -> sender.send(new ProcessId(1, -1), Signal.CONT));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> sender.send(new ProcessId(LinuxProcess.self().id().pid(), -1), Signal.CONT));
    }
}
