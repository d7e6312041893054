/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.noorphans.fakecli.internal.proc.ProcTable;
import org.noorphans.fakecli.internal.sh.ByteText;
import org.noorphans.fakecli.internal.sh.ShellCompiler;
import org.noorphans.fakecli.internal.sh.ShellPlan;
import org.noorphans.fakecli.internal.sh.ShellText;
import org.noorphans.fakecli.model.FakeCliInstallException;
import org.noorphans.fakecli.model.Scenario;

/** Writes a compiled scenario to the machine, completely or not at all. */
public final class Installer {
    /** Record directories made in advance, so that usual numbers of calls need no mkdir. */
    private static final int PREPARED_RECORDS = 32;

    /** What the kernel reads of a first line, less the two characters before the path and its end (Linux before 5.1). */
    private static final int LONGEST_SHELL_PATH = 124;

    private static final long CHILD_SECONDS = 10;

    private static final int NOT_CREATED = 3;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final HostTools tools;

    private Installer(HostTools tools) {
        this.tools = tools;
    }

    /** An installer that uses these programs. */
    public static Installer on(HostTools tools) {
        return new Installer(tools);
    }

    /**
     * Installs a scenario as an executable.
     *
     * @throws FakeCliInstallException if that cannot be done; nothing is left then
     */
    public Installation install(Scenario scenario, Path directory) {
        return install(scenario, directory, Owner.thisJvm(), Optional.empty());
    }

    /**
     * Installs a scenario that outlives this JVM. Its data directory, {@link Installed#dataOf}, lies beside it.
     *
     * @param life how long each call may live
     * @return the executable
     * @throws FakeCliInstallException if that cannot be done; nothing is left then
     */
    public Path installForGood(Scenario scenario, Path directory, Duration life) {
        Path executable = checkedTarget(scenario.name(), directory);
        return install(scenario, directory, new Owner.Nobody(life), Optional.of(Installed.dataOf(executable)))
                .executable();
    }

    private Installation install(Scenario scenario, Path directory, Owner owner, Optional<Path> wanted) {
        Path executable = checkedTarget(scenario.name(), directory);
        checkShell();
        if (!ProcTable.exists()) {
            throw new FakeCliInstallException("fakes read /proc/PID/stat, which this system ("
                    + System.getProperty("os.name") + ") does not offer; run on Linux with /proc mounted");
        }
        ShellPlan plan = ShellCompiler.compile(scenario);
        Map<String, String> replays = replays(plan);
        String host = tools.hostFile(plan.tools(), owner, !plan.gates().isEmpty());

        Map<String, GateFile> gates = new LinkedHashMap<>();
        Path data = wanted.isPresent() ? createData(wanted.get()) : newDataDirectory();
        boolean done = false;
        try {
            writePlan(plan, host, data);
            for (Map.Entry<String, String> replay : replays.entrySet()) {
                Files.writeString(data.resolve(replay.getKey()), replay.getValue());
            }
            if (owner instanceof Owner.Nobody) {
                Files.writeString(
                        data.resolve(Installed.GATES),
                        String.join("\n", plan.gates().keySet()));
            } else {
                makeGates(plan, data, gates);
            }
            writeExecutable(executable, data);
            done = true;
            return new Installation(executable, data, gates);
        } catch (IOException e) {
            throw new FakeCliInstallException("cannot write the plan of " + executable + " into " + data, e);
        } finally {
            if (!done) {
                gates.values().forEach(GateFile::close);
                Installation.deleteTree(data);
            }
        }
    }

    private static Map<String, String> replays(ShellPlan plan) {
        Map<String, String> texts = new LinkedHashMap<>();
        plan.replays().forEach((source, target) -> {
            try {
                texts.put(target, ByteText.print(Files.readAllBytes(Path.of(source))));
            } catch (IOException | InvalidPathException e) {
                throw new FakeCliInstallException("cannot read the recording " + source + " of a replay step: " + e, e);
            }
        });
        return texts;
    }

