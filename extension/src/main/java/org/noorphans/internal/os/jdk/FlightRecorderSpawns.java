/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.os.jdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.noorphans.internal.observe.SpawnRecord;
import org.noorphans.internal.observe.SpawnRecords;

/**
 * Keeps the event {@code jdk.ProcessStart} (JDK 17 and later) in a recording of its own, in memory, with this one event only.
 * It is dumped and parsed when a leak is to be explained. A recording of the user goes on undisturbed; settings of several
 * recordings add up.
 */
public final class FlightRecorderSpawns implements SpawnRecords {
    private static final String EVENT = "jdk.ProcessStart";
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private final Recording recording;
    private @Nullable String trouble;

    private FlightRecorderSpawns(Recording recording) {
        this.recording = recording;
    }

    /** Starts recording; where that is not possible, the records say why. */
    public static SpawnRecords start() {
        try {
            if (!FlightRecorder.isAvailable()) {
                return SpawnRecords.none("this JVM has no flight recorder");
            }
            Recording recording = new Recording();
            recording.setName("NoOrphans");
            recording.setToDisk(false);
            recording.setMaxSize(MAX_BYTES);
            recording.enable(EVENT).withStackTrace();
            recording.start();
            return new FlightRecorderSpawns(recording);
        } catch (LinkageError e) {
            return SpawnRecords.none("the module jdk.jfr is not in this Java run time");
        } catch (RuntimeException e) {
            return SpawnRecords.none("the flight recorder refused: " + e.getMessage());
        }
    }

    @Override
    public synchronized Optional<String> missingBecause() {
        return Optional.ofNullable(trouble);
    }

    @Override
    public synchronized List<SpawnRecord> read() {
        try {
            Path file = Files.createTempFile("noorphans-", ".jfr");
            try {
                recording.dump(file);
                return parse(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException | RuntimeException e) {
            trouble = "the flight recording cannot be read: " + e;
            return List.of();
        }
    }

    private static List<SpawnRecord> parse(Path file) throws IOException {
        List<SpawnRecord> records = new ArrayList<>();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                if (event.getEventType().getName().equals(EVENT)) {
                    records.add(toRecord(event));
                }
            }
        }
        records.sort(Comparator.comparing(SpawnRecord::at));
        return records;
    }

    private static SpawnRecord toRecord(RecordedEvent event) {
        @Nullable RecordedThread thread = event.getThread();
        @Nullable String name = thread == null ? null : thread.getJavaName();
        // RecordedThread.isVirtual came with JDK 21; a virtual thread has no number of its own in any version.
        boolean virtual = thread != null && thread.getOSThreadId() <= 0;
        return new SpawnRecord(
                event.getLong("pid"),
                event.getStartTime(),
                name == null ? "" : name,
                thread == null || virtual ? OptionalLong.empty() : OptionalLong.of(thread.getOSThreadId()),
                virtual,
                event.getStackTrace() == null
                        ? List.of()
                        : event.getStackTrace().getFrames().stream()
                                .filter(RecordedFrame::isJavaFrame)
                                .map(FlightRecorderSpawns::toElement)
                                .toList());
    }

    private static StackTraceElement toElement(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String className = method.getType().getName();
        return new StackTraceElement(className, method.getName(), fileOf(className), frame.getLineNumber());
    }

    /** The recorder does not keep file names; by convention a top-level class lies in the file of its name. */
    private static String fileOf(String className) {
        String simple = className.substring(className.lastIndexOf('.') + 1);
        int inner = simple.indexOf('$');
        return (inner > 0 ? simple.substring(0, inner) : simple) + ".java";
    }
}
