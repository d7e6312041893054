/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the arrows between the packages. A package that is not in {@link #arrows} fails the build until it is put there. */
class ArchitectureTests {
    private static final String ROOT = "org.noorphans";

    /** What lies where the annotation lies: the main code, from a directory or a jar, and no test. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(NoOrphanedProcesses.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation());

    private static Arguments arrow(String from, String... to) {
        return Arguments.of(from, List.of(to));
    }

    /** Which package may use which others of this library. */
    static Stream<Arguments> arrows() {
        return Stream.of(
                arrow(
                        "",
                        "model",
                        "tree",
                        "internal.attribute",
                        "internal.judge",
                        "internal.watch",
                        "internal.report",
                        "internal.os.linux"),
                arrow("model"),
                arrow("internal.observe", "model"),
                arrow("internal.attribute", "internal.observe", "model"),
                arrow("internal.judge", "internal.attribute", "internal.observe", "model"),
                arrow("internal.terminate", "internal.observe", "model"),
                arrow("internal.report", "model"),
                arrow(
                        "internal.watch",
                        "internal.judge",
                        "internal.attribute",
                        "internal.observe",
                        "internal.terminate",
                        "internal.os",
                        "internal.os.linux",
                        "internal.os.jdk",
                        "model"),
                arrow("internal.os", "internal.observe", "internal.terminate", "model"),
                arrow("internal.os.linux", "internal.os", "internal.observe", "internal.terminate", "model"),
                arrow("internal.os.posix", "internal.os", "internal.observe", "internal.terminate", "model"),
                arrow("internal.os.jdk", "internal.os", "internal.observe", "internal.terminate", "model"),
                arrow("tree", "internal.observe", "internal.terminate", "internal.os", "internal.os.linux", "model"),
                arrow(
                        "assertj",
                        "",
                        "model",
                        "tree",
                        "internal.observe",
                        "internal.os",
                        "internal.os.linux",
                        "internal.report",
                        "internal.terminate"),
                arrow("redspec", "model"),
                arrow("gate", "internal.watch", "internal.report", "model"));
    }

    private static String full(String name) {
        return name.isEmpty() ? ROOT : ROOT + "." + name;
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void a_package_uses_only_those_that_it_may_use(String from, List<String> to) {
        Set<String> allowed = Stream.concat(Stream.of(from), to.stream())
                .map(ArchitectureTests::full)
                .collect(Collectors.toSet());
        noClasses()
                .that()
                .resideInAPackage(full(from))
                .should()
                .dependOnClassesThat(
                        resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void every_package_has_its_arrows() {
        Set<String> known = arrows().map(arrow -> full((String) arrow.get()[0])).collect(Collectors.toSet());
        assertThat(packages()).isSubsetOf(known);
    }

    @Test
    void classes_were_found() {
        assertThat(packages())
                .contains(
                        ROOT,
                        ROOT + ".model",
                        ROOT + ".internal.observe",
                        ROOT + ".internal.attribute",
                        ROOT + ".internal.judge",
                        ROOT + ".internal.terminate",
                        ROOT + ".internal.report",
                        ROOT + ".internal.watch",
                        ROOT + ".internal.os",
                        ROOT + ".internal.os.linux");
        assertThat(CLASSES.size()).isGreaterThan(60);
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
                .contains("NoOrphanedProcessesExtension", "Terminator", "LibC")
                .doesNotContain("ArchitectureTests");
    }

    private static Set<String> packages() {
        return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    }

    @Test
    void packages_are_free_of_cycles() {
        slices().matching("org.noorphans.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void only_the_adapters_know_jna() {
        noClasses()
                .that(not(resideInAPackage(ROOT + ".internal.os..")))
                .should()
                .dependOnClassesThat(resideInAPackage("com.sun.jna.."))
                .check(CLASSES);
    }

    @Test
    void only_the_outermost_packages_know_junit() {
        noClasses()
                .that(not(resideInAnyPackage(ROOT, ROOT + ".gate", ROOT + ".redspec")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.junit..", "org.opentest4j.."))
                .check(CLASSES);
    }

    @Test
    void nothing_but_the_optional_packages_uses_an_optional_library() {
        noClasses()
                .that(not(resideInAnyPackage(ROOT + ".assertj", ROOT + ".gate", ROOT + ".redspec")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "org.assertj..", "org.awaitility..", "com.google.gson..", "org.junit.platform.launcher.."))
                .check(CLASSES);
    }

    @Test
    void the_vocabulary_uses_nothing_but_the_jdk() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".model")
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(ROOT + ".model", "java..", "org.jspecify.annotations")))
                .check(CLASSES);
    }

    @Test
    void attribution_verdict_and_report_touch_no_file_no_process_and_no_thread() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + ".internal.attribute", ROOT + ".internal.judge", ROOT + ".internal.report")
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.io..", "java.nio.file..", "java.net..", "com.sun.jna..")
                        .or(assignableTo(Process.class))
                        .or(assignableTo(ProcessHandle.class))
                        .or(assignableTo(ProcessBuilder.class))
                        .or(assignableTo(Runtime.class))
                        .or(assignableTo(Thread.class)))
                .check(CLASSES);
    }

    @Test
    void attribution_verdict_and_report_do_not_read_the_clock() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + ".internal.attribute", ROOT + ".internal.judge", ROOT + ".internal.report")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat(assignableTo(Clock.class))
                .check(CLASSES);
    }

    /** Signals go through the port only: the ways of the JDK compare less, or nothing. */
    @Test
    void nothing_ends_a_process_in_another_way_than_through_the_port() {
        noClasses()
                .that(not(resideInAnyPackage(ROOT + ".internal.os.jdk", ROOT + ".tree")))
                .should()
                .callMethod(Process.class, "destroy")
                .orShould()
                .callMethod(Process.class, "destroyForcibly")
                .orShould()
                .callMethod(ProcessHandle.class, "destroy")
                .orShould()
                .callMethod(ProcessHandle.class, "destroyForcibly")
                .orShould()
                .callMethod(ProcessBuilder.class, "start")
                .check(CLASSES);
    }

    @Test
    void only_the_sender_sends_signals_and_only_the_platform_collects() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".internal.os.linux")
                .and()
                .haveSimpleNameNotStartingWith("PidfdSignalSender")
                .should(new NotCalling(ROOT + ".internal.os.linux.LibC", "kill"))
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage(ROOT + "..")
                .and()
                .haveSimpleNameNotStartingWith("LinuxPlatform")
                .should(new NotCalling(ROOT + ".internal.os.linux.LibC", "waitpid"))
                .check(CLASSES);
    }

    @Test
    void nothing_writes_to_the_standard_streams() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
        NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(CLASSES);
    }

    private static final class NotCalling extends ArchCondition<JavaClass> {
        private final String owner;
        private final String method;

        NotCalling(String owner, String method) {
            super("not call " + owner + "." + method);
            this.owner = owner;
            this.method = method;
        }

        @Override
        public void check(JavaClass type, ConditionEvents events) {
            type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getTargetOwner().getName().equals(owner)
                            && call.getTarget().getName().equals(method))
                    .forEach(call -> events.add(SimpleConditionEvent.violated(type, call.getDescription())));
        }
    }
}
