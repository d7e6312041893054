/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

class SmokeTests {
    @Test
    void smoke() {
        var results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(LeakTestCase.class))
                .execute();
        results.allEvents().debug();
        results.allEvents().failed().stream().forEach(e -> System.out.println(e.getPayload()));
    }

    @NoOrphanedProcesses(settle = "200ms")
    static class LeakTestCase {
        @Test
        void clean() throws Exception {
            new ProcessBuilder("true").start().waitFor();
        }

        @Test
        void leaks() throws Exception {
            new ProcessBuilder("sh", "-c", "setsid sleep 100 </dev/null >/dev/null 2>&1 & sleep 0.05; exit 0")
                    .start()
                    .waitFor();
        }

        @Test
        void tree() throws Exception {
            Process p = new ProcessBuilder("sh", "-c", "trap '' TERM; sleep 100 & sleep 99 & wait").start();
            Thread.sleep(100);
        }
    }
}
