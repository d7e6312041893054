/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.judge;

import org.noorphans.internal.attribute.Attribution;
import org.noorphans.internal.observe.ProcessRecord;

/**
 * A living process and its owner.
 *
 * @param record what is known of it
 * @param attribution who owns it
 */
public record Candidate(ProcessRecord record, Attribution attribution) {}
