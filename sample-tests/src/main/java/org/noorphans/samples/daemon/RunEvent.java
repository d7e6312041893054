/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

/**
 * One line of a run's event log.
 *
 * @param sequence 0 for the first event of the run, then without gaps
 * @param atMillis milliseconds on a clock that only moves forward; only differences mean anything
 * @param type what happened: queued, start, agent, stalled, stdin_closed, signal, retry, end
 * @param attempt the attempt it concerns, from 1; 0 before the first
 * @param detail more about it, possibly empty
 */
public record RunEvent(long sequence, long atMillis, String type, int attempt, String detail) {}
