/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario file that cannot be used, with everything that is wrong with it. */
public final class ScenarioFileException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /**
     * Problems of one file.
     *
     * @param file its name, for messages
     */
    public ScenarioFileException(String file, List<Problem> problems) {
        super(problems.stream()
                .map(problem -> file + ":" + problem.line() + ":" + problem.column() + ": " + problem.message())
                .collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All that is wrong, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }

    /**
     * One thing that is wrong.
     *
     * @param line where, from 1
     * @param column where, from 1
     * @param message what, and what would be right
     */
    public record Problem(int line, int column, String message) {}
}
