/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.samples.stages.Stage.stage;

import java.util.List;
import org.noorphans.samples.shapes.FixtureRun;
import org.noorphans.samples.stages.Stage.Own;
import org.noorphans.samples.stages.StageFixtures.AbortedTestCase;
import org.noorphans.samples.stages.StageFixtures.AfterAllTestCase;
import org.noorphans.samples.stages.StageFixtures.AfterEachOfALaterExtensionTestCase;
import org.noorphans.samples.stages.StageFixtures.AfterEachOfAnEarlierExtensionTestCase;
import org.noorphans.samples.stages.StageFixtures.AfterEachTestCase;
import org.noorphans.samples.stages.StageFixtures.BeforeAllTestCase;
import org.noorphans.samples.stages.StageFixtures.BeforeEachTestCase;
import org.noorphans.samples.stages.StageFixtures.BuilderTestCase;
import org.noorphans.samples.stages.StageFixtures.ChildOfAPoolOfTheClassTestCase;
import org.noorphans.samples.stages.StageFixtures.ClassScopeTestCase;
import org.noorphans.samples.stages.StageFixtures.ConstructorTestCase;
import org.noorphans.samples.stages.StageFixtures.DynamicTestCase;
import org.noorphans.samples.stages.StageFixtures.FailingAfterEachTestCase;
import org.noorphans.samples.stages.StageFixtures.FailingTestCase;
import org.noorphans.samples.stages.StageFixtures.InterfaceTestCase;
import org.noorphans.samples.stages.StageFixtures.LeftAloneTestCase;
import org.noorphans.samples.stages.StageFixtures.MetaAnnotationTestCase;
import org.noorphans.samples.stages.StageFixtures.MethodOnlyTestCase;
import org.noorphans.samples.stages.StageFixtures.NestedBeforeAllTestCase;
import org.noorphans.samples.stages.StageFixtures.NestedConstructorTestCase;
import org.noorphans.samples.stages.StageFixtures.NestedOnlyTestCase;
import org.noorphans.samples.stages.StageFixtures.NestedTestTestCase;
import org.noorphans.samples.stages.StageFixtures.OrphanOfAPoolOfTheClassTestCase;
import org.noorphans.samples.stages.StageFixtures.ParameterisedTestCase;
import org.noorphans.samples.stages.StageFixtures.PerClassBeforeAllTestCase;
import org.noorphans.samples.stages.StageFixtures.PerClassConstructorTestCase;
import org.noorphans.samples.stages.StageFixtures.PerClassTestTestCase;
import org.noorphans.samples.stages.StageFixtures.RepeatedTestCase;
import org.noorphans.samples.stages.StageFixtures.ResourceOfALaterExtensionTestCase;
import org.noorphans.samples.stages.StageFixtures.ResourceOfAnEarlierExtensionTestCase;
import org.noorphans.samples.stages.StageFixtures.SuperclassTestCase;
import org.noorphans.samples.stages.StageFixtures.TemplateTestCase;
import org.noorphans.samples.stages.StageFixtures.TestMethodTestCase;
import org.noorphans.samples.stages.StageFixtures.ThreadOfTheTestTestCase;
import org.noorphans.samples.stages.StageFixtures.ThrowingBeforeAllTestCase;
import org.noorphans.samples.stages.StageFixtures.ThrowingBeforeEachTestCase;
import org.noorphans.samples.stages.StageFixtures.ThrowingConstructorTestCase;
import org.noorphans.samples.stages.StageFixtures.TimeoutInASeparateThreadTestCase;
import org.noorphans.samples.stages.StageFixtures.TimeoutInTheSameThreadTestCase;
import org.noorphans.samples.stages.StageFixtures.WarnTestCase;

