/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads {@code docs/parity.md}: every row is there once, says something, and names only tests that exist. */
class ParityTests {
    private static final Pattern LINE = Pattern.compile("\\| ((?:S1|S2|SAFE)-\\d+a?|[FTOPR]\\d+) \\| (.+) \\|");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)(?:#(\\w+))?`");

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/parity.md"))) {
            folder = folder.getParent();
            assertThat(folder).as("the folder that has docs/parity.md").isNotNull();
        }
        return folder;
    }

    private static Map<String, String> rows() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        List<String> twice = new ArrayList<>();
        for (String line : Files.readAllLines(root().resolve("docs/parity.md"))) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && rows.put(matcher.group(1), matcher.group(2)) != null) {
                twice.add(matcher.group(1));
            }
        }
        assertThat(twice).as("rows that are there twice").isEmpty();
        return rows;
    }

    private static Stream<String> numbers(String prefix, int last) {
        return IntStream.rangeClosed(1, last).mapToObj(number -> prefix + number);
    }

    @Test
    void every_row_is_there_and_no_other() throws IOException {
        List<String> expected = Stream.of(
                        numbers("S1-", 85),
                        numbers("S2-", 95),
                        Stream.of("S2-57a"),
                        numbers("SAFE-", 18),
                        numbers("F", 39),
                        numbers("T", 9),
                        numbers("O", 12),
                        numbers("P", 10),
                        numbers("R", 13))
                .flatMap(row -> row)
                .toList();
        assertThat(rows().keySet()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void a_row_names_a_test_or_says_why_there_is_none() throws IOException {
        rows().forEach((row, text) -> assertThat(text)
                .as("%s: %s", row, text)
                .matches(said -> TEST.matcher(said).find()
                        || said.startsWith("not applicable: ")
                        || said.startsWith("open: ")
                        || said.startsWith("catalogue scenario `F")));
    }

    @Test
    void every_named_test_exists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        rows().forEach((row, text) -> {
            Matcher matcher = TEST.matcher(text);
            while (matcher.find()) {
                String type = matcher.group(1);
                String method = matcher.group(2);
                String source = sources.get(type);
                boolean known = source != null && (method == null || source.contains("void " + method + "("));
                if (!known && !type.matches("F\\d+")) {
                    missing.add(row + " names " + matcher.group());
                }
            }
        });
        assertThat(missing).isEmpty();
    }

    /** The test sources of all modules, by the name of their class. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String module : List.of("extension", "fake-cli", "sample-tests")) {
            try (Stream<Path> files = Files.walk(root().resolve(module).resolve("src/test/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.merge(
                            name.substring(0, name.length() - ".java".length()),
                            Files.readString(file, StandardCharsets.UTF_8),
                            String::concat);
                }
            }
        }
        return sources;
    }
}
