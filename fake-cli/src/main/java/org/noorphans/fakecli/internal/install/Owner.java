/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.time.Duration;
import org.noorphans.fakecli.internal.proc.ProcTable;

/** For how long fakes may live: as long as the JVM that installed them, or, installed from the command line, a time. */
public sealed interface Owner {
    /** Shell text that tells the library. */
    String shell();

    /** This JVM, by pid and start time. */
    static Owner thisJvm() {
        long pid = ProcessHandle.current().pid();
        return new Jvm(pid, ProcTable.startTicks(pid));
    }

    /**
     * A JVM.
     *
     * @param pid its number
     * @param startTicks when it started
     */
    record Jvm(long pid, long startTicks) implements Owner {
        @Override
        public String shell() {
            return "fc_owner=" + pid + " fc_owner_start=" + startTicks + " fc_life=\n";
        }
    }

    /**
     * Nobody: each call may live this long.
     *
     * @param life more than zero
     */
    record Nobody(Duration life) implements Owner {
        @Override
        public String shell() {
            return "fc_owner= fc_owner_start= fc_life=" + (life.toMillis() + 9) / 10 + "\n";
        }
    }
}