    private static Path checkedTarget(String name, Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new FakeCliInstallException(
                    "cannot install " + name + " in " + directory + ": it is not a directory; create it first");
        }
        if (!Files.isWritable(directory)) {
            throw new FakeCliInstallException(
                    "cannot install " + name + " in " + directory + ": it is not writable; choose another directory");
        }
        Path executable = directory.toAbsolutePath().normalize().resolve(name);
        if (Files.exists(executable, LinkOption.NOFOLLOW_LINKS)) {
            throw taken(executable);
        }
        return executable;
    }

    private static FakeCliInstallException taken(Path executable) {
        return new FakeCliInstallException("cannot install " + executable
                + ": the name is taken; close the other fake, or choose another name or directory");
    }

    private void checkShell() {
        Path shell = tools.shell();
        String text = shell.toString();
        if (!shell.isAbsolute() || !Files.isExecutable(shell)) {
            throw new FakeCliInstallException(
                    "the shell " + shell + " cannot be used: give the absolute path of an executable, such as /bin/sh");
        }
        if (text.length() > LONGEST_SHELL_PATH || text.chars().anyMatch(Character::isWhitespace)) {
            throw new FakeCliInstallException("the shell " + shell + " cannot be used: a first line #!… takes at most "
                    + LONGEST_SHELL_PATH + " characters without blanks; link to it from a shorter path");
        }
    }

    private static Path createData(Path data) {
        try {
            return Files.createDirectory(data, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            throw new FakeCliInstallException(
                    "cannot create " + data
                            + ": it is there already, left by a fake that was deleted by hand; delete it",
                    e);
        } catch (IOException e) {
            throw new FakeCliInstallException("cannot create " + data + ": " + e, e);
        }
    }

    private static Path newDataDirectory() {
        try {
            return Files.createTempDirectory("fakecli-").toRealPath();
        } catch (IOException e) {
            throw new FakeCliInstallException(
                    "cannot create a directory for the plan in " + System.getProperty("java.io.tmpdir")
                            + "; set java.io.tmpdir to a writable directory",
                    e);
        }
    }

    /** These files are only ever read, so this JVM may write them. */
    private static void writePlan(ShellPlan plan, String host, Path data) throws IOException {
        for (String directory : List.of("plan", "claims", "gates", "inv")) {
            Files.createDirectory(data.resolve(directory));
        }
        for (int i = 0; i < PREPARED_RECORDS; i++) {
            Files.createDirectory(data.resolve("inv").resolve(Integer.toString(i)));
        }
        Files.writeString(data.resolve("plan/host.sh"), host);
        for (Map.Entry<String, String> file : plan.files().entrySet()) {
            Files.writeString(data.resolve(file.getKey()), file.getValue());
        }
    }

    private void makeGates(ShellPlan plan, Path data, Map<String, GateFile> gates) throws IOException {
        if (plan.gates().isEmpty()) {
            return;
        }
        String first = plan.gates().values().iterator().next();
        List<String> command = new ArrayList<>();
        command.add(tools.require("mkfifo", first).toString());
        command.add("-m");
        command.add("600");
        for (String name : plan.gates().keySet()) {
            command.add(data.resolve("gates").resolve(name).toString());
        }
        Result result = run(command);
        if (result.code != 0) {
            throw new FakeCliInstallException("cannot make FIFOs in " + data + ", needed for " + first + ": "
                    + result.output.strip() + "; set java.io.tmpdir to a directory where mkfifo works");
        }
        for (String name : plan.gates().keySet()) {
            gates.put(name, GateFile.hold(data.resolve("gates").resolve(name)));
        }
    }

    /**
     * Has a child shell write the executable. If this JVM wrote it, a process that another thread starts at that moment
     * would inherit the open file for an instant, and starting the fake would now and then fail with ETXTBSY, also if
     * it had been written under another name and renamed.
     *
     * <p>Its text is short and neutral, since some callers look into the executable to find out what it is.
     */
    private void writeExecutable(Path executable, Path data) throws IOException {
        String text = "#!" + tools.shell() + "\nfc_data=" + ShellText.quote(data.toString())
                + "\n. \"$fc_data/plan/main.sh\"\n";
        // Created first, with O_EXCL, so that it is known whether a failure leaves something of ours.
        String script = "set -C; { printf '' > \"$1\"; } || exit " + NOT_CREATED
                + "; set +C; printf '%s' \"$2\" > \"$1\" && \"$3\" 755 \"$1\" || exit 4";
        Result result = run(List.of(
                tools.shell().toString(),
                "-c",
                script,
                "sh",
                executable.toString(),
                text,
                tools.require("chmod", "every fake").toString()));
        if (result.code == NOT_CREATED) {
            if (Files.exists(executable, LinkOption.NOFOLLOW_LINKS)) {
                throw taken(executable);
            }
            throw new FakeCliInstallException(
                    "cannot create " + executable + ": " + result.output.strip() + "; choose another directory");
        }
        if (result.code != 0) {
            Files.deleteIfExists(executable);
            throw new FakeCliInstallException("cannot write " + executable + ": " + result.output.strip());
        }
        if (!Files.isExecutable(executable)) {
            Files.deleteIfExists(executable);
            throw new FakeCliInstallException("cannot install " + executable
                    + ": its file system does not let programs start (noexec); choose another directory");
        }
    }

    private static Result run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(CHILD_SECONDS, TimeUnit.SECONDS)) {
                throw new FakeCliInstallException(command.get(0) + " did not end within " + CHILD_SECONDS + " s");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.exitValue(), output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FakeCliInstallException("interrupted while waiting for " + command.get(0), e);
        } finally {
            process.destroyForcibly();
        }
    }

    private record Result(int code, String output) {}
}
