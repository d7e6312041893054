/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.noorphans.fakecli.internal.sh.ShellText;
import org.noorphans.fakecli.internal.sh.Tool;
import org.noorphans.fakecli.model.FakeCliInstallException;

/**
 * The programs of this machine, found once and written down with absolute paths: the system under test may start fakes
 * without any PATH.
 *
 * @param shell the shell that runs the fakes
 * @param directories where to look for programs, in order
 */
public record HostTools(Path shell, List<Path> directories) {
    private static final String PERL_EXEC = "exec { $ARGV[0] } @ARGV; exit 127";
    private static final String PYTHON_EXEC = "os.execv(sys.argv[1], sys.argv[1:])";

    public HostTools {
        directories = List.copyOf(directories);
    }

    /**
     * {@code /bin/sh}; the system's directories before those of PATH, where version managers put wrapper scripts that
     * are slow and start processes of their own.
     */
    public static HostTools ofThisMachine() {
        Set<Path> directories =
                new LinkedHashSet<>(List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/local/bin")));
        String path = System.getenv("PATH");
        for (String each : path == null ? new String[0] : path.split(":", -1)) {
            if (each.startsWith("/")) {
                directories.add(Path.of(each));
            }
        }
        return new HostTools(Path.of("/bin/sh"), List.copyOf(directories));
    }

    /** The same with another shell. */
    public HostTools withShell(Path other) {
        return new HostTools(other, directories);
    }

    /**
     * The path of a program.
     *
     * @param why completes "… is needed for", for the message
     */
    Path require(String name, String why) {
        return find(name).orElseThrow(() -> missing(List.of(name), why));
    }

    /** The text of {@code host.sh} for a plan with these needs. */
    String hostFile(Map<Tool, String> needs, Owner owner, boolean waits) {
        StringBuilder text = new StringBuilder(owner.shell());
        text.append("fc_shell=").append(quoted(shell)).append('\n');
        text.append("fc_mkdir=").append(quoted(require("mkdir", "every fake"))).append('\n');
        String why = needs.get(Tool.SLEEP);
        if (why == null && waits && owner instanceof Owner.Nobody) {
            why = "waits of a fake without an owner";
        }
        if (why != null) {
            text.append("fc_sleep=").append(quoted(require("sleep", why))).append('\n');
        }
        why = needs.get(Tool.REMOVE);
        if (why != null) {
            text.append("fc_rm=").append(quoted(require("rm", why))).append('\n');
        }
        why = needs.get(Tool.JVM);
        if (why != null) {
            text.append(JvmEngine.shellText(why));
        }
        why = needs.get(Tool.NEW_GROUP);
        if (why != null) {
            // No setsid here: it makes a session too. Nor "set -m": without a terminal, dash makes no group then.
            text.append(function(
                    "fc_new_group", starter("setpgrp(0, 0)", "os.setpgid(0, 0)", List.of("perl", "python3"), why)));
        }
        why = needs.get(Tool.NEW_SESSION);
        if (why != null) {
            List<String> candidates = List.of("setsid", "perl", "python3");
            text.append(function(
                    "fc_new_session", starter("use POSIX (); POSIX::setsid()", "os.setsid()", candidates, why)));
        }
        return text.toString();
    }

    private String starter(String perl, String python, List<String> candidates, String why) {
        for (String name : candidates) {
            Optional<Path> found = find(name);
            if (found.isPresent()) {
                String program = quoted(found.get());
                return switch (name) {
                    case "perl" -> program + " -e " + ShellText.quote(perl + "; " + PERL_EXEC);
                    case "python3" ->
                        program + " -c " + ShellText.quote("import os, sys; " + python + "; " + PYTHON_EXEC);
                    default -> program;
                };
            }
        }
        throw missing(candidates, why);
    }

    private static String function(String name, String starter) {
        return name + "() { exec " + starter + " \"$@\"; }\n";
    }

    private Optional<Path> find(String name) {
        return directories.stream()
                .map(directory -> directory.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private FakeCliInstallException missing(List<String> names, String why) {
        List<String> looked = new ArrayList<>();
        directories.forEach(directory -> looked.add(directory.toString()));
        return new FakeCliInstallException(String.join(" or ", names) + " is needed for " + why
                + ", but was not found in " + (looked.isEmpty() ? "any directory" : String.join(", ", looked))
                + "; install " + (names.size() == 1 ? "it" : "one of them") + " or leave the step out");
    }

    private static String quoted(Path path) {
        return ShellText.quote(path.toString());
    }
}
