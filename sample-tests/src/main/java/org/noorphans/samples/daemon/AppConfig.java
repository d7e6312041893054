/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What clients configure with {@code PUT /api/app-config}; other fields of the document are ignored.
 *
 * @param agentId the agent for runs that name none
 * @param agentCliEnv extra environment for each agent; there {@code <AGENT>_BIN} names the agent's executable
 */
record AppConfig(@Nullable String agentId, @Nullable Map<String, Map<String, String>> agentCliEnv) {

    static final AppConfig EMPTY = new AppConfig(null, null);

    /** The agent to start, whether or not it is installed. */
    AgentCli agent(@Nullable String requested, Map<String, String> daemonEnvironment) {
        String id = requested != null ? requested : agentId != null ? agentId : "claude";
        Map<String, String> own = agentCliEnv == null ? Map.of() : agentCliEnv.getOrDefault(id, Map.of());
        Map<String, String> environment = new HashMap<>(daemonEnvironment);
        environment.putAll(own);
        String executable = own.getOrDefault(id.toUpperCase(Locale.ROOT) + "_BIN", id);
        return new AgentCli(id, Path.of(executable), environment);
    }
}
