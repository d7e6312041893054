/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The engine for dialogues: the program that an installed fake becomes when its attempt answers messages.
 *
 * <p>It runs in a JVM of its own, on a class path of this module and Gson alone. It knows nothing of scenarios: the
 * shell program of the attempt has written down what to play, texts complete, before it handed over.
 */
@NullMarked
package org.noorphans.fakecli.internal.dialogue;

import org.jspecify.annotations.NullMarked;
