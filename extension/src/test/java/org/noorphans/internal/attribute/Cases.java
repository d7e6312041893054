/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.noorphans.internal.observe.ProcessRecord;
import org.noorphans.internal.observe.ProcessRecord.Origin;
import org.noorphans.internal.observe.SpawnRecord;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ProcessState;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;

/** Builds scopes and records for the tests of attribution. A process's start stamp is chosen by the test. */
final class Cases {
    static final ProcessId JVM = new ProcessId(100, 1);

    private Cases() {}

    static Scope scope(long number, ScopeKind kind, String name, Scope parent, long opened) {
        return new Scope(
                new ScopeId(number, kind, name),
                parent,
                opened,
                OptionalLong.empty(),
                0,
                (int) number * 10,
                OptionalLong.of(1000 + number),
                "thread-of-" + name,
                Set.of(),
                kind == ScopeKind.TEST ? new TestCode("org.example.Tests", name) : null);
    }

    static Scope withoutSlot(Scope s) {
        return new Scope(
                s.id(),
                s.parent(),
                s.opened(),
                s.closed(),
                s.lastLook(),
                0,
                s.task(),
                s.thread(),
                s.baseline(),
                s.code());
    }

    static Scope withBaseline(Scope s, ProcessId... ids) {
        return new Scope(
                s.id(),
                s.parent(),
                s.opened(),
                s.closed(),
                s.lastLook(),
                s.slot(),
                s.task(),
                s.thread(),
                Set.of(ids),
                s.code());
    }

    /** A record that is being built. */
    static final class Given {
        private final ProcessId id;
        private long parent = 100;
        private long group = 100;
        private long session = 100;
        private Origin origin = Origin.CHILD_OF_JVM;
        private ProcessId firstParent = JVM;
        private OptionalLong task = OptionalLong.empty();
        private Optional<String> thread = Optional.empty();
        private Optional<SpawnRecord> spawn = Optional.empty();
        private int mark;
        private boolean orphaned;
        private long firstLook = 5;
        private OptionalLong gone = OptionalLong.empty();

        Given(long pid, long start) {
            this.id = new ProcessId(pid, start);
        }

        Given childOf(ProcessRecord parentRecord) {
            parent = parentRecord.id().pid();
            firstParent = parentRecord.id();
            origin = Origin.CHILD_OF_PROCESS;
            group = parentRecord.row().groupId().orElse(0);
            session = parentRecord.row().sessionId().orElse(0);
            mark = parentRecord.mark();
            return this;
        }

        Given orphanOf(ProcessRecord parentRecord) {
            childOf(parentRecord);
            parent = 100;
            orphaned = true;
            return this;
        }

        Given adoptedUnseen() {
            origin = Origin.ADOPTED_UNSEEN;
            return this;
        }

        Given unknown() {
            origin = Origin.UNKNOWN;
            return this;
        }

        Given forkedBy(Scope scope) {
            task = scope.task();
            thread = Optional.of("java");
            return this;
        }

        Given forkedBy(long taskId, String name) {
            task = OptionalLong.of(taskId);
            thread = Optional.of(name);
            return this;
        }

        Given mark(int slot) {
            mark = slot;
            return this;
        }

        Given mark(Scope scope) {
            return mark(scope.slot());
        }

        Given leader() {
            group = id.pid();
            session = id.pid();
            return this;
        }

        Given group(long id) {
            group = id;
            return this;
        }

        Given session(long id) {
            session = id;
            group = id;
            return this;
        }

        Given noGroup() {
            group = -1;
            return this;
        }

        Given firstLook(long look) {
            firstLook = look;
            return this;
        }

        /** Noted by the JVM: started by this thread, with this stack, innermost first. */
        Given spawned(String threadName, OptionalLong taskId, StackTraceElement... frames) {
            spawn = Optional.of(
                    new SpawnRecord(id.pid(), Instant.EPOCH, threadName, taskId, taskId.isEmpty(), List.of(frames)));
            return this;
        }

        Given gone() {
            gone = OptionalLong.of(id.startStamp() + 1);
            return this;
        }

        ProcessRecord record() {
            return new ProcessRecord(
                    new ProcessRow(
                            id,
                            parent,
                            group < 0 ? OptionalLong.empty() : OptionalLong.of(group),
                            group < 0 ? OptionalLong.empty() : OptionalLong.of(session),
                            gone.isPresent() ? ProcessState.ZOMBIE : ProcessState.SLEEPING,
                            "p" + id.pid()),
                    origin,
                    firstParent,
                    task,
                    thread,
                    spawn,
                    mark,
                    Optional.of("p" + id.pid()),
                    orphaned,
                    firstLook,
                    gone);
        }
    }

    static Given process(long pid, long start) {
        return new Given(pid, start);
    }

    /** An attributor that knows these scopes and these processes, and no thread that works for several tests. */
    static Attributor attributor(List<Scope> scopes, ProcessRecord... records) {
        return attributor(scopes, false, records);
    }

    /** The same; {@code shared} says whether some pool thread may have started whatever is in doubt. */
    static Attributor attributor(List<Scope> scopes, boolean shared, ProcessRecord... records) {
        List<ProcessRecord> known = new ArrayList<>(List.of(records));
        return new Attributor(
                scopes,
                id -> known.stream().filter(record -> record.id().equals(id)).findFirst(),
                pid -> known.stream().filter(record -> record.id().pid() == pid).toList(),
                (process, marked) -> shared);
    }
}
