/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.internal.attribute.Cases.process;
import static org.noorphans.internal.attribute.Cases.scope;
import static org.noorphans.internal.attribute.Cases.withBaseline;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;

class ScopeTests {
    private final Scope run = scope(1, ScopeKind.RUN, "run", null, 100);
    private final Scope classA = scope(2, ScopeKind.CLASS, "A", run, 110);
    private final Scope testA1 = scope(3, ScopeKind.TEST, "a1", classA, 120);
    private final Scope testA2 = scope(4, ScopeKind.TEST, "a2", classA, 120);
    private final Scope classB = scope(5, ScopeKind.CLASS, "B", run, 110);
    private final Scope testB1 = scope(6, ScopeKind.TEST, "b1", classB, 120);
    private final Scope otherRun = scope(7, ScopeKind.RUN, "other run", null, 100);

    @Nested
    class It_may_have_started {
        @Test
        void what_started_in_the_same_instant_as_it() {
            assertThat(testA1.mayHaveStarted(process(200, 120).record())).isTrue();
        }

        @Test
        void nothing_that_started_before_it() {
            assertThat(testA1.mayHaveStarted(process(200, 119).record())).isFalse();
        }

        @Test
        void nothing_that_was_there_before_it_although_the_clock_is_too_coarse_to_tell() {
            Scope scope = withBaseline(testA1, new ProcessId(200, 120));
            assertThat(scope.mayHaveStarted(process(200, 120).record())).isFalse();
            assertThat(scope.mayHaveStarted(process(201, 120).record())).isTrue();
        }

        @Test
        void what_reuses_a_number_of_its_baseline() {
            Scope scope = withBaseline(testA1, new ProcessId(200, 50));
            assertThat(scope.mayHaveStarted(process(200, 120).record())).isTrue();
        }

        @Test
        void what_was_seen_at_its_last_look_and_nothing_that_was_seen_only_later() {
            Scope closed = testA1.closedAt(130, 7);
            assertThat(closed.mayHaveStarted(process(200, 130).firstLook(7).record()))
                    .isTrue();
            assertThat(closed.mayHaveStarted(process(200, 130).firstLook(8).record()))
                    .isFalse();
        }

        @Test
        void nothing_that_started_after_its_end() {
            assertThat(testA1.closedAt(130, 7)
                            .mayHaveStarted(process(200, 131).firstLook(7).record()))
                    .isFalse();
        }
    }

    @Nested
    class Closeness {
        @Test
        void counts_a_scope_as_within_itself_and_not_as_inside_itself() {
            assertThat(testA1.isWithin(testA1.id())).isTrue();
            assertThat(testA1.isInside(testA1)).isFalse();
        }

        @Test
        void goes_by_number_and_not_by_name() {
            assertThat(testA1.isWithin(new ScopeId(2, ScopeKind.CLASS, "renamed")))
                    .isTrue();
            assertThat(testA1.isWithin(new ScopeId(99, ScopeKind.CLASS, "A"))).isFalse();
        }

        @Test
        void reaches_over_every_level() {
            assertThat(testA1.isInside(classA)).isTrue();
            assertThat(testA1.isInside(run)).isTrue();
            assertThat(run.isInside(testA1)).isFalse();
            assertThat(testA1.isInside(testA2)).isFalse();
            assertThat(testA1.isInside(classB)).isFalse();
        }

        @Test
        void finds_the_narrowest_scope_in_common() {
            assertThat(testA1.narrowestCommon(testA2)).contains(classA);
            assertThat(testA1.narrowestCommon(testB1)).contains(run);
            assertThat(testA1.narrowestCommon(classA)).contains(classA);
            assertThat(classA.narrowestCommon(testA1)).contains(classA);
            assertThat(testA1.narrowestCommon(testA1)).contains(testA1);
        }

        @Test
        void finds_nothing_in_common_between_two_runs() {
            assertThat(testA1.narrowestCommon(otherRun)).isEmpty();
            assertThat(otherRun.narrowestCommon(testA1)).isEmpty();
        }

        @Test
        void knows_the_outermost() {
            assertThat(testB1.outermost()).isEqualTo(run);
            assertThat(run.outermost()).isEqualTo(run);
        }
    }

    @Test
    void keeps_everything_but_the_end_when_it_is_closed() {
        Scope closed = testA1.closedAt(130, 7);
        assertThat(closed.isClosed()).isTrue();
        assertThat(testA1.isClosed()).isFalse();
        assertThat(closed.closed()).hasValue(130);
        assertThat(closed.lastLook()).isEqualTo(7);
        assertThat(closed)
                .usingRecursiveComparison()
                .ignoringFields("closed", "lastLook")
                .isEqualTo(testA1);
    }

    @Test
    void keeps_everything_but_the_name_when_it_is_renamed() {
        Scope renamed = testA1.named(new ScopeId(3, ScopeKind.TEST, "a1()"), null);
        assertThat(renamed.id().name()).isEqualTo("a1()");
        assertThat(renamed)
                .usingRecursiveComparison()
                .ignoringFields("id", "code")
                .isEqualTo(testA1);
    }
}
