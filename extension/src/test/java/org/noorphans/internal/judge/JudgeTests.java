/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.attribute.Attribution;
import org.noorphans.internal.attribute.Scope;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.model.Evidence;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;

class JudgeTests {
    private final Scope run = scope(1, ScopeKind.RUN, null);
    private final Scope classA = scope(2, ScopeKind.CLASS, run);
    private final Scope a1 = scope(3, ScopeKind.TEST, classA);
    private final Scope a2 = scope(4, ScopeKind.TEST, classA);
    private final Scope classB = scope(5, ScopeKind.CLASS, run);
    private final Scope b1 = scope(6, ScopeKind.TEST, classB);

    private static Scope scope(long number, ScopeKind kind, Scope parent) {
        return new Scope(
                new ScopeId(number, kind, "scope " + number),
                parent,
                100,
                OptionalLong.empty(),
                0,
                0,
                OptionalLong.empty(),
                "main",
                Set.of(),
                null);
    }

    private static Candidate candidate(long pid, Scope owner) {
        return new Candidate(
                new ProcessRecord(
                        new ProcessRow(
                                new ProcessId(pid, 100),
                                1,
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                ProcessState.SLEEPING,
                                "p"),
                        ProcessRecord.Origin.CHILD_OF_JVM,
                        new ProcessId(1, 1),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        Optional.empty(),
                        false,
                        1,
                        OptionalLong.empty()),
                new Attribution(owner, List.of(owner), List.of(new Evidence.ChildOfJvm())));
    }

    private static List<Long> survivors(Scope ending, Set<ProcessId> settled, Candidate... living) {
        return Judge.survivors(ending, List.of(living), settled).stream()
                .map(candidate -> candidate.record().id().pid())
                .toList();
    }

    @Test
    void a_scope_answers_for_what_it_owns() {
        assertThat(survivors(a1, Set.of(), candidate(10, a1), candidate(11, a1)))
                .containsExactly(10L, 11L);
    }

    @Test
    void a_test_answers_for_no_other_test() {
        assertThat(survivors(a1, Set.of(), candidate(10, a2), candidate(11, b1), candidate(12, a2.closedAt(120, 3))))
                .isEmpty();
    }

    @Test
    void a_test_does_not_answer_for_its_class_or_the_run() {
        assertThat(survivors(a1, Set.of(), candidate(10, classA), candidate(11, run)))
                .isEmpty();
    }

    @Test
    void a_class_answers_for_its_tests_that_have_ended_and_not_for_those_that_run() {
        assertThat(survivors(classA, Set.of(), candidate(10, a1.closedAt(120, 3)), candidate(11, a2)))
                .containsExactly(10L);
    }

    @Test
    void a_class_does_not_answer_for_another_class() {
        assertThat(survivors(classA, Set.of(), candidate(10, classB), candidate(11, b1.closedAt(120, 3))))
                .isEmpty();
    }

    @Test
    void the_run_answers_for_everything_that_has_ended() {
        assertThat(survivors(
                        run,
                        Set.of(),
                        candidate(10, classB.closedAt(120, 3)),
                        candidate(11, b1.closedAt(120, 3)),
                        candidate(12, run),
                        candidate(13, classA)))
                .containsExactly(10L, 11L, 12L);
    }

    @Test
    void a_verdict_is_given_once() {
        assertThat(survivors(run, Set.of(new ProcessId(10, 100)), candidate(10, run), candidate(11, run)))
                .containsExactly(11L);
    }

    @Test
    void a_verdict_on_an_earlier_owner_of_the_number_does_not_count() {
        assertThat(survivors(run, Set.of(new ProcessId(10, 99)), candidate(10, run)))
                .containsExactly(10L);
    }

    @Test
    void a_scope_that_has_been_renamed_is_the_same() {
        Scope renamed = a1.named(new ScopeId(3, ScopeKind.TEST, "another name"), null);
        assertThat(survivors(renamed, Set.of(), candidate(10, a1))).containsExactly(10L);
    }
}
