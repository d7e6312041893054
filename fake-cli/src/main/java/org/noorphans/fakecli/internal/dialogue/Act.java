/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing to do, as the shell wrote it down: its kind and its texts.
 *
 * @param kind the name of the step
 * @param texts its values; which ones depends on the kind
 */
record Act(String kind, List<String> texts) {
    /**
     * Reads a script: for each act its kind, the number of its texts, and these, each ended by NUL, which no text of a
     * scenario contains.
     */
    static List<Act> read(Path script) throws IOException {
        String all = new String(Files.readAllBytes(script), StandardCharsets.UTF_8);
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int to = all.indexOf('\0'); to >= 0; to = all.indexOf('\0', from)) {
            words.add(all.substring(from, to));
            from = to + 1;
        }
        List<Act> acts = new ArrayList<>();
        int i = 0;
        while (i < words.size()) {
            int count = Integer.parseInt(words.get(i + 1));
            acts.add(new Act(words.get(i), words.subList(i + 2, i + 2 + count)));
            i += 2 + count;
        }
        return acts;
    }

    String text(int number) {
        return texts.get(number);
    }
}
