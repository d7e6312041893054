/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The shells of this machine under which fakes are tried. */
final class Shells {
    private Shells() {}

    /** dash, bash, bash under the name sh (which makes it a POSIX shell), and BusyBox, as far as they are installed. */
    static Stream<Path> installed() {
        Stream.Builder<Path> shells = Stream.builder();
        find("dash").ifPresent(shells::add);
        find("bash").ifPresent(bash -> {
            shells.add(bash);
            shells.add(asSh(bash));
        });
        find("busybox").ifPresent(busybox -> shells.add(asSh(busybox)));
        return shells.build();
    }

    private static Optional<Path> find(String name) {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(":"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** One link for each shell and run of the tests, removed when their JVM ends. */
    private static Path asSh(Path shell) {
        try {
            Path directory = Files.createTempDirectory("as-sh-" + shell.getFileName());
            Path link = Files.createSymbolicLink(directory.resolve("sh"), shell);
            directory.toFile().deleteOnExit();
            link.toFile().deleteOnExit();
            return link;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
