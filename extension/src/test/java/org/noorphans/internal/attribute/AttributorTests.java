/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.noorphans.internal.attribute.Cases.attributor;
import static org.noorphans.internal.attribute.Cases.process;
import static org.noorphans.internal.attribute.Cases.scope;
import static org.noorphans.internal.attribute.Cases.withBaseline;
import static org.noorphans.internal.attribute.Cases.withoutSlot;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.model.Evidence;
import org.noorphans.model.ScopeKind;

/** A run from 100, two classes from 110, tests from 120 on; a1 and a2 and b1 run at the same time. */
class AttributorTests {
    private final Scope run = scope(1, ScopeKind.RUN, "run", null, 100);
    private final Scope classA = scope(2, ScopeKind.CLASS, "A", run, 110);
    private final Scope a1 = scope(3, ScopeKind.TEST, "a1", classA, 120);
    private final Scope a2 = scope(4, ScopeKind.TEST, "a2", classA, 120);
    private final Scope classB = scope(5, ScopeKind.CLASS, "B", run, 110);
    private final Scope b1 = scope(6, ScopeKind.TEST, "b1", classB, 120);
    private final List<Scope> parallel = List.of(run, classA, a1, a2, classB, b1);
    private final List<Scope> alone = List.of(run, classA, a1);

    private static Optional<Attribution> of(List<Scope> scopes, ProcessRecord process, ProcessRecord... known) {
        ProcessRecord[] all = Arrays.copyOf(known, known.length + 1);
        all[known.length] = process;
        return attributor(scopes, all).attribute(process);
    }

    private static Scope ownerOf(Optional<Attribution> attribution) {
        return attribution.orElseThrow().owner();
    }

    private static List<String> reasons(Optional<Attribution> attribution) {
        return attribution.orElseThrow().evidence().stream()
                .map(Evidence::because)
                .toList();
    }

    @Nested
    class A_mark {
        @Test
        void tells_tests_apart_that_run_at_the_same_time() {
            var owner = of(parallel, process(200, 125).mark(a2).forkedBy(a2).record());
            assertThat(ownerOf(owner)).isEqualTo(a2);
            assertThat(owner.orElseThrow().evidence())
                    .containsExactly(
                            new Evidence.Mark(40, a2.id(), true),
                            new Evidence.ChildOfJvm(),
                            new Evidence.ForkingThread("thread-of-a2", true));
        }

        @Test
        void names_the_thread_as_the_kernel_does_if_it_is_not_the_scopes_own() {
            var owner = of(
                    parallel,
                    process(200, 125).mark(a2).forkedBy(4711, "pool-1-thread-1").record());
            assertThat(owner.orElseThrow().evidence()).contains(new Evidence.ForkingThread("pool-1-thread-1", false));
        }

        @Test
        void of_a_class_makes_the_class_the_owner() {
            assertThat(ownerOf(of(parallel, process(200, 115).mark(classA).record())))
                    .isEqualTo(classA);
        }

        @Test
        void counts_for_nothing_if_the_process_started_before_the_scope() {
            assertThat(ownerOf(of(parallel, process(200, 119).mark(a1).record())))
                    .isEqualTo(run);
            assertThat(ownerOf(of(alone, process(200, 119).mark(a1).record()))).isEqualTo(classA);
        }

        @Test
        void counts_for_nothing_if_the_process_started_after_the_scope() {
            List<Scope> scopes = List.of(run, classA, a1.closedAt(130, 6), a2);
            var owner = of(scopes, process(200, 140).mark(a1).firstLook(7).record());
            assertThat(ownerOf(owner)).isEqualTo(a2);
            assertThat(owner.orElseThrow().evidence()).noneMatch(Evidence.Mark.class::isInstance);
        }

        @Test
        void of_a_scope_that_has_ended_still_tells_who_started_what_it_left() {
            Scope ended = a1.closedAt(130, 6);
            List<Scope> scopes = List.of(run, classA, ended, a2);
            assertThat(ownerOf(
                            of(scopes, process(200, 125).mark(a1).firstLook(6).record())))
                    .isEqualTo(ended);
        }

