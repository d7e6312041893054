/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** What a fake does with its standard input. */
public enum StdinPolicy {
    /**
     * Leaves it open and never reads. Whoever writes more than a pipe holds (64 KiB on Linux) blocks until the fake
     * ends.
     */
    NONE
}
