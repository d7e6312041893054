/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.shapes;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.EventType;
import org.noorphans.model.OrphanedProcessesError;

/**
 * One run of fixture classes through the JUnit Platform: which elements did not succeed, and what they published.
 *
 * @param processes what the fixtures started
 * @param parameters the configuration parameters of the run
 * @param unsuccessful the tests and containers that failed, were aborted or were skipped, in the order of their end
 * @param succeeded the tests that succeeded, in the order of their end
 * @param entries the values of published report entries with the key {@code noorphans}
 */
public record FixtureRun(
        SampleProcesses processes,
        Map<String, String> parameters,
        List<Ending> unsuccessful,
        List<String> succeeded,
        List<String> entries)
        implements AutoCloseable {

    /**
     * How a test or container ended.
     *
     * @param element the simple name of a class, the name of a method, or that and {@code #n} for its n-th invocation
     */
    public record Ending(String element, String status, Optional<Throwable> throwable) {
        /** The error that the extension threw: as the failure itself, or suppressed under it. */
        public Optional<OrphanedProcessesError> leak() {
            return throwable.stream()
                    .flatMap(t -> Stream.concat(Stream.of(t), Stream.of(t.getSuppressed())))
                    .filter(OrphanedProcessesError.class::isInstance)
                    .map(OrphanedProcessesError.class::cast)
                    .findFirst();
        }

        /** The failure that is not the extension's; empty if there is none. */
        public Optional<Throwable> ownFailure() {
            return throwable.filter(t -> !(t instanceof OrphanedProcessesError));
        }

        @Override
        public String toString() {
            return element + " " + status + throwable.map(t -> ": " + t).orElse("");
        }
    }

    /**
     * Runs fixture classes one after the other.
     *
     * @param out an empty directory
     * @param parameters configuration parameters of the run
     * @param before what is to be started before the run begins
     */
    public static FixtureRun of(
            Path out, List<Class<?>> fixtures, Map<String, String> parameters, Consumer<SampleProcesses> before) {
        SampleProcesses processes = SampleProcesses.in(out);
        try {
            before.accept(processes);
            EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                    .configurationParameters(parameters)
                    .configurationParameter(SampleProcesses.PARAMETER, out.toString())
                    .selectors(fixtures.stream().map(type -> selectClass(type)).toArray(DiscoverySelector[]::new))
                    .execute();
            return of(processes, parameters, results);
        } catch (RuntimeException | Error e) {
            processes.close();
            throw e;
        }
    }

    private static FixtureRun of(
            SampleProcesses processes, Map<String, String> parameters, EngineExecutionResults results) {
        List<Ending> unsuccessful = new ArrayList<>();
        List<String> succeeded = new ArrayList<>();
        for (Event event : results.allEvents().list()) {
            TestDescriptor descriptor = event.getTestDescriptor();
            if (event.getType() == EventType.SKIPPED) {
                unsuccessful.add(new Ending(nameOf(descriptor), "SKIPPED", Optional.empty()));
            } else if (event.getType() == EventType.FINISHED) {
                TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    unsuccessful.add(
                            new Ending(nameOf(descriptor), result.getStatus().name(), result.getThrowable()));
                } else if (descriptor.isTest()) {
                    succeeded.add(nameOf(descriptor));
                }
            }
        }
        List<String> entries = results.allEvents()
                .reportingEntryPublished()
                .map(event -> event.getRequiredPayload(ReportEntry.class))
                .map(entry -> entry.getKeyValuePairs().get("noorphans"))
                .filter(text -> text != null)
                .toList();
        return new FixtureRun(processes, parameters, List.copyOf(unsuccessful), List.copyOf(succeeded), entries);
    }

    private static String nameOf(TestDescriptor descriptor) {
        UniqueId.Segment last = descriptor.getUniqueId().getLastSegment();
        String invocation = last.getValue().startsWith("#") ? " " + last.getValue() : "";
        return descriptor
                .getSource()
                .map(source -> {
                    if (source instanceof MethodSource method) {
                        return method.getMethodName() + invocation;
                    }
                    return source instanceof ClassSource type
                            ? type.getJavaClass().getSimpleName()
                            : last.toString();
                })
                .orElse(last.getValue());
    }

    /** Whether the JVM adopts its orphans; if not, the reports say less of the first process of a chain. */
    boolean isSubreaper() {
        return !"off".equals(parameters.get("noorphans.subreaper"));
    }

    /** Ends what is left. */
    @Override
    public void close() {
        processes.close();
    }
}