        @Test
        void that_no_scope_holds_counts_for_nothing() {
            assertThat(ownerOf(of(alone, process(200, 125).mark(999).record()))).isEqualTo(a1);
        }

        @Test
        void of_nobody_is_not_the_mark_of_a_scope_without_a_slot() {
            Scope slotless = withoutSlot(a1);
            var owner = of(List.of(run, classA, slotless, a2), process(200, 125).record());
            assertThat(ownerOf(owner)).isEqualTo(classA);
            assertThat(owner.orElseThrow().evidence()).noneMatch(Evidence.Mark.class::isInstance);
        }

        @Test
        void never_overrules_a_chain_that_leads_to_another_test() {
            var parent = process(200, 125).mark(a1).record();
            var child = process(201, 126).childOf(parent).mark(a2).record();
            assertThat(ownerOf(of(parallel, child, parent))).isEqualTo(a1);
        }
    }

    @Nested
    class Descent {
        private final ProcessRecord wrapper = process(200, 125).mark(a1).record();

        @Test
        void hands_the_owner_on_through_every_generation() {
            var child = process(201, 126).childOf(wrapper).record();
            var grandchild = process(202, 127).childOf(child).record();
            var owner = of(parallel, grandchild, wrapper, child);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(owner.orElseThrow().evidence())
                    .containsExactly(new Evidence.Mark(30, a1.id(), true), new Evidence.Descent(201, true));
        }

        @Test
        void hands_it_on_after_the_test_has_ended() {
            Scope ended = a1.closedAt(130, 6);
            var late = process(201, 500).childOf(wrapper).firstLook(90).record();
            assertThat(ownerOf(of(List.of(run, classA, ended, a2), late, wrapper)))
                    .isEqualTo(ended);
        }

        @Test
        void hands_it_on_through_a_parent_that_has_gone() {
            var gone = process(200, 125).mark(a1).gone().record();
            var orphan = process(201, 126).orphanOf(gone).record();
            var owner = of(parallel, orphan, gone);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(reasons(owner))
                    .containsExactly(
                            "it inherited the mark 30 of this test",
                            "its parent pid 200, now gone, belongs to the same scope",
                            "it lost its parent and was adopted by pid 100");
        }

        @Test
        void ends_at_a_parent_of_another_identity() {
            var stranger = process(200, 121).mark(a2).record();
            var child = process(201, 126).childOf(wrapper).mark(0).noGroup().record();
            assertThat(ownerOf(of(parallel, child, stranger))).isEqualTo(run);
        }

        @Test
        void in_a_cycle_ends_and_blames_no_other_test() {
            var a = process(201, 125).mark(a1).record();
            var b = process(202, 125).childOf(a).record();
            var torn = process(201, 125).childOf(b).mark(a1).record();
            assertThat(of(parallel, b, torn).filter(found -> !found.owner().equals(a1)))
                    .isEmpty();
            var self = process(203, 125).mark(a1);
            assertThat(of(parallel, self.childOf(self.record()).record())
                            .filter(found -> !found.owner().equals(a1)))
                    .isEmpty();
        }
    }

    /** A process of the class, or of the run, that starts others while tests run. */
    @Nested
    class A_fixture {
        private final ProcessRecord fixture = process(200, 115).mark(classA).record();

        @Test
        void belongs_to_its_class() {
            assertThat(ownerOf(of(parallel, fixture))).isEqualTo(classA);
        }

        @Test
        void owns_what_it_starts_during_a_test_as_long_as_it_lives() {
            var helper = process(201, 125).childOf(fixture).record();
            assertThat(ownerOf(of(alone, helper, fixture))).isEqualTo(classA);
        }

        @Test
        void leaves_its_orphans_to_the_test_during_which_they_started() {
            var gone = process(200, 115).mark(classA).gone().record();
            var orphan = process(201, 125).orphanOf(gone).record();
            var owner = of(alone, orphan, gone);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(owner.orElseThrow().evidence())
                    .containsExactly(new Evidence.Adopted(100), new Evidence.StartedInside(List.of()));
        }

