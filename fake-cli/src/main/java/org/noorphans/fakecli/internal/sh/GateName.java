/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

/** The file names of gates, so that the compiler and the holder of the gates agree. */
public final class GateName {
    /** The gate that never opens: who waits there learns when the installer ends. */
    public static final String OWNER = "owner";

    private GateName() {}

    /** The file of an attempt's stall. */
    public static String ofStall(String className, int attempt) {
        return "stall." + className + "." + attempt;
    }

    /** The file of a named gate. */
    public static String ofGate(String name) {
        return "gate." + name;
    }
}
