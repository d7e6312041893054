/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import java.util.Optional;
import org.noorphans.internal.observe.ProcessTableReader;
import org.noorphans.internal.terminate.Signal;
import org.noorphans.internal.terminate.SignalSender;
import org.noorphans.model.ProcessId;
import org.noorphans.model.ProcessRow;

/**
 * Sends a signal to one exact process.
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

    PidfdSignalSender(ProcessTableReader reader, boolean usePidfd) {
        this.reader = reader;
        this.pidfd = usePidfd && hasPidfd();
    }

    private boolean hasPidfd() {
        int fd = (int) LibC.syscall(LibC.SYS_PIDFD_OPEN, reader.self().pid(), 0, 0, 0);
        if (fd < 0) {
            return false; // ENOSYS on an old kernel, EPERM under a seccomp filter
        }
        LibC.close(fd);
        return true;
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
