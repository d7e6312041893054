/* SPDX-License-Identifier: Apache-2.0 */
/** Fails a JUnit Jupiter test that leaves a process behind. */
module org.noorphans {
    requires transitive org.junit.jupiter.api;
    requires com.sun.jna;
    requires static jdk.jfr;
    requires static org.assertj.core;
    requires static org.jspecify;

    exports org.noorphans;
    exports org.noorphans.assertj;
    exports org.noorphans.model;
    exports org.noorphans.tree;

    opens org.noorphans to
            org.junit.platform.commons;
    opens org.noorphans.internal.os.linux to
            com.sun.jna;
}
