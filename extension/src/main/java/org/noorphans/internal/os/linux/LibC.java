/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the C library that the Linux adapters use, bound by JNA's direct mapping. Checked on x86-64 with glibc;
 * the numbers of aarch64 are from its kernel headers and were not run.
 *
 * <p>A C {@code long} is a Java {@code long} here: only 64-bit systems are served (LP64). {@link Native#getLastError()} must be read in the statement
 * after a call.
 */
final class LibC {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int ECHILD = 10;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;

    /** {@code PR_SET_CHILD_SUBREAPER}, linux/prctl.h. */
    static final int PR_SET_CHILD_SUBREAPER = 36;
    /** {@code P_ALL}, sys/wait.h. */
    static final int P_ALL = 0;
    /** {@code WNOHANG}, sys/wait.h. */
    static final int WNOHANG = 1;
    /** {@code WEXITED}, sys/wait.h. */
    static final int WEXITED = 4;
    /** {@code WNOWAIT}, sys/wait.h. */
    static final int WNOWAIT = 0x01000000;

    /** {@code CLOCK_BOOTTIME}, linux/time.h. */
    static final int CLOCK_BOOTTIME = 7;

    /** {@code _SC_CLK_TCK}, bits/confname.h. */
    static final int SC_CLK_TCK = 2;

    /** {@code O_RDONLY | O_CLOEXEC}, fcntl.h. */
    static final int O_RDONLY_CLOEXEC = 02000000;

    /** {@code IOPRIO_WHO_PROCESS}, linux/ioprio.h. */
    static final int IOPRIO_WHO_PROCESS = 1;

    /** {@code PIDFD_SIGNAL_PROCESS_GROUP}, linux/pidfd.h. */
    static final int PIDFD_SIGNAL_PROCESS_GROUP = 1 << 2;

    private static final boolean AARCH64 = "aarch64".equals(Platform.ARCH);
    /** {@code __NR_ioprio_set}, asm/unistd.h. */
    static final long SYS_IOPRIO_SET = AARCH64 ? 30 : 251;
    /** {@code __NR_ioprio_get}, asm/unistd.h. */
    static final long SYS_IOPRIO_GET = AARCH64 ? 31 : 252;
    /** {@code __NR_gettid}, asm/unistd.h. */
    static final long SYS_GETTID = AARCH64 ? 178 : 186;
    /** {@code __NR_pidfd_send_signal}, asm-generic/unistd.h. */
    static final long SYS_PIDFD_SEND_SIGNAL = 424;
    /** {@code __NR_pidfd_open}, asm-generic/unistd.h. */
    static final long SYS_PIDFD_OPEN = 434;

    static {
        Native.register(LibC.class, "c");
    }

    private LibC() {}

    /** {@code int prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5);} */
    static native int prctl(int option, long arg2, long arg3, long arg4, long arg5);

    /** {@code int waitid(idtype_t idtype, id_t id, siginfo_t *infop, int options);} with null as infop, wait(2). */
    static native int waitid(int idtype, int id, @Nullable Pointer infop, int options);

    /** {@code pid_t waitpid(pid_t pid, int *wstatus, int options);}. */
    static native int waitpid(int pid, @Nullable Pointer wstatus, int options);

    /** {@code int clock_gettime(clockid_t clockid, struct timespec *tp);}. */
    static native int clock_gettime(int clock, Pointer timespec);

    /** {@code long sysconf(int name);}. */
    static native long sysconf(int name);

    /** {@code pid_t getpid(void);}. */
    static native int getpid();

    /** {@code int kill(pid_t pid, int sig);}, only where the kernel has no pidfd for it. */
    static native int kill(int pid, int signal);

    /** {@code int open(const char *pathname, int flags);}. */
    static native int open(byte[] path, int flags);

    /** {@code ssize_t read(int fd, void *buf, size_t count);}. */
    static native long read(int fd, Pointer buffer, long count);

    /** {@code int close(int fd);}. */
    static native int close(int fd);

    /** {@code long syscall(long number, ...);}. */
    static native long syscall(long number, long a, long b, long c, long d);
}
