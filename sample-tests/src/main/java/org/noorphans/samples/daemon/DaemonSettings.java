/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import java.time.Duration;
import java.util.Map;

/**
 * How a daemon behaves.
 *
 * <p>The environment is a value: a JVM cannot change its own, and need not. What is not in this map is absent for the
 * daemon and for every agent it starts.
 *
 * @param environment the environment of the daemon and its agents
 * @param inactivityTimeout how long an agent may be silent; zero means for ever
 * @param retryBackoff the wait between the teardown of a failed attempt and its retry
 * @param cancelGrace the time between TERM and KILL
 * @param teardown how the processes of an attempt that will be retried are ended
 */
public record DaemonSettings(
        Map<String, String> environment,
        Duration inactivityTimeout,
        Duration retryBackoff,
        Duration cancelGrace,
        Teardown teardown) {

    /** Milliseconds; 0 switches the watchdog off. */
    public static final String INACTIVITY_TIMEOUT = "AGENT_DAEMON_INACTIVITY_TIMEOUT_MS";

    /** Milliseconds. */
    public static final String RETRY_BACKOFF = "AGENT_DAEMON_RETRY_BACKOFF_MS";

    /** Milliseconds. */
    public static final String CANCEL_GRACE = "AGENT_DAEMON_CANCEL_GRACE_MS";

    private static final Duration LONGEST = Duration.ofHours(24);

    /** Copies the environment. */
    public DaemonSettings {
        environment = Map.copyOf(environment);
    }

    /**
     * Reads the three times from an environment. What is absent or no number keeps its default (10 minutes, 500 ms, 3 s);
     * fractions are cut off, and nothing is longer than a day.
     */
    public static DaemonSettings fromEnvironment(Map<String, String> environment) {
        return new DaemonSettings(
                environment,
                millis(environment, INACTIVITY_TIMEOUT, Duration.ofMinutes(10)),
                millis(environment, RETRY_BACKOFF, Duration.ofMillis(500)),
                millis(environment, CANCEL_GRACE, Duration.ofSeconds(3)),
                new WholeGroup());
    }

    /** The same with another teardown. */
    public DaemonSettings withTeardown(Teardown other) {
        return new DaemonSettings(environment, inactivityTimeout, retryBackoff, cancelGrace, other);
    }

    private static Duration millis(Map<String, String> environment, String name, Duration fallback) {
        try {
            double value = Double.parseDouble(environment.getOrDefault(name, ""));
            return value >= 0 ? Duration.ofMillis(Math.min((long) value, LONGEST.toMillis())) : fallback;
        } catch (NumberFormatException noNumber) {
            return fallback;
        }
    }
}
