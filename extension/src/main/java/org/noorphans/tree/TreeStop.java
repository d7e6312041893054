/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;
import java.util.List;
import org.noorphans.model.ProcessId;
import org.noorphans.model.Termination;

/**
 * A stop that went well: everything is gone but what was to be preserved.
 *
 * @param terminations what became of each process that was seen, in the order of first sight
 * @param escalated whether KILL was needed
 * @param preserved the processes that were kept alive: the admitted runner and its tree
 * @param looks how many pictures of the processes were taken for it
 * @param took from the first call to the end
 */
public record TreeStop(
        List<Termination> terminations, boolean escalated, List<ProcessId> preserved, int looks, Duration took) {
    public TreeStop {
        terminations = List.copyOf(terminations);
        preserved = List.copyOf(preserved);
    }

    /** What became of one process; if it was not seen during the stop, it had ended by itself before. */
    public Termination.Outcome outcomeOf(ProcessId id) {
        return terminations.stream()
                .filter(termination -> termination.id().equals(id))
                .map(Termination::outcome)
                .findFirst()
                .orElse(Termination.Outcome.EXITED_BY_ITSELF);
    }
}
