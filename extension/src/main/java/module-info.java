/* SPDX-License-Identifier: Apache-2.0 */
/** Fails a JUnit Jupiter test that leaves a process behind. */
module org.noorphans {
    requires transitive org.junit.jupiter.api;
    requires com.sun.jna;
    requires static jdk.jfr;
    requires static org.jspecify;

    exports org.noorphans;
    exports org.noorphans.model;

    opens org.noorphans to
            org.junit.platform.commons;
    opens org.noorphans.internal.os.linux to
            com.sun.jna;
}
