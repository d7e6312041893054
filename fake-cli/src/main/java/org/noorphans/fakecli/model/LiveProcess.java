/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

/**
 * A fake, or something that a fake started, that is alive.
 *
 * @param what what it is, for people, for example {@code mcp (CHILD) of claude attempt 0}
 * @param ids who it is
 */
public record LiveProcess(String what, ProcessIds ids) {}
