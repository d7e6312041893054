/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What clients configure with {@code PUT /api/app-config}; other fields of the document are ignored.
 *
 * @param agentId the agent for runs that name none
 * @param agentCliEnv extra environment for each agent; there {@code <AGENT>_BIN} names the agent's executable
 */
record AppConfig(@Nullable String agentId, @Nullable Map<String, Map<String, String>> agentCliEnv) {

    private static final Pattern PATH_SEPARATOR = Pattern.compile(File.pathSeparator, Pattern.LITERAL);

    static final AppConfig EMPTY = new AppConfig(null, null);

    /** The agent to start, whether or not it is installed. */
    AgentCli agent(@Nullable String requested, Map<String, String> daemonEnvironment) {
        String id = requested != null ? requested : agentId != null ? agentId : "claude";
        Map<String, String> own = agentCliEnv == null ? Map.of() : agentCliEnv.getOrDefault(id, Map.of());
        Map<String, String> environment = new HashMap<>(daemonEnvironment);
        environment.putAll(own);
        String override = own.get(id.toUpperCase(Locale.ROOT) + "_BIN");
        Path executable = override != null ? Path.of(override) : onPath(id, environment.getOrDefault("PATH", ""));
        return new AgentCli(id, executable, environment);
    }

    private static Path onPath(String name, String path) {
        Stream<Path> places = PATH_SEPARATOR.splitAsStream(path).map(folder -> Path.of(folder, name));
        return places.filter(Files::isExecutable).findFirst().orElse(Path.of(name));
    }
}
