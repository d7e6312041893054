/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.noorphans.NoOrphanedProcesses.Action;
import org.noorphans.NoOrphanedProcesses.Scope;
import org.noorphans.internal.judge.Policy;

@Execution(ExecutionMode.SAME_THREAD) // the fixtures count and record in static fields
class SettingsTests {
    private static final AtomicInteger BODIES = new AtomicInteger();
    private static final Settings[] SEEN = new Settings[1];

    @BeforeEach
    void forget() {
        BODIES.set(0);
        SEEN[0] = Settings.DEFAULT;
    }

    @Nested
    class A_wrong_value {
        @Test
        void on_a_class_names_class_attribute_and_text() {
            assertStops(
                    UnparsableOnClass.class,
                    "@NoOrphanedProcesses(settle = \"2 parsecs\") on class org.noorphans.SettingsTests$UnparsableOnClass: "
                            + "not a duration; write a number and a unit, such as \"500ms\", \"2s\" or \"1m\"");
        }

        @Test
        void on_a_method_stops_the_class_before_any_other_method_runs() {
            assertStops(
                    NegativeOnMethod.class,
                    "@NoOrphanedProcesses(grace = \"-1s\") on method org.noorphans.SettingsTests$NegativeOnMethod.second: "
                            + "a duration cannot be negative; \"0s\" is the shortest");
        }

