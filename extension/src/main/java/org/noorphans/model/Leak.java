/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/**
 * One survivor and what became of it.
 *
 * @param survivor the process
 * @param termination how it was ended, or why not
 */
public record Leak(Survivor survivor, Termination termination) {}
