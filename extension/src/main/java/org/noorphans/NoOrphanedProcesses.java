/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test that leaves a process behind, names the process and its chain of parents, and ends it.
 *
 * <pre>{@code
 * @NoOrphanedProcesses
 * class RetryTests {
 *     @Test
 *     void kills_the_failed_attempt() {
 *         daemon.retry();
 *     }
 * }
 * }</pre>
 *
 * <p>On a class it guards every test of the class, of its nested classes and of its subclasses, and the class itself; on a
 * method it guards that method. It works on interfaces and as a meta-annotation.
 *
 * <h2>What fails a test</h2>
 *
 * A process that the test started, directly or through others, that is alive when the test has ended, every other extension
 * has cleaned up, and the settle time is over. It fails the test with an
 * {@link org.noorphans.model.OrphanedProcessesError}; if the test has failed already, that error is suppressed under the
 * test's own failure. A leak fails the test that started the process and never the next one. A zombie is not alive.
 *
 * <h2>What is attributed</h2>
 *
 * A process belongs to the narrowest scope that was open in the code that started it: the invocation of the test method with
 * its constructor, {@code @BeforeEach} and {@code @AfterEach}; or the class, for what {@code @BeforeAll} or
 * {@code @AfterAll} start, judged when the class ends. What a process of the class starts during a test belongs to the class
 * as long as its parent lives, and to the test once it is orphaned. Dynamic tests belong to their factory method;
 * repetitions and parameterised invocations are tests of their own. A process that was there before the scope began is
 * never blamed and never ended.
 *
 * <h2>What is not detected</h2>
 *
 * A process that a daemon outside the test JVM starts on request (a container engine, a build daemon that was running
 * before). See {@code docs/what-is-detected.md}.
 *
 * <h2>Waiting and killing</h2>
 *
 * Survivors have {@link #settle} to end by themselves; the wait ends as soon as nothing is left, and a clean test does not
 * wait at all. Then the verdict is taken, and, unless {@link #kill} is false, survivors are ended: TERM to the outermost of
 * each branch, {@link #grace}, KILL to what is left. Only processes that the scope owns are signalled, each by number and
 * start time.
 *
 * <h2>Parallel tests</h2>
 *
 * On Linux 6.5 and later the kernel hands a mark on from the thread of the test to everything it starts, so that tests which
 * run at the same time are told apart. What cannot be tied to one test goes to the class or the run, with the names of all
 * tests that come into question, never onto one of them at random.
 *
 * <h2>Settings</h2>
 *
 * An attribute that is not given here is taken from the annotation of the class, then of the enclosing class, then from the
 * configuration parameter {@code noorphans.<name>}, then from the default. A wrong value stops the test class before any
 * test runs.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(NoOrphanedProcessesExtension.class)
public @interface NoOrphanedProcesses {

    /** What must be clean when it ends. */
    enum Scope {
        /** Every test, and the class for what {@code @BeforeAll} and {@code @AfterAll} start. */
        TEST,
        /** The class as a whole: a test may leave processes to the next test of the class. */
        CLASS
    }

    /** What a survivor leads to. */
    enum Action {
        /** The test or class fails. */
        FAIL,
        /** The report is logged as a warning by the logger {@code org.noorphans} and published as a report entry. */
        WARN
    }

    /** What must be clean; one value. Default {@link Scope#TEST}. */
    Scope[] scope() default {};

    /** What a survivor leads to; one value. Default {@link Action#FAIL}. */
    Action[] action() default {};

    /**
     * How long survivors may take to end by themselves: a number and a unit ({@code ms}, {@code s}, {@code m}). Default
     * {@code 2s}; {@code 0s} takes the verdict at once.
     */
    String settle() default "";

    /**
     * How long survivors may take to end after TERM, all together, before KILL. Default {@code 5s}; {@code 0s} sends KILL
     * right after TERM.
     */
    String grace() default "";

    /** Whether survivors are ended; one value. Default {@code true}. */
    boolean[] kill() default {};
}
