/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;

/** What one place, an annotation or a builder, says of the settings; what it does not say is empty. Checked. */
record Said(
        Optional<NoOrphanedProcesses.Scope> scope,
        Optional<NoOrphanedProcesses.Action> action,
        Optional<Duration> settle,
        Optional<Duration> grace,
        Optional<Boolean> kill) {

    static final Said NOTHING =
            new Said(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * What the annotation on a class or method says; empty if it has none.
     *
     * @throws ExtensionConfigurationException that names the place, the attribute and the value, if one is wrong
     */
    static Optional<Said> on(AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(element, NoOrphanedProcesses.class)
                .map(annotation -> new Reading(annotation, describe(element)).all());
    }

    private static String describe(AnnotatedElement element) {
        return element instanceof Method method
                ? "method " + method.getDeclaringClass().getName() + "." + method.getName()
                : "class " + ((Class<?>) element).getName();
    }

    /** One annotation, and where it stands. */
    private record Reading(NoOrphanedProcesses annotation, String where) {
        Said all() {
            List<Boolean> kill = new ArrayList<>();
            for (boolean value : annotation.kill()) {
                kill.add(value);
            }
            return new Said(
                    single("scope", Arrays.asList(annotation.scope())),
                    single("action", Arrays.asList(annotation.action())),
                    duration("settle", annotation.settle()),
                    duration("grace", annotation.grace()),
                    single("kill", kill));
        }

        private Optional<Duration> duration(String attribute, String text) {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(DurationText.parse(text));
            } catch (IllegalArgumentException e) {
                throw wrong(attribute, "\"" + text + "\"", e.getMessage(), e);
            }
        }

        private <T> Optional<T> single(String attribute, List<T> values) {
            if (values.size() > 1) {
                throw wrong(attribute, values.toString(), "give one value", null);
            }
            return values.stream().findFirst();
        }

        private ExtensionConfigurationException wrong(
                String attribute, String value, @Nullable String advice, @Nullable Exception cause) {
            return new ExtensionConfigurationException(
                    "@NoOrphanedProcesses(" + attribute + " = " + value + ") on " + where + ": " + advice, cause);
        }
    }
}
