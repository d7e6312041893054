/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.noorphans.fakecli.model.Persona;

/**
 * What the consumers of each program need of its lines, written down from the descriptions of the wire formats and
 * without a look at the macros: for each kind of line the paths that must be there, and of what type.
 */
final class TranscriptRules {
    private static final Map<Persona, Map<String, String>> RULES = Map.of(
            Persona.CLAUDE,
            Map.of(
                    "system/init",
                    "session_id:s model:s cwd:s tools:a mcp_servers:a permissionMode:s apiKeySource:s",
                    "system/status",
                    "session_id:s status:s",
                    "assistant",
                    "message.id:s message.type:s message.role:s message.model:s message.content:a session_id:s",
                    "user",
                    "message.role:s message.content:a session_id:s",
                    "stream_event",
                    "event.type:s event.delta.type:s uuid:s session_id:s",
                    "rate_limit_event",
                    "rate_limit_info.status:s",
                    "result",
                    "subtype:s is_error:b duration_ms:n duration_api_ms:n num_turns:n session_id:s usage:o"),
            Persona.CODEX_EXEC,
            Map.of(
                    "thread.started",
                    "thread_id:s",
                    "turn.started",
                    "",
                    "item.started",
                    "item.id:s item.type:s item.status:s",
                    "item.completed",
                    "item.id:s item.type:s",
                    "turn.completed",
                    "usage.input_tokens:n usage.cached_input_tokens:n usage.output_tokens:n",
                    "turn.failed",
                    "error.message:s",
                    "error",
                    "message:s"),
            Persona.GEMINI,
            Map.of(
                    "init",
                    "timestamp:s session_id:s model:s",
                    "message",
                    "timestamp:s role:s content:s",
                    "tool_use",
                    "timestamp:s tool_name:s tool_id:s parameters:o",
                    "tool_result",
                    "timestamp:s tool_id:s status:s",
                    "error",
                    "timestamp:s severity:s message:s",
                    "result",
                    "timestamp:s status:s stats.total_tokens:n stats.input_tokens:n stats.output_tokens:n stats.models:o"),
            Persona.OPENCODE,
            openCode(),
            Persona.OPENCODE_V2,
            openCode(),
            Persona.CURSOR,
            Map.of(
                    "system/init",
                    "apiKeySource:s cwd:s session_id:s model:s permissionMode:s",
                    "user",
                    "message.role:s message.content:a session_id:s",
                    "assistant",
                    "message.role:s message.content:a session_id:s",
                    "thinking",
                    "subtype:s text:s",
                    "tool_call",
                    "subtype:s call_id:s tool_call:o",
                    "result",
                    "subtype:s is_error:b duration_ms:n duration_api_ms:n result:s session_id:s"));

    private TranscriptRules() {}

    private static Map<String, String> openCode() {
        return Map.of(
                "step_start",
                "timestamp:n sessionID:s part.id:s part.sessionID:s part.messageID:s part.type:s",
                "text",
                "timestamp:n sessionID:s part.type:s part.text:s part.time.start:n part.time.end:n",
                "reasoning",
                "timestamp:n sessionID:s part.text:s",
                "tool_use",
                "timestamp:n sessionID:s part.tool:s part.callID:s part.state.status:s part.state.input:o",
                "step_finish",
                "timestamp:n sessionID:s part.reason:s part.cost:n part.tokens.input:n part.tokens.output:n"
                        + " part.tokens.cache.read:n",
                "error",
                "timestamp:n sessionID:s error.name:s error.data.message:s",
                "done",
                "timestamp:n sessionID:s reason:s rejected:a");
    }

    /** Everything that is wrong with a line; empty if nothing is. */
    static List<String> problems(Persona persona, String line) {
        JsonObject object = JsonParser.parseString(line).getAsJsonObject();
        String type = object.has("type") ? object.get("type").getAsString() : "";
        if (type.isEmpty() && persona == Persona.OPENCODE_V2 && object.has("error")) {
            return List.of();
        }
        if (type.equals("system")) {
            type = type + "/" + object.get("subtype").getAsString();
        }
        String rule = RULES.get(persona).get(type);
        if (rule == null) {
            return List.of("unknown type " + type);
        }
        List<String> problems = new ArrayList<>();
        for (String each : rule.isEmpty() ? new String[0] : rule.split(" ")) {
            String[] parts = each.split(":");
            JsonElement value = object;
            for (String name : parts[0].split("\\.")) {
                value = value != null && value.isJsonObject()
                        ? value.getAsJsonObject().get(name)
                        : null;
            }
            if (value == null || !is(value, parts[1].charAt(0))) {
                problems.add(type + " lacks " + each + ": " + line);
            }
        }
        return problems;
    }

    private static boolean is(JsonElement value, char kind) {
        return switch (kind) {
            case 's' -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
            case 'n' -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber();
            case 'b' -> value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean();
            case 'a' -> value.isJsonArray();
            default -> value.isJsonObject();
        };
    }
}
