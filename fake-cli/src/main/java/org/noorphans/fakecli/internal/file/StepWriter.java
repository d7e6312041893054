/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.file;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.internal.persona.Dialect;
import org.noorphans.fakecli.internal.persona.Macro;
import org.noorphans.fakecli.model.DialogueStep;
import org.noorphans.fakecli.model.EffectStep;
import org.noorphans.fakecli.model.InputStep;
import org.noorphans.fakecli.model.OutputStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.ProcessStep;
import org.noorphans.fakecli.model.Signal;
import org.noorphans.fakecli.model.Step;
import org.noorphans.fakecli.model.WaitStep;

/** Writes steps as the {@link StepReader} reads them. */
final class StepWriter {
    private final Persona persona;

    StepWriter(Persona persona) {
        this.persona = persona;
    }

    List<Object> steps(List<Step> steps) {
        List<Object> list = new ArrayList<>();
        steps.forEach(step -> list.add(step(step)));
        return list;
    }

    private Map<String, @Nullable Object> step(Step step) {
        if (step instanceof Step.Out out) {
            return map("out", out.line());
        } else if (step instanceof Step.Err err) {
            return map("err", err.line());
        } else if (step instanceof Step.Partial partial) {
            return map("partial", partial.text());
        } else if (step instanceof Step.Json json) {
            return map("json", json(json.object()));
        } else if (step instanceof Step.Say say) {
            return map("say", phrase(say.phrase()));
        } else if (step instanceof Step.Delay delay) {
            return map("delay", DurationText.of(delay.time()));
        } else if (step instanceof Step.Stall) {
            return map("stall", map("until", "killed"));
        } else if (step instanceof Step.Gate gate) {
            return map("gate", gate.name());
        } else if (step instanceof Step.Spawn spawn) {
            return map("spawn", spawn(spawn));
        } else if (step instanceof Step.Ignore ignore) {
            return map("ignore", ignore.signals().stream().map(Signal::name).toList());
        } else if (step instanceof Step.Exit exit) {
            return map("exit", exit.code());
        } else if (step instanceof Step.ExitAs exit) {
            return map("exitAs", exit.signal().name());
        } else if (step instanceof Step.Crash crash) {
            return map("crash", crash.signal().name());
        } else if (step instanceof OutputStep output) {
            return output(output);
        } else if (step instanceof WaitStep wait) {
            return wait(wait);
        } else if (step instanceof InputStep.Stdin stdin) {
            Map<String, @Nullable Object> map =
                    map("stdin", StepReader.camel(stdin.policy().name()));
            if (stdin.save()) {
                map.put("save", true);
            }
            return map;
        } else if (step instanceof ProcessStep process) {
            return process(process);
        } else if (step instanceof EffectStep effect) {
            return effect(effect);
        } else if (step instanceof DialogueStep dialogue) {
            return DialogueFile.write(dialogue);
        }
        throw new IllegalArgumentException("no file form for " + step.describe());
    }

    private static Map<String, @Nullable Object> output(OutputStep step) {
        if (step instanceof OutputStep.Bytes bytes) {
            return map("bytes", bytes.base64());
        } else if (step instanceof OutputStep.Replay replay) {
            return map("replay", replay.file());
        } else if (step instanceof OutputStep.Flood flood) {
            Map<String, @Nullable Object> map =
                    map("stream", StepReader.camel(flood.stream().name()));
            map.put("bytes", flood.bytes());
            return map("flood", map);
        }
        return map("burst", null);
    }

    private static Map<String, @Nullable Object> wait(WaitStep step) {
        if (step instanceof WaitStep.Busy busy) {
            return map("busy", DurationText.of(busy.time()));
        } else if (step instanceof WaitStep.Speed speed) {
            return map("speed", speed.factor());
        }
        WaitStep.Heartbeat heartbeat = (WaitStep.Heartbeat) step;
        Map<String, @Nullable Object> map = map("every", DurationText.of(heartbeat.every()));
        map.put("out", heartbeat.out());
        if (heartbeat.count().isPresent()) {
            map.put("count", heartbeat.count().getAsInt());
        } else {
            map.put("until", "killed");
        }
        return map("heartbeat", map);
    }

