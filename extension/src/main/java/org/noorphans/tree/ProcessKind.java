/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * What sort of program a process is, from a fixed list. A process chooses its own name, so a name that is not on the list is
 * never repeated.
 */
final class ProcessKind {
    static final String OTHER = "other";

    private static final int KERNEL_NAME_BYTES = 15;

    private static final Set<String> KNOWN = Set.of(
            "bash",
            "chrome",
            "codex",
            "google-chrome",
            "java",
            "node",
            "paperclip-runnerd",
            "playwright",
            "pnpm",
            "postgres",
            "python3",
            "sh",
            "sleep",
            "tsx");

    private ProcessKind() {}

    /** The kind for a name as the kernel keeps it. */
    static String of(String kernelName) {
        return KNOWN.stream()
                .filter(known -> isKernelNameOf(known, kernelName))
                .findFirst()
                .orElse(OTHER);
    }

    /** Whether the kernel shows a program of this name so: whole, or the first 15 bytes of it, no more and no less. */
    static boolean isKernelNameOf(String program, String kernelName) {
        byte[] whole = program.getBytes(StandardCharsets.UTF_8);
        byte[] seen = kernelName.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(seen, whole.length > KERNEL_NAME_BYTES ? Arrays.copyOf(whole, KERNEL_NAME_BYTES) : whole);
    }
}
