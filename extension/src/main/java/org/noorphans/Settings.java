/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

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

    /**
     * The settings of the context's method, or of its class if it has none.
     *
     * @param builder what was said in code; beaten by annotations, beats configuration parameters
     */
    static Settings of(ExtensionContext context, Said builder) {
        List<Said> places = new ArrayList<>();
        context.getTestMethod().flatMap(Said::on).ifPresent(places::add);
        for (@Nullable Class<?> type = context.getTestClass().orElse(null);
                type != null;
                type = type.getEnclosingClass()) {
            Said.on(type).ifPresent(places::add);
        }
        places.add(builder);
        Policy policy = DEFAULT.policy();
        return new Settings(
                first(places, Said::scope)
                        .or(() -> parameter(context, ParameterName.SCOPE, parser(NoOrphanedProcesses.Scope.class)))
                        .orElse(DEFAULT.scope()),
                new Policy(
                        first(places, Said::settle)
                                .or(() -> parameter(context, ParameterName.SETTLE, DurationText::parse))
                                .orElse(policy.settle()),
                        first(places, Said::grace)
                                .or(() -> parameter(context, ParameterName.GRACE, DurationText::parse))
                                .orElse(policy.grace()),
                        first(places, Said::kill)
                                .or(() -> parameter(context, ParameterName.KILL, Settings::parseBoolean))
                                .orElse(policy.kill()),
                        first(places, Said::action)
                                .or(() -> parameter(
                                        context, ParameterName.ACTION, parser(NoOrphanedProcesses.Action.class)))
                                .map(action -> action == NoOrphanedProcesses.Action.FAIL)
                                .orElse(policy.failing())));
    }

    /** Checks what is said on the methods of a class, so that a wrong value stops the class before any of them runs. */
    static void checkMethods(Class<?> testClass) {
        ReflectionSupport.findMethods(
                        testClass,
                        method -> AnnotationSupport.isAnnotated(method, NoOrphanedProcesses.class),
                        HierarchyTraversalMode.TOP_DOWN)
                .forEach(Said::on);
    }

    private static <T> Optional<T> first(List<Said> places, Function<Said, Optional<T>> attribute) {
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
}
