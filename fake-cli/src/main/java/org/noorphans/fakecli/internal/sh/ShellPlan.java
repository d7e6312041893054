/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A compiled scenario. It names no place and no program of a machine, so the same scenario gives the same plan
 * everywhere.
 *
 * @param files shell text by path below the data directory
 * @param gates the names of the FIFOs that the plan waits on, and for each a step that does
 * @param tools the programs it needs, and for each a step that needs it, for messages
 * @param replays for each recording that is to be printed, the file of the plan that the installer makes of it
 */
public record ShellPlan(
        SortedMap<String, String> files,
        SortedMap<String, String> gates,
        SortedMap<Tool, String> tools,
        Map<String, String> replays) {
    public ShellPlan {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        gates = Collections.unmodifiableSortedMap(new TreeMap<>(gates));
        replays = Collections.unmodifiableMap(new LinkedHashMap<>(replays));
        tools = Collections.unmodifiableSortedMap(new TreeMap<>(tools));
    }

    /** The text of a file of the plan; empty if there is no such file. */
    public String file(String path) {
        return files.getOrDefault(path, "");
    }
}