        @Test
        void leaves_the_orphans_of_its_helper_to_the_test_although_it_lives_itself() {
            var helper = process(201, 125).childOf(fixture).gone().record();
            var orphan = process(202, 126).orphanOf(helper).record();
            assertThat(ownerOf(of(alone, orphan, fixture, helper))).isEqualTo(a1);
        }

        @Test
        void leaves_what_is_below_an_orphan_to_the_test_as_well() {
            var helper = process(201, 125).childOf(fixture).gone().record();
            var orphan = process(202, 126).orphanOf(helper).record();
            var below = process(203, 127).childOf(orphan).record();
            assertThat(ownerOf(of(alone, below, fixture, helper, orphan))).isEqualTo(a1);
        }

        @Test
        void keeps_an_orphan_that_started_before_every_test() {
            var gone = process(200, 115).mark(classA).gone().record();
            var orphan = process(201, 116).orphanOf(gone).record();
            assertThat(ownerOf(of(alone, orphan, gone))).isEqualTo(classA);
        }

        @Test
        void keeps_an_orphan_that_was_there_before_the_test() {
            var gone = process(200, 115).mark(classA).gone().record();
            var orphan = process(201, 120).orphanOf(gone).record();
            Scope test = withBaseline(a1, orphan.id());
            assertThat(ownerOf(of(List.of(run, classA, test), orphan, gone))).isEqualTo(classA);
        }

        @Test
        void leaves_an_orphan_to_the_class_of_all_tests_in_which_it_may_have_started() {
            var gone = process(200, 115).mark(classA).gone().record();
            var orphan = process(201, 125).orphanOf(gone).record();
            var owner = of(List.of(run, classA, a1, a2), orphan, gone);
            assertThat(ownerOf(owner)).isEqualTo(classA);
            assertThat(reasons(owner))
                    .last()
                    .isEqualTo("it started while these were open and nothing tells them apart: a1, a2");
        }

        @Test
        void of_a_test_keeps_its_orphans() {
            var gone = process(200, 125).mark(a1).gone().record();
            var orphan = process(201, 126).orphanOf(gone).mark(a2).record();
            assertThat(ownerOf(of(parallel, orphan, gone))).isEqualTo(a1);
        }
    }

    @Nested
    class A_process_that_was_there_before_every_scope {
        private final ProcessRecord bystander = process(200, 50).record();

        @Test
        void belongs_to_nobody() {
            assertThat(of(parallel, bystander)).isEmpty();
        }

        @Test
        void belongs_to_nobody_although_it_carries_a_mark() {
            assertThat(of(parallel, process(200, 50).mark(a1).record())).isEmpty();
        }

        @Test
        void keeps_its_children_to_itself_as_long_as_it_lives() {
            var child = process(201, 125).childOf(bystander).record();
            assertThat(of(parallel, child, bystander)).isEmpty();
            assertThat(of(alone, child, bystander)).isEmpty();
        }

        @Test
        void keeps_its_grandchildren_to_itself_as_long_as_their_parent_lives() {
            var child = process(201, 60).childOf(bystander).record();
            var grandchild = process(202, 125).childOf(child).record();
            assertThat(of(alone, grandchild, bystander, child)).isEmpty();
        }

        @Test
        void leaves_its_orphans_to_the_test_during_which_they_started() {
            var gone = process(200, 50).gone().record();
            var orphan = process(201, 125).orphanOf(gone).record();
            assertThat(ownerOf(of(alone, orphan, gone))).isEqualTo(a1);
        }
    }

    @Nested
    class Nothing_but_time {
        private final ProcessRecord unmarked = process(200, 125).record();

        @Test
        void blames_the_only_test_that_is_open() {
            var owner = of(alone, unmarked);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(reasons(owner))
                    .containsExactly(
                            "it is a child of this JVM", "it started while this scope, and no other, was open");
        }

