/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.model;

/**
 * Which scope: a test, a class or the run.
 *
 * @param number counts the scopes of this JVM from 1; two scopes of one name have different numbers
 * @param kind how much of the run it spans
 * @param name the name a reader knows it by, such as {@code RetryTests.kills_the_failed_attempt()}
 */
public record ScopeId(long number, ScopeKind kind, String name) {
    @Override
    public String toString() {
        return name;
    }
}
