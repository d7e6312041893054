/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

@AnalyzeClasses(packages = "org.noorphans.fakecli", importOptions = ArchitectureTests.NoTests.class)
class ArchitectureTests {
    static final class NoTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/");
        }
    }

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching("org.noorphans.(fakecli..)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule the_values_know_only_checks_json_and_the_process_table = ArchRuleDefinition.noClasses()
            .that()
            .resideInAPackage("org.noorphans.fakecli.model")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.noorphans.fakecli",
                    "org.noorphans.fakecli.internal.install..",
                    "org.noorphans.fakecli.internal.journal..",
                    "org.noorphans.fakecli.internal.sh..");

    @ArchTest
    static final ArchRule the_compiler_touches_no_files_and_no_processes = ArchRuleDefinition.noClasses()
            .that()
            .resideInAPackage("org.noorphans.fakecli.internal.sh")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.ProcessBuilder");
}
