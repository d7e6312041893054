/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** What a fake does with its standard input. */
public enum StdinPolicy {
    /**
     * Leaves it open and never reads. Whoever writes more than a pipe holds (64 KiB on Linux) blocks until the fake
     * ends. This is the default.
     */
    NONE,

    /** Reads one line. A NUL in it is lost. */
    LINE,

    /** Reads to its end, also the end of who writes. NUL is lost. */
    EOF,

    /** Closes it: who writes gets SIGPIPE or EPIPE. */
    CLOSE
}
