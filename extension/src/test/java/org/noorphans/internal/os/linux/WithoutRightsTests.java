/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.noorphans.NoOrphanedProcesses;
import org.noorphans.internal.fake.ProcFacts;
import org.noorphans.internal.fake.StartedProcesses;
import org.noorphans.model.ProcessId;

/** A JVM under a user without rights, with processes of root around it. */
@EnabledOnOs(OS.LINUX)
class WithoutRightsTests {
    private static final List<String> NOBODY =
            List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");

    @TempDir
    Path folder;

    @Test
    void a_scan_neither_fails_nor_reports_what_belongs_to_others() throws IOException {
        OtherJvm.assumeAllowed("another user", nobody(List.of("true")));
        OtherJvm.assumeAllowed(
                "this JDK for another user",
                nobody(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version")));
        boolean marks = new IoPriorityMarks().isSupported();
        try (StartedProcesses processes = new StartedProcesses()) {
            ProcessId bystander = processes.sleep();
            StringBuilder output = new StringBuilder();
            int exit = StartedProcesses.run(
                    output,
                    OtherJvm.DEADLINE,
                    nobody(OtherJvm.java(
                            readableClassPath(), WithoutRightsMain.class, String.valueOf(bystander.pid()))));
            assertThat(exit).as(output.toString()).isZero();
            assertThat(output.toString()).isEqualTo("""
                            mark supported: %s
                            mark inherited: %s
                            subreaper: true
                            sees the process of root: true
                            takes it for its own: false
                            TERM to it: NOT_PERMITTED
                            KILL to it by number: NOT_PERMITTED
                            leaks: 1
                            the leak is the child: true
                            it was ended: EXITED_ON_REQUEST
                            class clean: true
                            run clean: true
                            """.formatted(marks, marks));
            assertThat(ProcFacts.isAlive(bystander)).isTrue();
        }
    }

    private static List<String> nobody(List<String> command) {
        assumeThat(System.getProperty("user.name")).as("the tests run as root").isEqualTo("root");
        List<String> all = new ArrayList<>(NOBODY);
        all.addAll(command);
        return all;
    }

    /** Copies of what the other JVM needs: what lies in the home directory of root cannot be read by others. */
    private String readableClassPath() throws IOException {
        List<Path> copies = new ArrayList<>();
        for (Class<?> type : List.of(NoOrphanedProcesses.class, WithoutRightsMain.class, Native.class)) {
            Path from = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().getPath());
            Path to = folder.resolve(copies.size() + "-" + from.getFileName());
            copy(from, to);
            copies.add(to);
        }
        openToAll(folder);
        return copies.stream().map(Path::toString).collect(Collectors.joining(":"));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (from.equals(file) && !Files.isDirectory(file)) {
                    copy = to;
                }
                Files.copy(file, copy);
            }
        }
    }

    private static void openToAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
