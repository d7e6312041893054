/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A small daemon that runs agent CLIs for its clients, as a program to be tested.
 *
 * <p>It listens on an ephemeral loopback port, starts each agent as the leader of a process group of its own, watches it
 * for silence, retries once, cancels, and shuts down. How the processes of a failed attempt are ended is a
 * {@link org.noorphans.samples.daemon.Teardown}: {@link org.noorphans.samples.daemon.DirectChildOnly} leaves the agent's
 * own children running, {@link org.noorphans.samples.daemon.WholeGroup} does not. Linux only.
 */
@NullMarked
package org.noorphans.samples.daemon;

import org.jspecify.annotations.NullMarked;
