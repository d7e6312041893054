/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A client's end of the pipes to a process: lines out, lines in, and all of them in order.
 *
 * <p>Order: what was received before something was sent stands before it, unless it had arrived but nobody had asked for
 * it yet. Since tests wait for what they depend on, that is order enough.
 */
final class Wire {
    private final Process process;
    private final OutputStream out;
    private final LinkedBlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private final List<Entry> transcript = new ArrayList<>();

    Wire(Process process) {
        this.process = process;
        this.out = process.getOutputStream();
        Thread reader = new Thread(this::readAll, "wire");
        reader.setDaemon(true);
        reader.start();
    }

    private void readAll() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(Optional.of(line));
            }
        } catch (IOException e) {
            // The end, as far as this side can tell.
        }
        lines.add(Optional.empty());
    }

    Wire send(String line) {
        raw(line + "\n");
        transcript.add(new Entry(true, JsonParser.parseString(line).getAsJsonObject()));
        return this;
    }

    /** Sends bytes that are no message. */
    Wire raw(String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void closeInput() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next message. */
    JsonObject receive() {
        Optional<String> line = next();
        JsonObject message = JsonParser.parseString(
                        line.orElseThrow(() -> new AssertionError("standard output ended after " + transcript)))
                .getAsJsonObject();
        transcript.add(new Entry(false, message));
        return message;
    }

    /** The next line, whatever it is. */
    String line() {
        return next().orElseThrow(() -> new AssertionError("standard output ended"));
    }

    /** The next message for which this holds; those before it are received too. */
    JsonObject receive(Predicate<JsonObject> wanted) {
        while (true) {
            JsonObject message = receive();
            if (wanted.test(message)) {
                return message;
            }
        }
    }

    /** The response to a request of the client. */
    JsonObject response(Object id) {
        return receive(message -> !message.has("method")
                && message.has("id")
                && message.get("id").equals(JsonParser.parseString(String.valueOf(id))));
    }

    /** Receives all there is to the end of standard output. */
    List<Entry> toTheEnd() {
        for (Optional<String> line = next(); line.isPresent(); line = next()) {
            transcript.add(new Entry(false, JsonParser.parseString(line.get()).getAsJsonObject()));
        }
        return transcript;
    }

    private Optional<String> next() {
        try {
            Optional<String> line = lines.poll(Bench.SOON.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("nothing came after " + transcript);
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Whether something has come that was not received yet. */
    boolean isSilent() {
        return lines.isEmpty();
    }

    List<Entry> transcript() {
        return transcript;
    }

    static String text(JsonElement value, String... path) {
        JsonElement at = value;
        for (String name : path) {
            at = at.getAsJsonObject().get(name);
            if (at == null) {
                throw new AssertionError("no " + name + " in " + value);
            }
        }
        return at.isJsonPrimitive() ? at.getAsString() : at.toString();
    }

    /** One message and who sent it. */
    record Entry(boolean byClient, JsonObject message) {}
}
