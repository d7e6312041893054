/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An agent that can be started.
 *
 * @param id the name clients use, such as "claude"
 * @param executable the program; one without a folder is searched for in the PATH of its environment
 * @param environment all it gets to see; nothing of the daemon's own environment is added
 */
record AgentCli(String id, Path executable, Map<String, String> environment) {

    AgentCli {
        environment = Map.copyOf(environment);
    }

    boolean isInstalled() {
        return executable.getNameCount() == 1 || Files.isExecutable(executable);
    }

    AgentCli withVariable(String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return new AgentCli(id, executable, more);
    }

    /**
     * The command line of one attempt.
     *
     * <p>{@code setsid} makes itself the leader of a new session, and with it of a new process group, and then becomes
     * the agent by exec. It forks only if it leads a group already, which a child of Java never does. So the pid that
     * Java knows is the agent's, and the number of its group.
     */
    List<String> command(String sessionId) {
        return List.of(
                "setsid",
                executable.toString(),
                "-p",
                "--verbose",
                "--input-format",
                "stream-json",
                "--output-format",
                "stream-json",
                "--session-id",
                sessionId);
    }
}
