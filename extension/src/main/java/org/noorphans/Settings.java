/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.noorphans.internal.judge.Policy;

/**
 * What holds for one test or class, from all the places where it can be said: method, class, enclosing classes, the builder,
 * configuration parameters, defaults. Everything is checked, used or not.
 *
 * @param scope what must be clean
 * @param policy what is allowed and done
 */
record Settings(NoOrphanedProcesses.Scope scope, Policy policy) {
    static final Settings DEFAULT = new Settings(NoOrphanedProcesses.Scope.TEST, Policy.DEFAULT);

    /** The settings of the context's method, or of its class if it has none. */
    static Settings of(ExtensionContext context, Settings defaults) {
        List<Place> places = new ArrayList<>();
        context.getTestMethod().flatMap(Place::of).ifPresent(places::add);
        for (@Nullable Class<?> type = context.getTestClass().orElse(null);
                type != null;
                type = type.getEnclosingClass()) {
            Place.of(type).ifPresent(places::add);
        }
        return from(places, context, defaults);
    }

    /** Checks what is said on the methods of a class, so that a wrong value stops the class before any of them runs. */
    static void checkMethods(ExtensionContext context, Settings defaults) {
        for (Method method : ReflectionSupport.findMethods(
                context.getRequiredTestClass(),
                method -> AnnotationSupport.isAnnotated(method, NoOrphanedProcesses.class),
                HierarchyTraversalMode.TOP_DOWN)) {
            from(Place.of(method).stream().toList(), context, defaults);
        }
    }

    private static Settings from(List<Place> places, ExtensionContext context, Settings defaults) {
        places.forEach(Place::check);
        Policy policy = defaults.policy();
        NoOrphanedProcesses.Action action =
                policy.failing() ? NoOrphanedProcesses.Action.FAIL : NoOrphanedProcesses.Action.WARN;
        return new Settings(
                first(places, Place::scope)
                        .or(() -> parameter(context, ParameterName.SCOPE, parser(NoOrphanedProcesses.Scope.class)))
                        .orElse(defaults.scope()),
                new Policy(
                        first(places, Place::settle)
                                .or(() -> parameter(context, ParameterName.SETTLE, DurationText::parse))
                                .orElse(policy.settle()),
                        first(places, Place::grace)
                                .or(() -> parameter(context, ParameterName.GRACE, DurationText::parse))
                                .orElse(policy.grace()),
                        first(places, Place::kill)
                                .or(() -> parameter(context, ParameterName.KILL, Settings::parseBoolean))
                                .orElse(policy.kill()),
                        first(places, Place::action)
                                        .or(() -> parameter(
                                                context,
                                                ParameterName.ACTION,
                                                parser(NoOrphanedProcesses.Action.class)))
                                        .orElse(action)
                                == NoOrphanedProcesses.Action.FAIL));
    }

    private static <T> Optional<T> first(List<Place> places, Function<Place, Optional<T>> attribute) {
        return places.stream().map(attribute).flatMap(Optional::stream).findFirst();
    }

    /** The value of a configuration parameter; an error names the parameter and the text. */
    static <T> Optional<T> parameter(ExtensionContext context, ParameterName name, Function<String, T> parse) {
        return context.getConfigurationParameter(name.key()).map(text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new ExtensionConfigurationException(
                        "Configuration parameter " + name.key() + " = \"" + text + "\": " + e.getMessage(), e);
            }
        });
    }

    static boolean parseBoolean(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("write true or false");
        };
    }

    static boolean parseSwitch(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "on", "true" -> true;
            case "off", "false" -> false;
            default -> throw new IllegalArgumentException("write on or off");
        };
    }

    private static <E extends Enum<E>> Function<String, E> parser(Class<E> type) {
        return text -> Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equalsIgnoreCase(text.trim()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("write "
                        + Arrays.stream(type.getEnumConstants())
                                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(" or "))));
    }

    /** One annotation and where it stands. */
    private record Place(NoOrphanedProcesses annotation, String where) {
        static Optional<Place> of(AnnotatedElement element) {
            return AnnotationSupport.findAnnotation(element, NoOrphanedProcesses.class)
                    .map(annotation -> new Place(annotation, describe(element)));
        }

        private static String describe(AnnotatedElement element) {
            return element instanceof Method method
                    ? "method " + method.getDeclaringClass().getName() + "." + method.getName()
                    : "class " + ((Class<?>) element).getName();
        }

        void check() {
            scope();
            action();
            settle();
            grace();
            kill();
        }

        Optional<NoOrphanedProcesses.Scope> scope() {
            return single("scope", Arrays.asList(annotation.scope()));
        }

        Optional<NoOrphanedProcesses.Action> action() {
            return single("action", Arrays.asList(annotation.action()));
        }

        Optional<Boolean> kill() {
            List<Boolean> values = new ArrayList<>();
            for (boolean value : annotation.kill()) {
                values.add(value);
            }
            return single("kill", values);
        }

        Optional<Duration> settle() {
            return duration("settle", annotation.settle());
        }

        Optional<Duration> grace() {
            return duration("grace", annotation.grace());
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
