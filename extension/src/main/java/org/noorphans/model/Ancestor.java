/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.time.Duration;
import java.util.Optional;

/**
 * One link of the chain that leads from a survivor to the test.
 *
 * @param id which process
 * @param commandLine its command line when it was last seen, or its short name
 * @param endedAgo how long before the verdict it was noticed to be gone; empty if it was alive
 */
public record Ancestor(ProcessId id, String commandLine, Optional<Duration> endedAgo) {}
