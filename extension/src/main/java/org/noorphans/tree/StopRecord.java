/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.noorphans.model.ProcessId;
import org.noorphans.model.Termination;
import org.noorphans.model.Termination.Outcome;

/** What a stop did and saw, process by process. Kept over repeated stops. Not thread-safe. */
final class StopRecord {
    private final Map<ProcessId, Progress> progress = new LinkedHashMap<>();
    private final Set<ProcessId> frozen = new LinkedHashSet<>();
    private final Set<ProcessId> killedInThisTry = new HashSet<>();
    private long begin = -1;
    private boolean escalated;

    private static final class Progress {
        private boolean asked;
        private boolean termSent;
        private boolean killed;
        private boolean refused;
        private boolean gone;
        private long nanos;
    }

    void begin(long now) {
        if (begin < 0) {
            begin = now;
        }
    }

    /** A stop that failed is repeated: what is still there is stopped and killed once more. */
    void nextTry() {
        frozen.clear();
        killedInThisTry.clear();
    }

    long since(long now) {
        return now - begin;
    }

    /** Takes in a look: what was seen before and is missing has ended. */
    void seen(Ownership ownership, long now) {
        Set<ProcessId> living = new HashSet<>();
        for (OwnedProcess member : ownership.livingMembers()) {
            living.add(member.id());
            if (!ownership.preserved().contains(member.id())) {
                progress.computeIfAbsent(member.id(), absent -> new Progress());
            }
        }
        Set<ProcessId> asked = new HashSet<>();
        ownership.groups().stream().filter(ownership::isCovered).forEach(group -> asked.addAll(group.members()));
        progress.forEach((id, p) -> {
            p.asked |= asked.contains(id);
            if (!p.gone && !living.contains(id)) {
                p.gone = true;
                p.nanos = now - begin;
            }
        });
    }

    void termSent(Collection<OwnedGroup> groups) {
        of(groups).forEach(p -> {
            p.asked = true;
            p.termSent = true;
        });
    }

    void escalated() {
        escalated = true;
    }

    boolean isEscalated() {
        return escalated;
    }

    void killed(OwnedGroup group) {
        of(List.of(group)).forEach(p -> p.killed = true);
        killedInThisTry.addAll(group.members());
    }

    void refused(ProcessId id) {
        Progress p = progress.get(id);
        if (p != null) {
            p.refused = true;
        }
    }

    boolean isKilled(ProcessId id) {
        return killedInThisTry.contains(id);
    }

    /** Whether it has not been stopped by this clean-up before; it counts as stopped from now on. */
    boolean freeze(ProcessId id) {
        return frozen.add(id);
    }

    Set<ProcessId> frozen() {
        return frozen;
    }

    private List<Progress> of(Collection<OwnedGroup> groups) {
        List<Progress> found = new ArrayList<>();
        for (OwnedGroup group : groups) {
            for (ProcessId id : group.members()) {
                @Nullable Progress p = progress.get(id);
                if (p != null && !p.gone) {
                    found.add(p);
                }
            }
        }
        return found;
    }

    List<Termination> terminations() {
        List<Termination> all = new ArrayList<>();
        progress.forEach((id, p) ->
                all.add(new Termination(id, outcome(p), Duration.ofNanos(p.nanos), p.termSent, Optional.empty())));
        return List.copyOf(all);
    }

    private static Outcome outcome(Progress p) {
        if (!p.gone) {
            return p.refused ? Outcome.NOT_PERMITTED : Outcome.STILL_THERE;
        }
        if (p.killed) {
            return Outcome.ENDED_BY_FORCE;
        }
        return p.asked ? Outcome.EXITED_ON_REQUEST : Outcome.EXITED_BY_ITSELF;
    }
}
