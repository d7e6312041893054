/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.tree;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.noorphans.model.Termination;

/**
 * The owner of a tree refused something, or could not do it. The message names processes by number, group and start only:
 * names and arguments are chosen by the processes themselves and do not belong into a diagnostic.
 */
public final class OwnedTreeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** More would fill a log with one message. */
    private static final int NAMED = 16;

    private final TreeProblem problem;
    private final transient List<OwnedProcess> processes;
    private final transient List<Termination> terminations;

    OwnedTreeException(TreeProblem problem) {
        this(problem, List.of(), null);
    }

    OwnedTreeException(TreeProblem problem, List<OwnedProcess> processes) {
        this(problem, processes, null);
    }

    OwnedTreeException(TreeProblem problem, List<OwnedProcess> processes, @Nullable Throwable cause) {
        this(problem, "", processes, cause);
    }

    OwnedTreeException(TreeProblem problem, String detail, List<OwnedProcess> processes, @Nullable Throwable cause) {
        this(message(problem, detail, processes), problem, processes, List.of(), cause);
    }

    private OwnedTreeException(
            String message,
            TreeProblem problem,
            List<OwnedProcess> processes,
            List<Termination> terminations,
            @Nullable Throwable cause) {
        super(message, cause);
        this.problem = problem;
        this.processes = List.copyOf(processes);
        this.terminations = List.copyOf(terminations);
    }

    /** A failure whose detail names the processes already. */
    static OwnedTreeException about(
            TreeProblem problem,
            String detail,
            List<OwnedProcess> processes,
            List<Termination> terminations,
            Throwable cause) {
        return new OwnedTreeException(message(problem, detail, List.of()), problem, processes, terminations, cause);
    }

    private static String message(TreeProblem problem, String detail, List<OwnedProcess> processes) {
        StringBuilder message = new StringBuilder(problem.text());
        if (!detail.isEmpty()) {
            message.append(": ").append(detail);
        }
        if (!processes.isEmpty()) {
            message.append(": ")
                    .append(processes.stream()
                            .limit(NAMED)
                            .map(OwnedProcess::describe)
                            .collect(Collectors.joining("; ")));
        }
        if (processes.size() > NAMED) {
            message.append("; and ").append(processes.size() - NAMED).append(" more");
        }
        return message.toString();
    }

    /** What is wrong. */
    public TreeProblem problem() {
        return problem;
    }

    /** The processes that it is about, with number, group and start; empty if it is about none, or after deserialisation. */
    public List<OwnedProcess> processes() {
        return processes == null ? List.of() : processes;
    }

    /** What became of each process as far as a stop came; empty if this is no failed stop, or after deserialisation. */
    public List<Termination> terminations() {
        return terminations == null ? List.of() : terminations;
    }
}