        @Test
        void never_blames_one_of_two_tests_of_a_class() {
            var owner = of(List.of(run, classA, a1, a2), unmarked);
            assertThat(ownerOf(owner)).isEqualTo(classA);
            assertThat(owner.orElseThrow().evidence()).contains(new Evidence.StartedInside(List.of("a1", "a2")));
        }

        @Test
        void never_blames_one_of_two_classes() {
            var owner = of(parallel, unmarked);
            assertThat(ownerOf(owner)).isEqualTo(run);
            assertThat(owner.orElseThrow().evidence()).contains(new Evidence.StartedInside(List.of("a1", "a2", "b1")));
        }

        @Test
        void leaves_out_a_test_whose_baseline_has_it() {
            List<Scope> scopes = List.of(run, classA, withBaseline(a1, unmarked.id()), a2);
            assertThat(ownerOf(of(scopes, unmarked))).isEqualTo(a2);
        }

        @Test
        void leaves_out_a_test_that_had_ended() {
            assertThat(ownerOf(of(List.of(run, classA, a1.closedAt(124, 4), a2), unmarked)))
                    .isEqualTo(a2);
        }

        @Test
        void blames_the_class_for_what_started_between_tests() {
            assertThat(ownerOf(of(List.of(run, classA, a1.closedAt(122, 3)), unmarked)))
                    .isEqualTo(classA);
        }

        @Test
        void blames_nobody_for_what_started_before_everything() {
            assertThat(of(parallel, process(200, 99).record())).isEmpty();
            assertThat(of(List.of(), unmarked)).isEmpty();
        }

        @Test
        void blames_nobody_for_what_started_outside_every_class_and_test() {
            assertThat(of(parallel, process(200, 105).record())).isEmpty();
            assertThat(of(parallel, process(200, 105).adoptedUnseen().record())).isEmpty();
        }

        @Test
        void blames_the_only_test_that_is_open_although_another_engine_is_between_its_classes() {
            Scope otherRun = scope(7, ScopeKind.RUN, "other run", null, 100);
            assertThat(ownerOf(of(List.of(run, classA, a1, otherRun), unmarked)))
                    .isEqualTo(a1);
            assertThat(ownerOf(of(List.of(otherRun, run, classA, a1), unmarked)))
                    .isEqualTo(a1);
        }

        @Test
        void goes_to_the_first_run_if_two_engines_have_nothing_in_common() {
            Scope otherRun = scope(7, ScopeKind.RUN, "other run", null, 100);
            Scope otherTest = scope(8, ScopeKind.TEST, "other test", otherRun, 120);
            var owner = of(List.of(run, classA, a1, otherRun, otherTest), unmarked);
            assertThat(ownerOf(owner)).isEqualTo(run);
            assertThat(owner.orElseThrow().evidence())
                    .contains(new Evidence.StartedInside(List.of("a1", "other test")));
        }
    }

    @Nested
    class An_adopted_process {
        @Test
        void without_a_mark_belongs_to_the_test_that_is_open() {
            var owner = of(alone, process(200, 125).adoptedUnseen().record());
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(owner.orElseThrow().evidence()).startsWith(new Evidence.Adopted(100));
        }

        @Test
        void with_the_mark_of_the_class_belongs_to_the_test_during_which_it_started() {
            assertThat(ownerOf(of(
                            alone,
                            process(200, 125).adoptedUnseen().mark(classA).record())))
                    .isEqualTo(a1);
        }

        @Test
        void with_the_mark_of_a_test_belongs_to_that_test() {
            assertThat(ownerOf(of(
                            parallel, process(200, 125).adoptedUnseen().mark(b1).record())))
                    .isEqualTo(b1);
        }

        @Test
        void that_started_in_no_test_belongs_to_the_class_whose_mark_it_carries() {
            assertThat(ownerOf(of(
                            parallel,
                            process(200, 115).adoptedUnseen().mark(classB).record())))
                    .isEqualTo(classB);
        }

