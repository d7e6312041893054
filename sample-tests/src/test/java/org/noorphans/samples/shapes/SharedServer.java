/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for all classes of a run: started when the first of them begins, ended when the run does. */
// JUnit up to 5.12 closes only what is a CloseableResource, later versions prefer AutoCloseable and deprecate the
// other.
@SuppressWarnings("deprecation")
final class SharedServer implements BeforeAllCallback {
    static final String ROLE = "server";
    static final String ALIVE_AT_THE_END = "server alive at the end of the run";

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedServer.class))
                .getOrComputeIfAbsent(ROLE, key -> new Running(SampleProcesses.of(context)));
    }

    private static final class Running implements ExtensionContext.Store.CloseableResource, AutoCloseable {
        private final SampleProcesses processes;

        Running(SampleProcesses processes) {
            this.processes = processes;
            processes.sleeper(ROLE);
        }

        @Override
        public void close() {
            processes.note(ALIVE_AT_THE_END, String.valueOf(LinuxProcess.isAlive(processes.id(ROLE))));
            processes.end(ROLE);
        }
    }
}
