/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.watch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.noorphans.internal.observe.SpawnRecords;
import org.noorphans.internal.os.jdk.FlightRecorderSpawns;
import org.noorphans.internal.os.linux.LinuxPlatform;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.terminate.Pacing;

/** The watch of this JVM, made when the first guarded test begins and never ended. */
public final class JvmWatch {
    private static final Logger LOG = System.getLogger("org.noorphans");

    private static boolean created;
    private static Optional<ProcessWatch> watch = Optional.empty();

    private JvmWatch() {}

    /** What is said once per JVM. */
    public record JvmSettings(Switches switches, boolean spawnSite, Duration observeEvery) {}

    /**
     * The watch; empty where this system is not supported, which is logged once.
     *
     * @param settings asked for on the first call only
     */
    public static synchronized Optional<ProcessWatch> get(Supplier<JvmSettings> settings) {
        if (!created) {
            created = true;
            watch = create(settings.get());
        }
        return watch;
    }

    private static Optional<ProcessWatch> create(JvmSettings settings) {
        String reason;
        try {
            reason = LinuxPlatform.unsupportedBecause();
            if (reason.isEmpty()) {
                return Optional.of(new ProcessWatch(
                        LinuxPlatform.create(settings.switches()),
                        settings.spawnSite()
                                ? FlightRecorderSpawns.start()
                                : SpawnRecords.none("noorphans.spawn-site is off"),
                        settings.observeEvery(),
                        Pacing.REAL));
            }
        } catch (LinkageError e) {
            reason = "JNA cannot be loaded: " + e;
        }
        LOG.log(Level.WARNING, "NoOrphans does not guard the tests of this JVM: {0}", reason);
        return Optional.empty();
    }
}
