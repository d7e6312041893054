/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.observe.ThreadMarks;
import org.noorphans.internal.observe.ZombieReaper;
import org.noorphans.internal.os.Platform;

/** Puts the Linux adapters together. */
public final class LinuxPlatform {
    private LinuxPlatform() {}

    /** Which mechanisms may be used; each can be switched off to see what the others are worth. */
    public record Switches(boolean subreaper, boolean mark, boolean childrenLists, boolean pidfd) {
        /** Everything that the kernel offers. */
        public static final Switches ALL = new Switches(true, true, true, true);
    }

    /** Whether these adapters work here; if not, why. */
    public static String unsupportedBecause() {
        if (!com.sun.jna.Platform.isLinux()) {
            return "this is not Linux";
        }
        if (Native.LONG_SIZE != 8) {
            return "this is a 32-bit system";
        }
        try {
            // Another pid namespace's /proc shows other numbers than those that the system calls take.
            String seen = Files.readSymbolicLink(Path.of("/proc/self")).toString();
            int pid = LibC.getpid();
            return seen.equals(String.valueOf(pid))
                    ? ""
                    : "/proc shows another pid namespace: it calls this JVM " + seen + ", its own number is " + pid;
        } catch (IOException e) {
            return "/proc is not mounted: " + e.getMessage();
        }
    }

    /** The adapters. Makes this JVM a subreaper if that is switched on. */
    public static Platform create(Switches switches) {
        ProcessTableReader reader = new LinuxProcessTableReader(switches.childrenLists());
        ThreadMarks marks = switches.mark() ? new IoPriorityMarks() : ThreadMarks.NONE;
        // A JVM that is process 1 of its pid namespace adopts orphans by itself.
        boolean subreaper = switches.subreaper()
                && (LibC.getpid() == 1 || LibC.prctl(LibC.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0);
        ZombieReaper reaper = subreaper
                ? id -> LibC.waitpid(Math.toIntExact(id.pid()), null, LibC.WNOHANG) == id.pid()
                : ZombieReaper.NONE;
        return new Platform(
                "Linux",
                reader,
                new PidfdSignalSender(reader, switches.pidfd()),
                marks.isSupported() ? marks : ThreadMarks.NONE,
                reaper,
                subreaper);
    }
}