        @Test
        void of_unknown_origin_is_treated_as_a_child() {
            var owner = of(alone, process(200, 125).unknown().mark(classA).record());
            assertThat(ownerOf(owner)).isEqualTo(classA);
            assertThat(owner.orElseThrow().evidence()).noneMatch(Evidence.ChildOfJvm.class::isInstance);
        }
    }

    @Nested
    class A_group {
        private final ProcessRecord leader =
                process(200, 125).mark(a1).leader().gone().record();

        @Test
        void ties_an_unmarked_orphan_to_the_test_that_started_its_leader() {
            var member = process(210, 126).adoptedUnseen().session(200).record();
            var owner = of(parallel, member, leader);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(owner.orElseThrow().evidence())
                    .containsExactly(new Evidence.SharedGroup(200, true), new Evidence.Adopted(100));
        }

        @Test
        void is_told_apart_from_a_session() {
            var groupLeader = process(200, 125).mark(a1).group(200).gone().record();
            var member = process(210, 126).adoptedUnseen().group(200).record();
            var owner = of(parallel, member, groupLeader);
            assertThat(ownerOf(owner)).isEqualTo(a1);
            assertThat(owner.orElseThrow().evidence()).contains(new Evidence.SharedGroup(200, false));
        }

        @Test
        void says_nothing_if_its_leader_is_younger_than_the_member() {
            var member = process(210, 124).adoptedUnseen().session(200).record();
            assertThat(ownerOf(of(parallel, member, leader))).isEqualTo(run);
        }

        @Test
        void says_nothing_if_the_recorded_owner_of_the_number_led_no_group() {
            var noLeader = process(200, 125).mark(a1).record();
            var member = process(210, 126).adoptedUnseen().session(200).record();
            assertThat(ownerOf(of(parallel, member, noLeader))).isEqualTo(run);
        }

        @Test
        void says_nothing_if_nothing_is_known_of_its_leader() {
            var member = process(210, 126).adoptedUnseen().session(999).record();
            assertThat(ownerOf(of(parallel, member, leader))).isEqualTo(run);
        }

        @Test
        void of_ones_own_says_nothing() {
            assertThat(ownerOf(of(
                            parallel, process(210, 126).adoptedUnseen().leader().record())))
                    .isEqualTo(run);
        }

        @Test
        void that_cannot_be_told_says_nothing() {
            assertThat(ownerOf(of(
                            parallel,
                            process(210, 126).adoptedUnseen().noGroup().record(),
                            leader)))
                    .isEqualTo(run);
        }

        @Test
        void is_weaker_than_a_mark() {
            var member = process(210, 126).adoptedUnseen().session(200).mark(b1).record();
            assertThat(ownerOf(of(parallel, member, leader))).isEqualTo(b1);
        }

        @Test
        void is_told_beside_descent() {
            var living = process(200, 125).mark(a1).leader().record();
            var child = process(201, 126).childOf(living).record();
            assertThat(of(parallel, child, living).orElseThrow().evidence())
                    .containsExactly(
                            new Evidence.Mark(30, a1.id(), true),
                            new Evidence.Descent(200, true),
                            new Evidence.SharedGroup(200, true));
        }
    }

    @Test
    void gives_the_same_answer_in_every_order() {
        var wrapper = process(200, 125).mark(a1).leader().record();
        var child = process(201, 126).childOf(wrapper).record();
        var orphan = process(202, 126).adoptedUnseen().session(200).record();
        var all = new ProcessRecord[] {wrapper, child, orphan};
        var forwards = attributor(parallel, all);
        var backwards = attributor(parallel, all);
        List<Optional<Attribution>> first =
                List.of(forwards.attribute(wrapper), forwards.attribute(child), forwards.attribute(orphan));
        Optional<Attribution> ofOrphan = backwards.attribute(orphan);
        Optional<Attribution> ofChild = backwards.attribute(child);
        assertThat(List.of(backwards.attribute(wrapper), ofChild, ofOrphan)).isEqualTo(first);
    }
}
