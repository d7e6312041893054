/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.model.ScenarioFileException;
import org.noorphans.fakecli.model.ScenarioFileException.Problem;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads YAML and JSON to trees that know their places. */
final class TreeReader {
    /** How Gson's reader says where it is; it offers no other way. */
    private static final Pattern PLACE = Pattern.compile("line (\\d+) column (\\d+)");

    private TreeReader() {}

    static Tree yaml(String text, String file) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(file).build();
            // What api.lowlevel.Compose does; its package is not exported.
            Node root = new Composer(settings, new ParserImpl(settings, new StreamReader(settings, text)))
                    .getSingleNode()
                    .orElseThrow(() -> problem(file, 1, 1, "the file is empty; begin with schema: fakecli/1"));
            return tree(root, file);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            int column = e.getProblemMark().map(mark -> mark.getColumn() + 1).orElse(1);
            throw problem(file, line, column, "not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw problem(file, 1, 1, "not YAML: " + e.getMessage());
        }
    }

    private static Tree tree(Node node, String file) {
        int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
        int column = node.getStartMark().map(mark -> mark.getColumn() + 1).orElse(1);
        if (node instanceof MappingNode mapping) {
            Map<String, Tree> map = new LinkedHashMap<>();
            for (NodeTuple tuple : mapping.getValue()) {
                Tree key = tree(tuple.getKeyNode(), file);
                if (key.isMap() || key.isList() || key.value() == null) {
                    throw problem(file, key.line(), key.column(), "a key must be a text, but was " + key.shown());
                }
                if (map.put(key.value().toString(), tree(tuple.getValueNode(), file)) != null) {
                    throw problem(file, key.line(), key.column(), "the key \"" + key.value() + "\" is there twice");
                }
            }
            return new Tree(map, line, column);
        }
        if (node instanceof SequenceNode sequence) {
            List<Tree> list = new ArrayList<>();
            sequence.getValue().forEach(each -> list.add(tree(each, file)));
            return new Tree(list, line, column);
        }
        ScalarNode scalar = (ScalarNode) node;
        return new Tree(scalar(scalar.getTag(), scalar.getValue()), line, column);
    }

    private static @Nullable Object scalar(Tag tag, String text) {
        if (tag.equals(Tag.NULL)) {
            return null;
        }
        if (tag.equals(Tag.BOOL)) {
            return Boolean.valueOf(text);
        }
        if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
            return number(text);
        }
        return text;
    }

    private static Object number(String text) {
        try {
            return text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : new BigDecimal(text);
        } catch (NumberFormatException e) {
            // .inf and .nan, which no value of a scenario can be.
            return text;
        }
    }

    static Tree json(String text, String file) {
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            try {
                Tree tree = tree(reader, file);
                if (reader.peek() != JsonToken.END_DOCUMENT) {
                    throw new MalformedJsonException("there is more after the end");
                }
                return tree;
            } catch (MalformedJsonException | EOFException e) {
                Tree here = at(reader, null);
                throw problem(file, here.line(), here.column(), "not JSON: " + e.getMessage());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Tree tree(JsonReader reader, String file) throws IOException {
        JsonToken token = reader.peek();
        switch (token) {
            case BEGIN_OBJECT -> {
                Map<String, Tree> map = new LinkedHashMap<>();
                Tree here = at(reader, map);
                reader.beginObject();
                while (reader.hasNext()) {
                    Tree place = at(reader, null);
                    String key = reader.nextName();
                    if (map.put(key, tree(reader, file)) != null) {
                        throw problem(file, place.line(), place.column(), "the key \"" + key + "\" is there twice");
                    }
                }
                reader.endObject();
                return here;
            }
            case BEGIN_ARRAY -> {
                List<Tree> list = new ArrayList<>();
                Tree here = at(reader, list);
                reader.beginArray();
                while (reader.hasNext()) {
                    list.add(tree(reader, file));
                }
                reader.endArray();
                return here;
            }
            case NUMBER -> {
                Tree here = at(reader, null);
                return new Tree(number(reader.nextString()), here.line(), here.column());
            }
            case BOOLEAN -> {
                Tree here = at(reader, null);
                return new Tree(reader.nextBoolean(), here.line(), here.column());
            }
            case NULL -> {
                Tree here = at(reader, null);
                reader.nextNull();
                return here;
            }
            default -> {
                Tree here = at(reader, null);
                return new Tree(reader.nextString(), here.line(), here.column());
            }
        }
    }

    /** After a peek the reader stands one character behind where the value begins. */
    private static Tree at(JsonReader reader, @Nullable Object value) {
        Matcher place = PLACE.matcher(reader.toString());
        if (!place.find()) {
            return new Tree(value, 1, 1);
        }
        return new Tree(value, Integer.parseInt(place.group(1)), Math.max(1, Integer.parseInt(place.group(2)) - 1));
    }

    private static ScenarioFileException problem(String file, int line, int column, String message) {
        return new ScenarioFileException(file, List.of(new Problem(line, column, message)));
    }
}
