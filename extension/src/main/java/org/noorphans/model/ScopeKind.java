/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/** How much of a run a scope spans. The narrowest scope open in the code that started a process owns it. */
public enum ScopeKind {
    /** One invocation of a test method, with its constructor, {@code @BeforeEach} and {@code @AfterEach}. */
    TEST("test"),
    /** One test class, from {@code @BeforeAll} to {@code @AfterAll}. */
    CLASS("class"),
    /** The whole run of one engine in this JVM. */
    RUN("run");

    private final String word;

    ScopeKind(String word) {
        this.word = word;
    }

    /** The kind as a noun: test, class, run. */
    public String word() {
        return word;
    }
}