    private Map<String, @Nullable Object> process(ProcessStep step) {
        if (step instanceof ProcessStep.On on) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            on.handlers().forEach((signal, steps) -> map.put(signal.name(), steps.isEmpty() ? "log" : steps(steps)));
            return map("on", map);
        } else if (step instanceof ProcessStep.Respawn respawn) {
            Map<String, @Nullable Object> map = map("when", respawn.when().name());
            map.putAll(spawn(respawn.spawn()));
            map.put("holdStdout", respawn.spawn().holdStdout());
            return map("respawn", map);
        } else if (step instanceof ProcessStep.ExecSelf exec) {
            return map("execSelf", exec.arguments());
        }
        return map("closeStdout", null);
    }

    private Map<String, @Nullable Object> spawn(Step.Spawn spawn) {
        Map<String, @Nullable Object> map = map("id", spawn.id());
        map.put("mode", StepReader.camel(spawn.mode().name()));
        if (!spawn.ignore().isEmpty()) {
            map.put("ignore", spawn.ignore().stream().map(Signal::name).toList());
        }
        if (spawn.holdStdout()) {
            map.put("holdStdout", true);
        }
        if (!spawn.life().equals(Step.Spawn.DEFAULT_LIFE)) {
            map.put("life", DurationText.of(spawn.life()));
        }
        if (!spawn.steps().isEmpty()) {
            map.put("do", steps(spawn.steps()));
        }
        return map;
    }

    private static Map<String, @Nullable Object> effect(EffectStep step) {
        if (step instanceof EffectStep.Write write) {
            Map<String, @Nullable Object> map = map("write", write.path());
            map.put("text", write.text());
            return map("file", map);
        } else if (step instanceof EffectStep.Append append) {
            Map<String, @Nullable Object> map = map("append", append.path());
            map.put("text", append.text());
            return map("file", map);
        } else if (step instanceof EffectStep.Delete delete) {
            return map("file", map("delete", delete.path()));
        }
        EffectStep.Run run = (EffectStep.Run) step;
        if (run.life().equals(EffectStep.Run.DEFAULT_LIFE)) {
            return map("run", run.argv());
        }
        Map<String, @Nullable Object> map = map("argv", run.argv());
        map.put("life", DurationText.of(run.life()));
        return map("run", map);
    }

    /** As short as it can be: the name alone, the first value alone, or all values by name. */
    private Object phrase(Phrase phrase) {
        JsonObject values = phrase.object();
        if (values.isEmpty()) {
            return phrase.name();
        }
        Macro macro = Dialect.named(persona.dialect()).macro(phrase.name());
        String first =
                macro.parameters().isEmpty() ? "" : macro.parameters().get(0).name();
        if (values.size() == 1 && values.has(first) && values.get(first).isJsonPrimitive()) {
            return map(phrase.name(), plain(values.get(first)));
        }
        return map(phrase.name(), plain(values));
    }

    /** A mapping, unless that would not give the same text again. */
    static @Nullable Object json(String object) {
        Object tree = plain(JsonParser.parseString(object));
        return JsonText.of(tree).equals(object) ? tree : object;
    }

    private static @Nullable Object plain(JsonElement element) {
        if (element.isJsonNull()) {
            return null;
        }
        if (element.isJsonObject()) {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            element.getAsJsonObject().asMap().forEach((key, value) -> map.put(key, plain(value)));
            return map;
        }
        if (element.isJsonArray()) {
            List<@Nullable Object> list = new ArrayList<>();
            element.getAsJsonArray().forEach(each -> list.add(plain(each)));
            return list;
        }
        if (element.getAsJsonPrimitive().isBoolean()) {
            return element.getAsBoolean();
        }
        if (element.getAsJsonPrimitive().isNumber()) {
            String text = element.getAsString();
            return text.matches("-?\\d{1,18}") ? (Object) Long.valueOf(text) : element.getAsBigDecimal();
        }
        return element.getAsString();
    }

    static Map<String, @Nullable Object> map(String key, @Nullable Object value) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put(key, value);
        return map;
    }
}
