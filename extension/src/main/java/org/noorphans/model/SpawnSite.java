/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

import java.time.Instant;
import java.util.List;

/**
 * Where in the code of this JVM a process was started.
 *
 * @param thread the name of the thread; may be empty for a virtual thread
 * @param at when
 * @param frames the whole stack, innermost first; empty if the JVM kept none
 */
public record SpawnSite(String thread, Instant at, List<StackTraceElement> frames) {
    public SpawnSite {
        frames = List.copyOf(frames);
    }

    /**
     * The frames that are the user's: neither generated, nor of the JDK, nor of JUnit or a build tool, nor of a
     * library for starting processes; innermost first.
     */
    public List<StackTraceElement> userFrames() {
        return frames.stream().filter(frame -> !isFolded(frame.getClassName())).toList();
    }

    private static final List<String> FOLDED = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.junit.",
            "org.apache.maven.",
            "org.gradle.",
            "org.eclipse.jdt.",
            "com.intellij.",
            "org.noorphans.tree.",
            "org.noorphans.internal.",
            "org.apache.commons.exec.",
            "org.zeroturnaround.",
            "com.zaxxer.nuprocess.",
            "com.pty4j.");

    private static boolean isFolded(String className) {
        return className.contains("$$Lambda") || FOLDED.stream().anyMatch(className::startsWith);
    }
}
