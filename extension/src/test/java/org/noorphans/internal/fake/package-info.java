/* SPDX-License-Identifier: Apache-2.0 */
/** A machine made for tests, and what starts and ends real processes for tests. */
package org.noorphans.internal.fake;
