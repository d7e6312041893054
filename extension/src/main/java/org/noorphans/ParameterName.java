/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The configuration parameters of this library. */
enum ParameterName {
    SCOPE("scope"),
    ACTION("action"),
    SETTLE("settle"),
    GRACE("grace"),
    KILL("kill"),
    /** Whether the JVM adopts its orphaned descendants; read once per JVM. */
    SUBREAPER("subreaper"),
    /** Whether threads are marked; read once per JVM. */
    MARK("mark"),
    /** Whether the flight recorder notes where processes are started; read once per JVM. */
    SPAWN_SITE("spawn-site"),
    /** The longest pause of the observer; read once per JVM. */
    OBSERVE_EVERY("observe-every"),
    /** Whether the kernel's children lists are used; read once per JVM. */
    LINUX_CHILDREN("linux.children"),
    /** Whether signals go through pidfds; read once per JVM. */
    LINUX_PIDFD("linux.pidfd");

    private static final String PREFIX = "noorphans.";
    private static final String PROPERTIES_FILE = "junit-platform.properties";

    private final String key;

    ParameterName(String name) {
        this.key = PREFIX + name;
    }

    String key() {
        return key;
    }

    /**
     * Refuses parameters that look like ours and are not. JUnit does not list the parameters of a run, so three ways are
     * gone: the system properties, the properties file on the class path, and a question for every name that is one slip of
     * the finger away from one of ours.
     */
    static void refuseMisspelt(ExtensionContext context) {
        Set<String> known = Arrays.stream(values()).map(ParameterName::key).collect(Collectors.toSet());
        Set<String> given = new TreeSet<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .forEach(given::add);
        propertiesFile().stringPropertyNames().stream()
                .filter(name -> name.startsWith(PREFIX))
                .forEach(given::add);
        for (String name : known) {
            for (String slip : slips(name)) {
                if (!known.contains(slip)
                        && context.getConfigurationParameter(slip).isPresent()) {
                    given.add(slip);
                }
            }
        }
        given.removeAll(known);
        if (!given.isEmpty()) {
            String wrong = given.iterator().next();
            throw new ExtensionConfigurationException("Unknown configuration parameter " + wrong + ". "
                    + nearest(wrong).map(near -> "Did you mean " + near + "? ").orElse("")
                    + "Known are: " + String.join(", ", new TreeSet<>(known)));
        }
    }

    private static Properties propertiesFile() {
        Properties properties = new Properties();
        @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
        @Nullable URL file = loader == null ? null : loader.getResource(PROPERTIES_FILE);
        if (file != null) {
            try (InputStream stream = file.openStream()) {
                properties.load(stream);
            } catch (IOException e) {
                // JUnit reads the same file and tells.
            }
        }
        return properties;
    }

    private static Optional<String> nearest(String wrong) {
        String lower = wrong.toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .map(ParameterName::key)
                .filter(key -> distance(lower, key) <= 3)
                .min((a, b) -> Integer.compare(distance(lower, a), distance(lower, b)));
    }

    /**
     * What one slip of the finger makes of a name: a missing letter or two swapped ones anywhere, and behind the prefix also
     * one too many, a wrong one, or a capital.
     */
    private static Set<String> slips(String name) {
        Set<String> slips = new HashSet<>();
        for (int i = 0; i < name.length(); i++) {
            StringBuilder slip = new StringBuilder(name);
            char letter = name.charAt(i);
            slips.add(slip.deleteCharAt(i).toString());
            if (i + 1 < name.length()) {
                slips.add(slip.insert(i + 1, letter).toString());
            }
            if (i >= PREFIX.length()) {
                slip = new StringBuilder(name);
                slip.setCharAt(i, Character.toUpperCase(letter));
                slips.add(slip.toString());
                for (char other = 'a'; other <= 'z'; other++) {
                    slip.setCharAt(i, other);
                    slips.add(slip.toString());
                }
            }
        }
        for (int i = PREFIX.length(); i <= name.length(); i++) {
            StringBuilder slip = new StringBuilder(name).insert(i, ' ');
            for (char other = 'a'; other <= 'z'; other++) {
                slip.setCharAt(i, other);
                slips.add(slip.toString());
            }
        }
        slips.remove(name);
        return slips;
    }

    /** Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                row[j] = Math.min(
                        Math.min(row[j] + 1, row[j - 1] + 1), diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
