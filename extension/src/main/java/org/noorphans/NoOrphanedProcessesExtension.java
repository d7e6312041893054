/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.noorphans.internal.attribute.TestCode;
import org.noorphans.internal.judge.Policy;
import org.noorphans.internal.os.linux.LinuxPlatform.Switches;
import org.noorphans.internal.watch.JvmWatch;
import org.noorphans.internal.watch.OrphanWatch;
import org.noorphans.internal.watch.ProcessWatch;
import org.noorphans.model.ScopeKind;

/**
 * Guards tests as {@link NoOrphanedProcesses} says, which registers it. To set it up from code, register one that
 * {@link #builder()} makes in a static field with {@code @RegisterExtension}; annotations on the same test beat it.
 *
 * <p><b>What it translates.</b> JUnit's callbacks become the begin and end of scopes. A class scope opens before the class is
 * set up and a test scope before the instance is constructed. When {@code afterEach} or {@code afterAll} comes, a scope that
 * left nothing ends at once. If something is alive, the scope stays open until JUnit closes the store of the context: what
 * other extensions end in their callbacks, or by closing what they put into the store later than this one, is gone by then.
 *
 * <p>It has no state of its own; a scope lives in the store of its context.
 */
public final class NoOrphanedProcessesExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(NoOrphanedProcessesExtension.class);

    private static final String SCOPE = "scope";
    private static final String SETTINGS = "settings";

    /*
     * Before JUnit 5.12 the callback for construction gets the context of the class, not of the test. The scope that it opens
     * waits here for beforeEach, which runs next on the same thread unless the constructor fails.
     */
    private static final ThreadLocal<@Nullable OrphanWatch> CONSTRUCTED = new ThreadLocal<>();

    private final Said builder;

    /** With the default settings. */
    public NoOrphanedProcessesExtension() {
        this(Said.NOTHING);
    }

    private NoOrphanedProcessesExtension(Said builder) {
        this.builder = builder;
    }

    Said builderSettings() {
        return builder;
    }

    /** A builder, to be used with {@code @RegisterExtension}. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Asks JUnit 5.12 and later for the context of the test when it constructs an instance. (The method overrides one that
     * earlier versions do not have.)
     */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        openClass(context);
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            openTest(context);
        } else if (context.getTestInstanceLifecycle()
                .filter(Lifecycle.PER_CLASS::equals)
                .isPresent()) {
            openClass(context);
        } else if (factory.getOuterInstance().isEmpty()) {
            // Not the inner instance of one that is being constructed: a constructor before this one has failed.
            abandonConstructed();
            if (settings(context).scope() == NoOrphanedProcesses.Scope.TEST) {
                watch(context).ifPresent(watch -> {
                    String name = className(context) + " (constructor)";
                    CONSTRUCTED.set(OrphanWatch.open(watch, ScopeKind.TEST, name, null, container(context)));
                });
            }
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        openTest(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        own(context).ifPresent(GuardedScope::endIfClean);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        abandonConstructed();
        own(context).ifPresent(GuardedScope::endIfClean);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SpawnedProcesses.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        @Nullable OrphanWatch constructed = CONSTRUCTED.get();
        return Optional.ofNullable(constructed)
                .or(() -> Optional.ofNullable(container(context)))
                .map(SpawnedProcesses::new)
                .orElseThrow(() -> new ParameterResolutionException(
                        "No scope is open here that could show spawned processes; either this system is not supported,"
                                + " which the log says, or the extension is registered for another method only"));
    }

    private void openClass(ExtensionContext context) {
        if (own(context).isPresent()) {
            return;
        }
        Settings settings = settings(context);
        Settings.checkMethods(context.getRequiredTestClass());
        watch(context).ifPresent(watch -> {
            openRun(context, watch);
            open(context, watch, ScopeKind.CLASS, className(context), settings.policy());
        });
    }

    private void openTest(ExtensionContext context) {
        if (own(context).isPresent()) {
            return;
        }
        Settings settings = settings(context);
        if (settings.scope() == NoOrphanedProcesses.Scope.CLASS && container(context) != null) {
            return;
        }
        watch(context).ifPresent(watch -> {
            openRun(context, watch);
            @Nullable OrphanWatch constructed = CONSTRUCTED.get();
            if (constructed == null) {
                open(context, watch, ScopeKind.TEST, testName(context), settings.policy());
            } else {
                CONSTRUCTED.remove();
                constructed.rename(testName(context), code(context));
                put(context, constructed, settings.policy());
            }
        });
    }

    private void openRun(ExtensionContext context, ProcessWatch watch) {
        ExtensionContext root = context.getRoot();
        if (own(root).isEmpty()) {
            synchronized (NoOrphanedProcessesExtension.class) {
                if (own(root).isEmpty()) {
                    open(root, watch, ScopeKind.RUN, "The run", settings(root).policy());
                }
            }
        }
    }

    private static void open(ExtensionContext context, ProcessWatch watch, ScopeKind kind, String name, Policy policy) {
        put(context, OrphanWatch.open(watch, kind, name, code(context), container(context)), policy);
    }

    private static void put(ExtensionContext context, OrphanWatch scope, Policy policy) {
        context.getStore(NAMESPACE).put(SCOPE, new GuardedScope(scope, policy, context));
    }

    /** The scope of exactly this context; a store also shows what those of its parents hold. */
    private static Optional<GuardedScope> own(ExtensionContext context) {
        return nearest(context).filter(scope -> scope.belongsTo(context));
    }

    /** The narrowest open scope that this context is in, its own included; null if there is none. */
    private static @Nullable OrphanWatch container(ExtensionContext context) {
        return nearest(context)
                .map(GuardedScope::watch)
                .filter(watch -> !watch.isEnded())
                .or(() -> context.getParent().map(NoOrphanedProcessesExtension::container))
                .orElse(null);
    }

    private static Optional<GuardedScope> nearest(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(NAMESPACE).get(SCOPE, GuardedScope.class));
    }

    private static void abandonConstructed() {
        OrphanWatch constructed = CONSTRUCTED.get();
        if (constructed != null) {
            CONSTRUCTED.remove();
            constructed.abandon();
        }
    }

    /** Reading annotations is slow, so it is done once for a class and once for a method of it. */
    private Settings settings(ExtensionContext context) {
        List<Object> key = Arrays.asList(
                SETTINGS,
                this,
                context.getTestClass().orElse(null),
                context.getTestMethod().orElse(null));
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(key, absent -> Settings.of(context, builder), Settings.class);
    }

    private static Optional<ProcessWatch> watch(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        JvmAccess.class,
                        absent -> {
                            ParameterName.refuseMisspelt(context);
                            return new JvmAccess(JvmWatch.get(() -> jvmSettings(context)));
                        },
                        JvmAccess.class)
                .watch();
    }

    /** The watch of this JVM, kept in the root store together with the fact that the parameters of the run are right. */
    private record JvmAccess(Optional<ProcessWatch> watch) {}

    private static JvmWatch.JvmSettings jvmSettings(ExtensionContext context) {
        return new JvmWatch.JvmSettings(
                new Switches(
                        isOn(context, ParameterName.SUBREAPER),
                        isOn(context, ParameterName.MARK),
                        isOn(context, ParameterName.LINUX_CHILDREN),
                        isOn(context, ParameterName.LINUX_PIDFD)),
                isOn(context, ParameterName.SPAWN_SITE),
                Settings.parameter(context, ParameterName.OBSERVE_EVERY, DurationText::parse)
                        .orElse(Duration.ofMillis(100)));
    }

    private static boolean isOn(ExtensionContext context, ParameterName name) {
        return Settings.parameter(context, name, Settings::parseSwitch).orElse(true);
    }

    private static @Nullable TestCode code(ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> new TestCode(method.getDeclaringClass().getName(), method.getName()))
                .orElse(null);
    }

    private static String className(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        String packageName = type.getPackageName();
        String name = packageName.isEmpty() ? type.getName() : type.getName().substring(packageName.length() + 1);
        return name.replace('$', '.');
    }

    private static String testName(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        String parameters = Arrays.stream(method.getParameterTypes())
                .filter(type -> type != SpawnedProcesses.class)
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        String name = className(context) + "." + method.getName() + "(" + parameters + ")";
        return context.getUniqueId().contains("/[test-template-invocation:")
                ? name + " " + context.getDisplayName()
                : name;
    }

    /** Sets up an extension from code. What is not set is taken from configuration parameters, then from the defaults. */
    public static final class Builder {
        private Optional<NoOrphanedProcesses.Scope> scope = Optional.empty();
        private Optional<NoOrphanedProcesses.Action> action = Optional.empty();
        private Optional<Duration> settle = Optional.empty();
        private Optional<Duration> grace = Optional.empty();
        private Optional<Boolean> kill = Optional.empty();

        private Builder() {}

        /** What must be clean. */
        public Builder scope(NoOrphanedProcesses.Scope scope) {
            this.scope = Optional.of(scope);
            return this;
        }

        /** What a survivor leads to. */
        public Builder action(NoOrphanedProcesses.Action action) {
            this.action = Optional.of(action);
            return this;
        }

        /** How long survivors may take to end by themselves; not negative. */
        public Builder settle(Duration settle) {
            this.settle = Optional.of(notNegative("settle", settle));
            return this;
        }

        /** How long survivors may take to end after TERM; not negative. */
        public Builder grace(Duration grace) {
            this.grace = Optional.of(notNegative("grace", grace));
            return this;
        }

        /** Whether survivors are ended. */
        public Builder kill(boolean kill) {
            this.kill = Optional.of(kill);
            return this;
        }

        private static Duration notNegative(String name, Duration duration) {
            if (duration.isNegative()) {
                throw new ExtensionConfigurationException("NoOrphanedProcessesExtension.builder()." + name + "("
                        + duration + "): a duration cannot be negative");
            }
            return duration;
        }

        /** The extension. */
        public NoOrphanedProcessesExtension build() {
            return new NoOrphanedProcessesExtension(new Said(scope, action, settle, grace, kill));
        }
    }
}
