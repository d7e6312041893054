/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.attribute;

import java.util.List;

/**
 * The code of a test, to be found again in a stack.
 *
 * @param className the binary name of the class that declares the method
 * @param methodName the name of the test method
 */
public record TestCode(String className, String methodName) {
    /** Whether a stack leads through the test method or a lambda that was written in it. */
    boolean isOn(List<StackTraceElement> frames) {
        return frames.stream()
                .anyMatch(frame -> frame.getClassName().equals(className)
                        && (frame.getMethodName().equals(methodName)
                                || frame.getMethodName().startsWith("lambda$" + methodName + "$")));
    }
}
