/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.ReflectionSupport;

/** A leak at each stage of a test's life gets the verdict that {@link Stages} states. */
@EnabledOnOs(OS.LINUX)
class StagesTests {
    static Stream<Stage> rows() {
        return Stages.ALL.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void gets_its_verdict(Stage stage, @TempDir Path out) {
        assumeTrue(!stage.needsConstructorInTestScope() || junitConstructsInTestScope());
        stage.verify(out);
    }

    private static boolean junitConstructsInTestScope() {
        return ReflectionSupport.tryToLoadClass("org.junit.jupiter.api.extension.TestInstantiationAwareExtension")
                .toOptional()
                .isPresent();
    }

    @Test
    void every_fixture_has_a_row() {
        List<Class<?>> inTheTable =
                Stages.ALL.stream().<Class<?>>map(Stage::fixture).toList();
        assertThat(inTheTable).doesNotHaveDuplicates();
        assertThat(Arrays.stream(StageFixtures.class.getDeclaredClasses())
                        .filter(StageTestCase.class::isAssignableFrom)
                        .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(inTheTable);
    }
}