/** The table: where a process may be left, which test or class fails then, and which scope owns the process. */
final class Stages {
    static final List<Stage> ALL = List.of(
            stage("constructor", ConstructorTestCase.class).failsTest("first", "first()"),
            stage("constructor that throws", ThrowingConstructorTestCase.class)
                    .failsTest("first", "first()")
                    .withOwnFailure(Own.FIRST, "no instance")
                    .whereConstructorsBelongToTests(),
            stage("@BeforeAll", BeforeAllTestCase.class).failsClass(),
            stage("@BeforeEach", BeforeEachTestCase.class).failsTest("first", "first()"),
            stage("@BeforeAll that throws", ThrowingBeforeAllTestCase.class)
                    .failsClass()
                    .withOwnFailure(Own.FIRST, "no class"),
            stage("@BeforeEach that throws", ThrowingBeforeEachTestCase.class)
                    .failsTest("first", "first()")
                    .withOwnFailure(Own.FIRST, "no test"),
            stage("test", TestMethodTestCase.class).failsTest(),
            stage("@AfterEach", AfterEachTestCase.class).failsTest("first", "first()"),
            stage("@AfterAll", AfterAllTestCase.class).failsClass(),
            stage("thread that the test creates", ThreadOfTheTestTestCase.class).failsTest(),
            stage("thread of the class, as its child", ChildOfAPoolOfTheClassTestCase.class)
                    .failsClass(),
            stage("thread of the class, orphaned", OrphanOfAPoolOfTheClassTestCase.class)
                    .failsTest("leaks", "leaks(SampleProcesses)"),
            stage("test of a nested class, annotation on the enclosing class", NestedTestTestCase.class)
                    .failsTest("leaks", "Inner.leaks(SampleProcesses)"),
            stage("constructor of a nested class", NestedConstructorTestCase.class)
                    .failsTest("first", "Inner.first()"),
            stage("@BeforeAll of a nested class", NestedBeforeAllTestCase.class)
                    .failsClass("Inner", "NestedBeforeAllTestCase.Inner"),
            stage("test of a nested class, annotation there only", NestedOnlyTestCase.class)
                    .failsTest("leaks", "Inner.leaks(SampleProcesses)"),
            stage("parameterised test", ParameterisedTestCase.class)
                    .failsTest("leaks #2", "leaks(String, SampleProcesses) word 2")
                    .and(run -> assertThat(run.succeeded()).contains("leaks #1", "leaks #3")),
            stage("repeated test", RepeatedTestCase.class)
                    .failsTest("leaks #2", "leaks(RepetitionInfo, SampleProcesses) round 2")
                    .and(run -> assertThat(run.succeeded()).contains("leaks #1", "leaks #3")),
            stage("test template", TemplateTestCase.class)
                    .failsTest("leaks #1", "leaks(SampleProcesses) [1]")
                    .and(run -> assertThat(run.succeeded()).contains("leaks #2")),
            stage("dynamic test", DynamicTestCase.class)
                    .failsTest()
                    .and(run -> assertThat(run.succeeded()).contains("leaks #1", "leaks #2")),
            stage("constructor, one instance for the class", PerClassConstructorTestCase.class)
                    .failsClass(),
            stage("@BeforeAll, one instance for the class", PerClassBeforeAllTestCase.class)
                    .failsClass(),
            stage("test, one instance for the class", PerClassTestTestCase.class)
                    .failsTest(),
            stage("ended by a resource of a later extension", ResourceOfALaterExtensionTestCase.class),
            stage("ended by a resource of an earlier extension", ResourceOfAnEarlierExtensionTestCase.class)
                    .whereConstructorsBelongToTests(),
            stage("ended in afterEach of a later extension", AfterEachOfALaterExtensionTestCase.class),
            stage("ended in afterEach of an earlier extension", AfterEachOfAnEarlierExtensionTestCase.class),
            stage("test that fails", FailingTestCase.class).failsTest().withOwnFailure(Own.FIRST, "its own failure"),
            stage("test whose @AfterEach fails", FailingAfterEachTestCase.class)
                    .failsTest()
                    .withOwnFailure(Own.FIRST, "its own failure"),
            stage("test that is aborted", AbortedTestCase.class).failsTest().withOwnFailure(Own.SUPPRESSED, "not here"),
            stage("timeout in the same thread", TimeoutInTheSameThreadTestCase.class)
                    .failsTest()
                    .withOwnFailure(Own.FIRST, "timed out after 1000 milliseconds"),
            stage("timeout in a separate thread", TimeoutInASeparateThreadTestCase.class)
                    .failsTest()
                    .withOwnFailure(Own.FIRST, "timed out after 1000 milliseconds"),
            stage("annotation on the superclass", SuperclassTestCase.class).failsTest(),
            stage("annotation on an interface", InterfaceTestCase.class).failsTest(),
            stage("annotation on an annotation", MetaAnnotationTestCase.class).failsTest(),
            stage("no annotation, extension registered by its builder", BuilderTestCase.class)
                    .failsTest(),
            stage("annotation on the method only", MethodOnlyTestCase.class).failsTest(),
            stage("action = WARN", WarnTestCase.class).and(Stages::isPublished),
            stage("kill = false", LeftAloneTestCase.class).failsTest().leftAlone(),
            stage("scope = CLASS", ClassScopeTestCase.class).failsClass());

    private Stages() {}

    private static void isPublished(FixtureRun run) {
        assertThat(run.entries())
                .singleElement()
                .asString()
                .startsWith("StageFixtures.WarnTestCase.leaks(SampleProcesses) left 1 process running:")
                .contains("pid " + run.processes().id("leak").pid());
    }
}
