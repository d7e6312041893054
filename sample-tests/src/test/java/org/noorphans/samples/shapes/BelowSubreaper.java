/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The test JVM of the rows S05 b: verifies some rows of the table and ends with the number of those that went wrong. */
public final class BelowSubreaper {
    private static final Duration DEADLINE = Duration.ofSeconds(100);

    private BelowSubreaper() {}

    /** Takes the directory to publish in, and whether this JVM is to be a subreaper too: {@code on} or {@code off}. */
    public static void main(String[] arguments) throws IOException {
        haltAtTheDeadline();
        int wrong = 0;
        for (LeakShape shape : LeakShapes.belowSubreaper().toList()) {
            Path out = Files.createDirectory(Path.of(arguments[0], shape.name().replace(' ', '-')));
            try {
                shape.verify(out, Map.of("noorphans.subreaper", arguments[1]));
            } catch (RuntimeException | AssertionError e) {
                wrong++;
                System.err.println(shape);
                e.printStackTrace();
            }
        }
        System.exit(wrong);
    }

    private static void haltAtTheDeadline() {
        Thread thread = new Thread(
                () -> {
                    try {
                        Thread.sleep(DEADLINE.toMillis());
                    } catch (InterruptedException e) {
                        // Nobody interrupts it; if somebody does, the deadline is now.
                    }
                    Runtime.getRuntime().halt(99);
                },
                "deadline");
        thread.setDaemon(true);
        thread.start();
    }
}