        @Test
        void given_twice_is_refused() {
            assertStops(
                    TwoActions.class,
                    "@NoOrphanedProcesses(action = [FAIL, WARN]) on class org.noorphans.SettingsTests$TwoActions: "
                            + "give one value");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                        noorphans.settle | soon | not a duration; write a number and a unit, such as "500ms", "2s" or "1m"
                        noorphans.settle | 2    | not a duration; write a number and a unit, such as "500ms", "2s" or "1m"
                        noorphans.grace  | -5s  | a duration cannot be negative; "0s" is the shortest
                        noorphans.grace  | 90000s | longer than a day; did you mean another unit?
                        noorphans.action | explode | write fail or warn
                        noorphans.scope  | method | write test or class
                        noorphans.kill   | yes  | write true or false
                        """)
        void in_a_configuration_parameter_names_parameter_and_text(String name, String text, String advice) {
            assertStops(
                    Plain.class,
                    Map.of(name, text),
                    "Configuration parameter " + name + " = \"" + text + "\": " + advice);
        }
    }

    @Nested
    class A_misspelt_parameter {
        @ParameterizedTest
        @CsvSource({
            "noorphans.setle,noorphans.settle",
            "noorphans.settel,noorphans.settle",
            "noorphans.graze,noorphans.grace",
            "noorphans.actions,noorphans.action",
            "noorphans.Kill,noorphans.kill",
            "noorphan.scope,noorphans.scope",
            "noorphans.sub-reaper,noorphans.subreaper",
        })
        void is_refused_with_the_near_one(String wrong, String near) {
            Map<String, String> parameters = wrong.contains("sub-") ? Map.of() : Map.of(wrong, "1s");
            if (wrong.contains("sub-")) {
                System.setProperty(wrong, "on");
            }
            try {
                assertStopsStartingWith(
                        Plain.class,
                        parameters,
                        "Unknown configuration parameter " + wrong + ". Did you mean " + near + "? Known are: ");
            } finally {
                System.clearProperty(wrong);
            }
        }

        @Test
        void that_resembles_nothing_is_refused_with_the_list() {
            System.setProperty("noorphans.colour", "green");
            try {
                assertStopsStartingWith(
                        Plain.class,
                        Map.of(),
                        "Unknown configuration parameter noorphans.colour. Known are: noorphans.action, ");
            } finally {
                System.clearProperty("noorphans.colour");
            }
        }
    }

    @Nested
    class Precedence {
        private final Map<String, String> parameters = Map.of("noorphans.settle", "7ms", "noorphans.grace", "8ms");

        @Test
        void default_where_nothing_is_said() {
            assertThat(seenBy(Plain.class, Map.of())).isEqualTo(new Settings(Scope.TEST, Policy.DEFAULT));
        }

        @Test
        void parameter_beats_default() {
            assertThat(seenBy(
                            Plain.class,
                            Map.of(
                                    "noorphans.settle", "7ms",
                                    "noorphans.grace", "1.5s",
                                    "noorphans.kill", "FALSE",
                                    "noorphans.action", "Warn",
                                    "noorphans.scope", "class")))
                    .isEqualTo(new Settings(
                            Scope.CLASS, new Policy(Duration.ofMillis(7), Duration.ofMillis(1500), false, false)));
        }

        @Test
        void class_beats_parameter_attribute_by_attribute() {
            assertThat(seenBy(SettleOnClass.class, parameters))
                    .isEqualTo(new Settings(
                            Scope.TEST, new Policy(Duration.ofMillis(30), Duration.ofMillis(8), true, true)));
        }

        @Test
        void method_beats_class() {
            assertThat(seenBy(SettleOnClassAndMethod.class, parameters))
                    .isEqualTo(new Settings(
                            Scope.TEST, new Policy(Duration.ofMillis(40), Duration.ofMillis(8), true, true)));
        }

        @Test
        void nested_class_takes_what_it_does_not_say_from_the_enclosing_one() {
            assertThat(seenBy(Enclosing.class, parameters))
                    .isEqualTo(new Settings(
                            Scope.TEST, new Policy(Duration.ofMillis(50), Duration.ofMillis(60), true, true)));
        }

        @Test
        void meta_annotation_and_superclass_count() {
            assertThat(seenBy(WithMeta.class, Map.of()))
                    .isEqualTo(new Settings(
                            Scope.TEST, new Policy(Duration.ofMillis(70), Policy.DEFAULT.grace(), true, false)));
        }

        @Test
        void builder_beats_parameter_and_default() {
            assertThat(seenBy(FromBuilder.class, Map.of("noorphans.grace", "9ms"))
                            .policy())
                    .isEqualTo(new Policy(Duration.ofMillis(80), Duration.ofMillis(81), false, true));
        }
    }

    private static Settings seenBy(Class<?> testClass, Map<String, String> parameters) {
        run(testClass, parameters)
                .testEvents()
                .assertStatistics(stats -> stats.started(1).succeeded(1));
        return SEEN[0];
    }

    private static void assertStops(Class<?> testClass, String message) {
        assertStops(testClass, Map.of(), message);
    }

    private static void assertStops(Class<?> testClass, Map<String, String> parameters, String message) {
        assertThat(failuresOf(testClass, parameters))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(ExtensionConfigurationException.class)
                        .hasMessage(message));
        assertThat(BODIES).as("test bodies that ran").hasValue(0);
    }

    private static void assertStopsStartingWith(Class<?> testClass, Map<String, String> parameters, String message) {
        assertThat(failuresOf(testClass, parameters))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(ExtensionConfigurationException.class)
                        .hasMessageStartingWith(message));
        assertThat(BODIES).as("test bodies that ran").hasValue(0);
    }

    private static List<Throwable> failuresOf(Class<?> testClass, Map<String, String> parameters) {
        return run(testClass, parameters).allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .toList();
    }

    private static EngineExecutionResults run(Class<?> testClass, Map<String, String> parameters) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .configurationParameters(parameters)
                .execute();
    }

    /** Records the settings as the extension resolves them. */
    static class Recorder implements BeforeEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            SEEN[0] = Settings.of(context, Said.NOTHING);
        }
    }

    @NoOrphanedProcesses
    @ExtendWith(Recorder.class)
    static class Plain {
        @Test
        void body() {
            BODIES.incrementAndGet();
        }
    }

    @NoOrphanedProcesses(settle = "2 parsecs")
    static class UnparsableOnClass {
        @Test
        void body() {
            BODIES.incrementAndGet();
        }
    }

    @NoOrphanedProcesses
    static class NegativeOnMethod {
        @Test
        void first() {
            BODIES.incrementAndGet();
        }

        @Test
        @NoOrphanedProcesses(grace = "-1s")
        void second() {
            BODIES.incrementAndGet();
        }
    }

    @NoOrphanedProcesses(action = {Action.FAIL, Action.WARN})
    static class TwoActions {
        @Test
        void body() {
            BODIES.incrementAndGet();
        }
    }

    @NoOrphanedProcesses(settle = "30ms")
    @ExtendWith(Recorder.class)
    static class SettleOnClass {
        @Test
        void body() {}
    }

    @NoOrphanedProcesses(settle = "30ms")
    @ExtendWith(Recorder.class)
    static class SettleOnClassAndMethod {
        @Test
        @NoOrphanedProcesses(settle = "40ms")
        void body() {}
    }

    @NoOrphanedProcesses(settle = "1ms", grace = "60ms")
    @ExtendWith(Recorder.class)
    static class Enclosing {
        @Nested
        @NoOrphanedProcesses(settle = "50ms")
        class Inner {
            @Test
            void body() {}
        }
    }

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @NoOrphanedProcesses(settle = "70ms", action = Action.WARN)
    @java.lang.annotation.Inherited
    @interface Guarded {}

    @Guarded
    @ExtendWith(Recorder.class)
    static class Base {
        @Test
        void body() {}
    }

    static class WithMeta extends Base {}

    static class FromBuilder {
        @RegisterExtension
        static final NoOrphanedProcessesExtension EXTENSION = NoOrphanedProcessesExtension.builder()
                .settle(Duration.ofMillis(80))
                .grace(Duration.ofMillis(81))
                .kill(false)
                .build();

        @RegisterExtension
        static final BeforeEachCallback RECORDER =
                context -> SEEN[0] = Settings.of(context, EXTENSION.builderSettings());

        @Test
        void body() {}
    }
}
