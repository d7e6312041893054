/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.stages;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.noorphans.samples.shapes.SampleProcesses;

/** What all fixtures share: after their tests comes one that starts nothing, which must not fail. */
@ExtendWith(SampleProcesses.Resolver.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class StageTestCase {
    @Test
    @Order(Integer.MAX_VALUE)
    void the_next_test() {}
}
