/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.report.LeakText;
import org.noorphans.internal.watch.OrphanWatch;
import org.noorphans.model.LeakReport;
import org.noorphans.model.OrphanedProcessesError;

/** A scope in the store of its context. JUnit closes it after everything that was put there later. */
// JUnit up to 5.12 closes only what is a CloseableResource, later versions prefer AutoCloseable and deprecate the
// other.
@SuppressWarnings("deprecation")
final class GuardedScope implements ExtensionContext.Store.CloseableResource, AutoCloseable {
    private static final Logger LOG = System.getLogger("org.noorphans");

    private final OrphanWatch watch;
    private final Policy policy;
    private final ExtensionContext context;

    GuardedScope(OrphanWatch watch, Policy policy, ExtensionContext context) {
        this.watch = watch;
        this.policy = policy;
        this.context = context;
    }

    OrphanWatch watch() {
        return watch;
    }

    /** Whether it is the scope of this context and not one of a context around it. */
    boolean belongsTo(ExtensionContext other) {
        return switch (watch.id().kind()) {
            case TEST -> other.getTestMethod().isPresent();
            case CLASS ->
                other.getTestMethod().isEmpty() && other.getTestClass().equals(context.getTestClass());
            case RUN -> other.getTestClass().isEmpty();
        };
    }

    void endIfClean() {
        watch.endIfClean();
    }

    @Override
    public void close() {
        LeakReport report = watch.end(policy);
        if (report.isClean()) {
            return;
        }
        String text = LeakText.of(report);
        if (policy.failing()) {
            throw new OrphanedProcessesError(report, text);
        }
        LOG.log(Level.WARNING, text);
        context.publishReportEntry("noorphans", text);
    }
}
