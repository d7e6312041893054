/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

/**
 * What the shell knew about the call.
 *
 * @param session the session id that the call was given, or a fresh one
 * @param model the model that the call was given, or a default
 * @param cwd its working directory
 * @param pid its process number, which makes ids unique across calls
 */
record Setup(String session, String model, String cwd, String pid) {}
