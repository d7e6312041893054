/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.samples.daemon;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/**
 * One line of an agent's output, as far as the daemon cares.
 *
 * @param type the message type, such as "system", "assistant" or "result"; "text" for a line that is no JSON object
 * @param isError whether the agent says so
 */
record AgentMessage(String type, boolean isError) {

    static AgentMessage parse(String line) {
        JsonObject message = asObject(line);
        JsonElement type = message.get("type");
        JsonElement isError = message.get("is_error");
        return new AgentMessage(
                type instanceof JsonPrimitive name ? name.getAsString() : "text",
                isError instanceof JsonPrimitive yes && yes.getAsBoolean());
    }

    /** Whether a client may have seen it; only greetings are sure to be repeatable. */
    boolean isOutput() {
        return !type.equals("system");
    }

    /** Whether it says that the agent has done what it was asked. */
    boolean completesTurn() {
        return type.equals("result") && !isError;
    }

    /** The line that asks an agent to do something. */
    static String prompt(String text) {
        var message = new JsonObject();
        message.addProperty("role", "user");
        message.addProperty("content", text);
        var line = new JsonObject();
        line.addProperty("type", "user");
        line.add("message", message);
        return line + "\n";
    }

    private static JsonObject asObject(String line) {
        try {
            return JsonParser.parseString(line) instanceof JsonObject object ? object : new JsonObject();
        } catch (JsonParseException plainText) {
            return new JsonObject();
        }
    }
}
