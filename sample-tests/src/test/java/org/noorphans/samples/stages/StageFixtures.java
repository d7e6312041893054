/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.NoOrphanedProcessesExtension;
import org.noorphans.SpawnedProcesses;
import org.noorphans.samples.shapes.SampleProcesses;

/** A leak at each stage of a test's life, one class for each. {@link Stages} holds their verdicts. */
final class StageFixtures {
    private static final String SETTLE = "100ms";
    private static final String LEAK = "leak";

    private StageFixtures() {}

    /** Leaks where it is called first, and not again. */
    private static void leakOnce(SampleProcesses processes) {
        if (!processes.isPublished(LEAK)) {
            processes.sleeper(LEAK);
        }
    }

    /** Runs after each fixture. */
    @NoOrphanedProcesses(settle = SETTLE)
    static class AfterwardsTestCase {
        @Test
        void starts_nothing(SpawnedProcesses spawned) {
            assertThat(spawned.all()).isEmpty();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ConstructorTestCase extends StageTestCase {
        ConstructorTestCase(SampleProcesses processes) {
            leakOnce(processes);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ThrowingConstructorTestCase extends StageTestCase {
        ThrowingConstructorTestCase(SampleProcesses processes) {
            if (!processes.isPublished(LEAK)) {
                processes.sleeper(LEAK);
                throw new IllegalStateException("no instance");
            }
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class BeforeAllTestCase extends StageTestCase {
        @BeforeAll
        static void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class BeforeEachTestCase extends StageTestCase {
        @BeforeEach
        void leaks(SampleProcesses processes) {
            leakOnce(processes);
        }

        @Test
        void first() {}
    }

    /** A class in which no test can run; that the run goes on, the next class shows. */
    @NoOrphanedProcesses(settle = SETTLE)
    static class ThrowingBeforeAllTestCase extends StageTestCase {
        @BeforeAll
        static void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
            throw new IllegalStateException("no class");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ThrowingBeforeEachTestCase extends StageTestCase {
        @BeforeEach
        void leaks(SampleProcesses processes) {
            if (!processes.isPublished(LEAK)) {
                processes.sleeper(LEAK);
                throw new IllegalStateException("no test");
            }
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class TestMethodTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class AfterEachTestCase extends StageTestCase {
        @AfterEach
        void leaks(SampleProcesses processes) {
            leakOnce(processes);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class AfterAllTestCase extends StageTestCase {
        @AfterAll
        static void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ThreadOfTheTestTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) throws Exception {
            Thread thread = new Thread(() -> processes.sleeper(LEAK));
            thread.start();
            thread.join();
        }
    }

    abstract static class PoolOfTheClass extends StageTestCase {
        private static ExecutorService pool;

        @BeforeAll
        static void start_the_pool() throws Exception {
            pool = Executors.newSingleThreadExecutor();
            pool.submit(() -> {}).get();
        }

        @AfterAll
        static void end_the_pool() {
            pool.shutdown();
        }

        static void inPool(Runnable task) throws Exception {
            pool.submit(task).get();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ChildOfAPoolOfTheClassTestCase extends PoolOfTheClass {
        @Test
        void first(SampleProcesses processes) throws Exception {
            inPool(() -> processes.sleeper(LEAK));
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class OrphanOfAPoolOfTheClassTestCase extends PoolOfTheClass {
        @Test
        void leaks(SampleProcesses processes, SpawnedProcesses spawned) throws Exception {
            // While its parent lives it is the fixture's.
            inPool(() -> processes.orphan(LEAK, () -> assertThat(spawned.all()).isEmpty()));
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class NestedTestTestCase extends StageTestCase {
        @Nested
        class Inner extends StageTestCase {
            @Test
            void leaks(SampleProcesses processes) {
                processes.sleeper(LEAK);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class NestedConstructorTestCase extends StageTestCase {
        @Nested
        class Inner extends StageTestCase {
            Inner(SampleProcesses processes) {
                leakOnce(processes);
            }

            @Test
            void first() {}
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class NestedBeforeAllTestCase extends StageTestCase {
        @Nested
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        class Inner extends StageTestCase {
            @BeforeAll
            void leaks(SampleProcesses processes) {
                processes.sleeper(LEAK);
            }

            @Test
            void first() {}
        }
    }

    static class NestedOnlyTestCase extends StageTestCase {
        @Nested
        @NoOrphanedProcesses(settle = SETTLE)
        class Inner extends StageTestCase {
            @Test
            void leaks(SampleProcesses processes) {
                processes.sleeper(LEAK);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class ParameterisedTestCase extends StageTestCase {
        @ParameterizedTest(name = "word {index}")
        @ValueSource(strings = {"one", "two", "three"})
        void leaks(String word, SampleProcesses processes) {
            if (word.equals("two")) {
                processes.sleeper(LEAK);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class RepeatedTestCase extends StageTestCase {
        @RepeatedTest(value = 3, name = "round {currentRepetition}")
        void leaks(RepetitionInfo repetition, SampleProcesses processes) {
            if (repetition.getCurrentRepetition() == 2) {
                processes.sleeper(LEAK);
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class TemplateTestCase extends StageTestCase {
        @TestTemplate
        @ExtendWith(Twice.class)
        void leaks(SampleProcesses processes) {
            leakOnce(processes);
        }
    }

    static final class Twice implements TestTemplateInvocationContextProvider {
        @Override
        public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override
        public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
            return Stream.of(new TestTemplateInvocationContext() {}, new TestTemplateInvocationContext() {});
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class DynamicTestCase extends StageTestCase {
        @TestFactory
        Stream<DynamicTest> leaks(SampleProcesses processes) {
            return Stream.of(
                    DynamicTest.dynamicTest("one", () -> processes.sleeper(LEAK)),
                    DynamicTest.dynamicTest(
                            "two", () -> assertThat(processes.alive()).containsExactly(LEAK)));
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassConstructorTestCase extends StageTestCase {
        PerClassConstructorTestCase(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassBeforeAllTestCase extends StageTestCase {
        @BeforeAll
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @Test
        void first() {}
    }

    @NoOrphanedProcesses(settle = SETTLE)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassTestTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    /** Starts a process before each test; what it put into the store ends it. */
    // JUnit up to 5.12 closes only what is a CloseableResource, later versions prefer AutoCloseable and deprecate the
    // other.
    @SuppressWarnings("deprecation")
    static final class EndsByResource implements BeforeEachCallback {
        private record Running(SampleProcesses processes, String role)
                implements ExtensionContext.Store.CloseableResource, AutoCloseable {
            @Override
            public void close() {
                processes.end(role);
            }
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            SampleProcesses processes = SampleProcesses.of(context);
            String role = "of-" + context.getRequiredTestMethod().getName();
            processes.sleeper(role);
            context.getStore(ExtensionContext.Namespace.create(EndsByResource.class))
                    .put(role, new Running(processes, role));
        }
    }

    /** Starts a process before each test and ends it after each. */
    static final class EndsAfterEach implements BeforeEachCallback, AfterEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            SampleProcesses.of(context)
                    .sleeper("of-" + context.getRequiredTestMethod().getName());
        }

        @Override
        public void afterEach(ExtensionContext context) {
            SampleProcesses.of(context)
                    .end("of-" + context.getRequiredTestMethod().getName());
        }
    }

    @NoOrphanedProcesses(settle = "0s")
    @ExtendWith(EndsByResource.class)
    static class ResourceOfALaterExtensionTestCase extends StageTestCase {
        @Test
        void first(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly("of-first");
        }
    }

    @ExtendWith(EndsByResource.class)
    @NoOrphanedProcesses(settle = "0s")
    static class ResourceOfAnEarlierExtensionTestCase extends StageTestCase {
        @Test
        void first(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly("of-first");
        }
    }

    @NoOrphanedProcesses(settle = "0s")
    @ExtendWith(EndsAfterEach.class)
    static class AfterEachOfALaterExtensionTestCase extends StageTestCase {
        @Test
        void first(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly("of-first");
        }
    }

    @ExtendWith(EndsAfterEach.class)
    @NoOrphanedProcesses(settle = "0s")
    static class AfterEachOfAnEarlierExtensionTestCase extends StageTestCase {
        @Test
        void first(SampleProcesses processes) {
            assertThat(processes.alive()).containsExactly("of-first");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class FailingTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
            throw new AssertionError("its own failure");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class FailingAfterEachTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @AfterEach
        void fails(SampleProcesses processes) {
            if (processes.alive().contains(LEAK)) {
                throw new AssertionError("its own failure");
            }
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class AbortedTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
            abort("not here");
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class TimeoutInTheSameThreadTestCase extends StageTestCase {
        @Test
        @Timeout(value = 1000, unit = TimeUnit.MILLISECONDS, threadMode = Timeout.ThreadMode.SAME_THREAD)
        void leaks(SampleProcesses processes) throws Exception {
            processes.sleeper(LEAK).waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    static class TimeoutInASeparateThreadTestCase extends StageTestCase {
        @Test
        @Timeout(value = 1000, unit = TimeUnit.MILLISECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void leaks(SampleProcesses processes) throws Exception {
            processes.sleeper(LEAK).waitFor();
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    abstract static class Guarded extends StageTestCase {}

    static class SuperclassTestCase extends Guarded {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE)
    interface GuardedInterface {}

    static class InterfaceTestCase extends StageTestCase implements GuardedInterface {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @NoOrphanedProcesses(settle = SETTLE)
    @interface GuardedByMeta {}

    @GuardedByMeta
    static class MetaAnnotationTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    static class BuilderTestCase extends StageTestCase {
        @RegisterExtension
        static final NoOrphanedProcessesExtension GUARD = NoOrphanedProcessesExtension.builder()
                .settle(Duration.ofMillis(100))
                .build();

        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    static class MethodOnlyTestCase extends StageTestCase {
        @Test
        @NoOrphanedProcesses(settle = SETTLE)
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, action = NoOrphanedProcesses.Action.WARN)
    static class WarnTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, kill = false)
    static class LeftAloneTestCase extends StageTestCase {
        @Test
        void leaks(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }
    }

    @NoOrphanedProcesses(settle = SETTLE, scope = NoOrphanedProcesses.Scope.CLASS)
    static class ClassScopeTestCase extends StageTestCase {
        @Test
        @Order(1)
        void leaves_it_to_the_next(SampleProcesses processes) {
            processes.sleeper(LEAK);
        }

        @Test
        @Order(2)
        void has_it(SampleProcesses processes) {
            assertThat(processes.alive()).isEqualTo(List.of(LEAK));
        }
    }
}
