/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.noorphans.fakecli.internal.file.ScenarioReader;
import org.noorphans.fakecli.internal.file.ScenarioWriter;
import org.noorphans.fakecli.model.Scenario;
import org.noorphans.fakecli.model.ScenarioFileException;

/**
 * Scenarios as files, YAML or JSON of the same shape. What is written reads back as an equal scenario. A file is checked
 * as a whole: one exception tells everything that is wrong, each with line and column.
 */
public final class ScenarioFile {
    private ScenarioFile() {}

    /**
     * Reads a file: JSON if its name ends in {@code .json}, else YAML.
     *
     * @throws ScenarioFileException with all that is wrong
     * @throws UncheckedIOException if it cannot be read
     */
    public static Scenario read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the scenario " + file + ": " + e, e);
        }
        String name = file.toString();
        return name.endsWith(".json") ? ScenarioReader.json(text, name) : ScenarioReader.yaml(text, name);
    }

    /**
     * The scenario in a text.
     *
     * @throws ScenarioFileException with all that is wrong
     */
    public static Scenario fromYaml(String text) {
        return ScenarioReader.yaml(text, "scenario");
    }

    /**
     * The scenario in a text.
     *
     * @throws ScenarioFileException with all that is wrong
     */
    public static Scenario fromJson(String text) {
        return ScenarioReader.json(text, "scenario");
    }

    /** The scenario as YAML. */
    public static String toYaml(Scenario scenario) {
        return ScenarioWriter.yaml(scenario);
    }

    /** The scenario as JSON. */
    public static String toJson(Scenario scenario) {
        return ScenarioWriter.json(scenario);
    }
}
