/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.List;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Step;

/** No phrases. */
final class PlainDialect implements Dialect {
    @Override
    public String setup() {
        return "";
    }

    @Override
    public String line(Phrase phrase, List<Step> before) {
        throw new IllegalArgumentException("a plain program has no phrase " + phrase);
    }
}
