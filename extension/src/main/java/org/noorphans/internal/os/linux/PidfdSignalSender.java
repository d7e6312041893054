/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.util.Optional;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.terminate.GroupTarget;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Sends a signal to one exact process, or to a verified group.
 *
 * <p>A pidfd is opened first, then the identity of the process that has the number is compared, then the signal goes through
 * the pidfd. If the number passes on after the opening, the pidfd still means the old process, and the signal fails with
 * ESRCH; if it had passed on before, the comparison shows it. Kernels before 5.3 have no pidfd: there the comparison comes
 * right before kill(2), and a process that dies in between, and whose number is given away at once, hands the signal to the
 * new owner.
 */
final class PidfdSignalSender implements SignalSender {
    private final ProcessTableReader reader;
    private final boolean pidfd;
    private final boolean groupsByPidfd;

    PidfdSignalSender(ProcessTableReader reader, boolean usePidfd) {
        this.reader = reader;
        this.pidfd = usePidfd && hasPidfd();
        this.groupsByPidfd = pidfd && hasGroupsByPidfd();
    }

    private boolean hasPidfd() {
        int fd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, reader.self().pid(), 0, 0, 0);
        if (fd < 0) {
            return false; // ENOSYS on an old kernel, EPERM under a seccomp filter
        }
        LibC.close(fd);
        return true;
    }

    /** Asks with signal 0, which is delivered to nobody: EINVAL if the kernel does not know the flag, before Linux 6.9. */
    private boolean hasGroupsByPidfd() {
        int fd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, reader.self().pid(), 0, 0, 0);
        if (fd < 0) {
            return false;
        }
        try {
            long result = LibC.syscall(LibC.SYS_PIDFD_SEND_SIGNAL, fd, 0, 0, LibC.PIDFD_SIGNAL_PROCESS_GROUP);
            return result == 0 || ProcFile.lastError() != LibC.EINVAL;
        } finally {
            LibC.close(fd);
        }
    }

    @Override
    public Delivery send(ProcessId target, Signal signal) {
        if (target.pid() < 2
                || target.pid() > Integer.MAX_VALUE
                || target.pid() == reader.self().pid()) {
            throw new IllegalArgumentException("refusing to send " + signal + " to " + target
                    + ": a target must be another process than this JVM and process 1");
        }
        return pidfd ? sendThroughPidfd(target, signal) : sendByNumber(target, signal);
    }

    private Delivery sendThroughPidfd(ProcessId target, Signal signal) {
        int fd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, target.pid(), 0, 0, 0);
        if (fd < 0) {
            // EINVAL, since Linux 6.16 ENOENT: the number names a thread by now. EINVAL also: the process is just being
            // taken off the table.
            return answer("pidfd_open", target, signal, ProcFile.lastError());
        }
        try {
            Optional<Delivery> other = whyNot(target);
            if (other.isPresent()) {
                return other.get();
            }
            long result = LibC.syscall(LibC.SYS_PIDFD_SEND_SIGNAL, fd, signal.linuxNumber(), 0, 0);
            return result == 0 ? Delivery.DELIVERED : answer("pidfd_send_signal", target, signal, ProcFile.lastError());
        } finally {
            LibC.close(fd);
        }
    }

    private Delivery sendByNumber(ProcessId target, Signal signal) {
        Optional<Delivery> other = whyNot(target);
        if (other.isPresent()) {
            return other.get();
        }
        return LibC.kill((int) target.pid(), signal.linuxNumber()) == 0
                ? Delivery.DELIVERED
                : answer("kill", target, signal, ProcFile.lastError());
    }

    /*
     * Four cases, safest first.
     * The leader is a verified member and there, dead or alive: its pidfd means the group too, whoever has the number later
     * (PIDFD_SIGNAL_PROCESS_GROUP, pidfd_send_signal(2), Linux 6.9).
     * An older kernel: the comparison comes right before kill(2). The leader's row was read just before; a gap of microseconds
     * is left, in which the leader would have to end, be collected, and its number be handed to the leader of a new group.
     * The leader is gone: no pidfd means the group, so each verified member gets the signal through its own.
     * No pidfd at all: kill(2), right after one member was found unchanged.
     */
    @Override
    public Delivery send(GroupTarget target, Signal signal) {
        long own = reader.row(reader.self().pid())
                .flatMap(row -> row.groupId().stream().boxed().findFirst())
                .orElseThrow(() -> new IllegalStateException("the group of this JVM is unknown"));
        if (target.groupId() == own) {
            throw new IllegalArgumentException(
                    "refusing to send " + signal + " to group " + own + ": it is the group of this JVM");
        }
        Optional<ProcessId> leader = target.members().stream()
                .filter(member -> member.pid() == target.groupId())
                .findFirst();
        if (pidfd && leader.isPresent()) {
            Optional<Delivery> delivery = sendThroughLeader(leader.get(), target, signal);
            if (delivery.isPresent()) {
                return delivery.get();
            }
        }
        return pidfd ? SignalSender.super.send(target, signal) : sendByGroupNumber(target, signal);
    }

    /** Empty if the leader has gone. */
    private Optional<Delivery> sendThroughLeader(ProcessId leader, GroupTarget target, Signal signal) {
        int fd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, leader.pid(), 0, 0, 0);
        if (fd < 0) {
            Delivery why = answer("pidfd_open", leader, signal, ProcFile.lastError());
            return why == Delivery.GONE ? Optional.empty() : Optional.of(why);
        }
        try {
            if (!isMember(leader, target.groupId())) {
                return Optional.empty();
            }
            if (!groupsByPidfd) {
                return Optional.of(kill(target, signal));
            }
            long result = LibC.syscall(
                    LibC.SYS_PIDFD_SEND_SIGNAL, fd, signal.linuxNumber(), 0, LibC.PIDFD_SIGNAL_PROCESS_GROUP);
            return Optional.of(
                    result == 0
                            ? Delivery.DELIVERED
                            : answer("pidfd_send_signal", leader, signal, ProcFile.lastError()));
        } finally {
            LibC.close(fd);
        }
    }

    private Delivery sendByGroupNumber(GroupTarget target, Signal signal) {
        for (ProcessId member : target.members()) {
            if (isMember(member, target.groupId())) {
                return kill(target, signal);
            }
        }
        return Delivery.GONE;
    }

    private boolean isMember(ProcessId id, long groupId) {
        return reader.row(id.pid())
                .filter(row -> row.id().equals(id) && row.groupId().orElse(0) == groupId)
                .isPresent();
    }

    private static Delivery kill(GroupTarget target, Signal signal) {
        // At most -2: the target cannot name less than 2.
        return LibC.kill(-Math.toIntExact(target.groupId()), signal.linuxNumber()) == 0
                ? Delivery.DELIVERED
                : answer("kill", target.members().get(0), signal, ProcFile.lastError());
    }

    private Optional<Delivery> whyNot(ProcessId target) {
        Optional<ProcessRow> row = reader.row(target.pid());
        if (row.isEmpty()) {
            return Optional.of(Delivery.GONE);
        }
        return row.get().id().equals(target) ? Optional.empty() : Optional.of(Delivery.NOT_THE_SAME_PROCESS);
    }

    private static Delivery answer(String call, ProcessId target, Signal signal, int errno) {
        return switch (errno) {
            case LibC.ESRCH, LibC.EINVAL, LibC.ENOENT -> Delivery.GONE;
            case LibC.EPERM -> Delivery.NOT_PERMITTED;
            default ->
                throw new IllegalStateException(call + " for " + signal + " to " + target + " failed: errno " + errno);
        };
    }
}
