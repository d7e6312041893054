/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/** A fake could not be installed; the message says where, why, and what would be right. Nothing is left behind. */
public final class FakeCliInstallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public FakeCliInstallException(String message) {
        super(message);
    }

    /** With a message for people and what led to it. */
    public FakeCliInstallException(String message, Throwable cause) {
        super(message, cause);
    }
}
