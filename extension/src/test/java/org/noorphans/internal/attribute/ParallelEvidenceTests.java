/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.internal.attribute.Cases.attributor;
import static org.noorphans.internal.attribute.Cases.process;
import static org.noorphans.internal.attribute.Cases.scope;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.model.Evidence;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;

/** What tells tests apart that run at the same time: a1 and a2 of class A, b1 of class B. */
class ParallelEvidenceTests {
    private final Scope run = scope(1, ScopeKind.RUN, "run", null, 100);
    private final Scope classA = scope(2, ScopeKind.CLASS, "A", run, 110);
    private final Scope a1 = scope(3, ScopeKind.TEST, "a1", classA, 120);
    private final Scope a2 = scope(4, ScopeKind.TEST, "a2", classA, 120);
    private final Scope classB = scope(5, ScopeKind.CLASS, "B", run, 110);
    private final Scope b1 = scope(6, ScopeKind.TEST, "b1", classB, 120);
    private final List<Scope> parallel = List.of(run, classA, a1, a2, classB, b1);

    private static final OptionalLong POOL_THREAD = OptionalLong.of(4711);
    private static final StackTraceElement START = frame("java.lang.ProcessBuilder", "start");
    private static final StackTraceElement POOL = frame("java.util.concurrent.ThreadPoolExecutor", "runWorker");
    private static final StackTraceElement SERVER = frame("org.example.Server", "spawn");

    private static StackTraceElement frame(String className, String method) {
        return new StackTraceElement(className, method, "X.java", 1);
    }

    private static StackTraceElement inTest(String method) {
        return frame("org.example.Tests", method);
    }

    private Scope ownerOf(boolean shared, ProcessRecord process) {
        return attributor(parallel, shared, process)
                .attribute(process)
                .orElseThrow()
                .owner();
    }

    @Nested
    class The_thread_of_a_test {
        @Test
        void decides_whatever_the_mark_says() {
            assertThat(ownerOf(true, process(200, 125).mark(b1).forkedBy(a2).record()))
                    .isEqualTo(a2);
        }

        @Test
        void decides_when_only_the_jvm_noted_it() {
            assertThat(ownerOf(
                            true,
                            process(200, 125)
                                    .mark(0)
                                    .spawned("worker", a1.task(), START, SERVER)
                                    .record()))
                    .isEqualTo(a1);
        }
    }

    @Nested
    class A_thread_of_its_own_that_a_test_created {
        @Test
        void is_known_by_the_mark() {
            ProcessRecord process = process(200, 125)
                    .mark(a1)
                    .spawned("daemon", POOL_THREAD, START, SERVER, frame("java.lang.Thread", "run"))
                    .record();
            assertThat(ownerOf(true, process)).isEqualTo(a1);
            assertThat(attributor(parallel, true, process)
                            .attribute(process)
                            .orElseThrow()
                            .evidence())
                    .contains(new Evidence.Mark(30, a1.id(), true), new Evidence.Spawned("daemon", false, false));
        }
    }

    @Nested
    class A_pool_thread {
        @Test
        void goes_to_the_test_on_its_stack_though_another_test_created_it() {
            assertThat(ownerOf(
                            true,
                            process(200, 125)
                                    .mark(a1)
                                    .spawned("pool-1-thread-1", POOL_THREAD, START, inTest("lambda$a2$0"), POOL)
                                    .record()))
                    .isEqualTo(a2);
        }

        @Test
        void leaves_doubt_if_no_test_is_on_its_stack() {
            ProcessRecord process = process(200, 125)
                    .mark(a1)
                    .spawned("pool-1-thread-1", POOL_THREAD, START, SERVER, POOL)
                    .record();
            Attribution attribution =
                    attributor(parallel, true, process).attribute(process).orElseThrow();
            assertThat(attribution.owner()).isEqualTo(run);
            assertThat(attribution.candidates()).containsExactlyInAnyOrder(a1, a2, b1);
            assertThat(attribution.evidence())
                    .contains(
                            new Evidence.Mark(30, a1.id(), false),
                            new Evidence.StartedInside(List.of("a1", "a2", "b1")));
        }

        @Test
        void leaves_no_doubt_if_only_one_test_is_open() {
            ProcessRecord process = process(200, 125)
                    .mark(a1)
                    .spawned("pool-1-thread-1", POOL_THREAD, START, SERVER, POOL)
                    .record();
            assertThat(attributor(List.of(run, classA, a1), true, process)
                            .attribute(process)
                            .orElseThrow()
                            .owner())
                    .isEqualTo(a1);
        }

        @Test
        void of_a_method_that_runs_several_times_at_once_leaves_only_those_in_doubt() {
            Scope again = new Scope(
                    new ScopeId(7, ScopeKind.TEST, "a2 again"),
                    classA,
                    120,
                    OptionalLong.empty(),
                    0,
                    70,
                    OptionalLong.of(1007),
                    "another",
                    Set.of(),
                    a2.code());
            ProcessRecord process = process(200, 125)
                    .mark(b1)
                    .spawned("pool-1-thread-1", POOL_THREAD, START, inTest("lambda$a2$3"), POOL)
                    .record();
            Attribution attribution = attributor(List.of(run, classA, a1, a2, again, classB, b1), true, process)
                    .attribute(process)
                    .orElseThrow();
            assertThat(attribution.candidates()).containsExactlyInAnyOrder(a2, again);
            assertThat(attribution.owner()).isEqualTo(classA);
        }
    }

    @Nested
    class A_virtual_thread {
        @Test
        void carries_the_mark_of_whoever_created_its_carrier() {
            assertThat(ownerOf(
                            true,
                            process(200, 125)
                                    .mark(a1)
                                    .spawned("", OptionalLong.empty(), START, inTest("lambda$b1$0"))
                                    .record()))
                    .isEqualTo(b1);
        }
    }

    @Nested
    class An_orphan_whose_parents_had_gone_unseen {
        @Test
        void is_known_by_the_mark_if_no_pool_thread_can_have_handed_it_on() {
            assertThat(ownerOf(false, process(200, 125).adoptedUnseen().mark(a2).record()))
                    .isEqualTo(a2);
        }

        @Test
        void is_in_doubt_otherwise() {
            assertThat(ownerOf(true, process(200, 125).adoptedUnseen().mark(a2).record()))
                    .isEqualTo(run);
        }
    }

    @Nested
    class The_mark_of_a_class {
        @Test
        void decides_for_a_child_that_its_fixture_started_during_a_test() {
            List<Scope> sequential = List.of(run, classA, a1);
            ProcessRecord process = process(200, 125)
                    .mark(classA)
                    .spawned("server", POOL_THREAD, START, inTest("lambda$a1$0"), POOL)
                    .record();
            assertThat(attributor(sequential, true, process)
                            .attribute(process)
                            .orElseThrow()
                            .owner())
                    .isEqualTo(classA);
        }
    }
}
