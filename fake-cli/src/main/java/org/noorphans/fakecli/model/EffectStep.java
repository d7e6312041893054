/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.time.Duration;
import java.util.List;
import org.noorphans.fakecli.internal.check.Texts;
import org.noorphans.fakecli.internal.check.Times;

/** What a fake does to files, and programs that it runs. A failure ends the fake with 98 and a flag. */
public sealed interface EffectStep extends Step {
    /**
     * Writes a file anew.
     *
     * @param path where; a relative path begins at the fake's working directory; may contain variables
     * @param text all that it is to contain
     */
    record Write(String path, String text) implements EffectStep {
        public Write {
            checkPath(path);
            Texts.check("file", text);
        }
    }

    /**
     * Adds to the end of a file, which is created if it is missing.
     *
     * @param path where
     * @param text what is added
     */
    record Append(String path, String text) implements EffectStep {
        public Append {
            checkPath(path);
            Texts.check("file", text);
        }
    }

    /**
     * Deletes a file; that it is missing is no failure.
     *
     * @param path which
     */
    record Delete(String path) implements EffectStep {
        public Delete {
            checkPath(path);
        }
    }

    /**
     * Runs a program and waits for it. It has the fake's working directory, environment and output, and nothing to
     * read. Its exit code is an event in the journal, {@code run PROGRAM CODE}, and has no other effect.
     *
     * @param argv the program, looked for as the shell does, and its arguments; may contain variables
     * @param life when it is killed; more than zero, ten minutes at most
     */
    record Run(List<String> argv, Duration life) implements EffectStep {
        /** How long a program may run of which nothing is said. */
        public static final Duration DEFAULT_LIFE = Duration.ofMinutes(1);

        public Run {
            argv = List.copyOf(argv);
            if (argv.isEmpty() || argv.get(0).isEmpty()) {
                throw new IllegalArgumentException("run needs a program, but was given none");
            }
            argv.forEach(word -> Texts.check("run", word));
            Times.check("run, life", life, Duration.ofMillis(1));
        }
    }

    private static void checkPath(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("file needs a path, but was given none");
        }
        Texts.check("file", path);
    }
}
