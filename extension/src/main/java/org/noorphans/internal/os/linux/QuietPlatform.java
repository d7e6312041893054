/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.util.Optional;
import org.noorphans.internal.os.Platform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;

/** The adapters for who only looks and signals: nothing about this JVM is changed, it becomes no subreaper. */
public final class QuietPlatform {
    private static final Optional<Platform> PLATFORM = create();

    private QuietPlatform() {}

    /** The adapters; empty where this system is not supported. */
    public static Optional<Platform> get() {
        return PLATFORM;
    }

    private static Optional<Platform> create() {
        try {
            return LinuxPlatform.unsupportedBecause().isEmpty()
                    ? Optional.of(LinuxPlatform.create(new Switches(false, false, true, true)))
                    : Optional.empty();
        } catch (LinkageError e) {
            return Optional.empty();
        }
    }
}
