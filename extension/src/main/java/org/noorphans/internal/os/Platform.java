/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os;

import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.ThreadMarks;
import org.noorphans.internal.observe.ZombieReaper;
import org.noorphans.internal.terminate.SignalSender;

/**
 * The adapters for the system that this JVM runs on.
 *
 * @param name what the system is, for messages
 * @param reader reads processes
 * @param sender sends signals
 * @param marks marks threads
 * @param reaper collects what was adopted
 * @param subreaper whether this JVM adopts its orphaned descendants; then everything it started stays below it
 */
public record Platform(
        String name,
        ProcessTableReader reader,
        SignalSender sender,
        ThreadMarks marks,
        ZombieReaper reaper,
        boolean subreaper) {}
