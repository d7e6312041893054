/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** How an invocation ended. */
public sealed interface End {
    /** It had not ended when the journal was read. */
    record Running() implements End {}

    /**
     * It ended by itself.
     *
     * @param code its exit code
     */
    record Exited(int code) implements End {}

    /**
     * It ended itself by a signal, as planned.
     *
     * @param signal the signal
     */
    record Crashed(Signal signal) implements End {}

    /** It became a new call of the same fake, which has a record of its own. */
    record Replaced() implements End {}

    /** It is gone and wrote no end: something else ended it. */
    record Missing() implements End {}
}
