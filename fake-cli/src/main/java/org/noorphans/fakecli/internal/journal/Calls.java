/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.journal;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.CallClass;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;
import org.noorphans.fakecli.model.ProcessIds;

/** The calls of one fake, and how they are told. */
public final class Calls {
    private final String fake;
    private final RecordReader reader;

    /** The calls recorded below this directory. */
    public Calls(String fake, Path records) {
        this.fake = fake;
        this.reader = new RecordReader(records);
    }

    /** All, in the order in which they began. */
    public List<Invocation> all() {
        return reader.read();
    }

    /** Those that drew a number in the class of attempts, by their numbers. */
    public List<Invocation> attempts() {
        return all().stream()
                .filter(call -> call.className().equals(Optional.of(CallClass.RUN))
                        && call.attempt().isPresent())
                .sorted(Comparator.comparingInt(call -> call.attempt().orElseThrow()))
                .toList();
    }

    /** Every fake, descendant and helper that is alive now, except these descendants. */
    public List<LiveProcess> survivors(List<String> mayLive) {
        List<LiveProcess> alive = new ArrayList<>();
        for (Invocation call : all()) {
            String name = name(call);
            add(alive, name, call.ids());
            for (Descendant kid : call.kids()) {
                if (!mayLive.contains(kid.id())) {
                    add(alive, kid.id() + " (" + kid.mode() + ") of " + name, kid.ids());
                }
            }
            for (ProcessIds helper : call.helpers()) {
                add(alive, "helper that waits for " + name, helper);
            }
        }
        return alive;
    }

    private static void add(List<LiveProcess> alive, String what, ProcessIds ids) {
        boolean known = alive.stream().anyMatch(each -> each.ids().pid() == ids.pid());
        if (!known && ids.isAlive()) {
            alive.add(new LiveProcess(what, ids));
        }
    }

    /** A call for people, for example {@code claude attempt 0}. */
    public String name(Invocation call) {
        String className = call.className().orElse("unmatched");
        if (call.attempt().isEmpty()) {
            return fake + " " + className + " call " + call.sequence();
        }
        String counted = className.equals(CallClass.RUN) ? "" : className + " ";
        return fake + " " + counted + "attempt " + call.attempt().getAsInt();
    }

    /** One line of JSON for each call. */
    public String toJsonl() {
        StringBuilder text = new StringBuilder();
        all().forEach(call -> text.append(JsonText.of(json(call))).append('\n'));
        return text.toString();
    }

    private JsonObject json(Invocation call) {
        JsonObject json = new JsonObject();
        json.addProperty("schema", "fakecli-journal/1");
        json.addProperty("fake", fake);
        json.addProperty("seq", call.sequence());
        json.add("class", JsonText.element(call.className().orElse(null)));
        json.add(
                "attempt",
                JsonText.element(call.attempt().isPresent() ? call.attempt().getAsInt() : null));
        json.add("key", JsonText.element(call.key().orElse(null)));
        json.addProperty("engine", "sh");
        json.add("argv", JsonText.element(call.argv()));
        json.add("cwd", JsonText.element(call.cwd().orElse(null)));
        json.add("env", environment(call));
        JsonObject stdin = new JsonObject();
        stdin.addProperty("policy", call.stdin().policy().name().toLowerCase(Locale.ROOT));
        stdin.addProperty("bytes", call.stdin().bytes());
        stdin.addProperty("eof", call.stdin().eof());
        stdin.add("sha256", JsonText.element(call.stdin().sha256().orElse(null)));
        stdin.add("text", JsonText.element(call.stdin().text().orElse(null)));
        json.add("stdin", stdin);
        json.add("ids", ids(call.ids()));
        JsonObject times = new JsonObject();
        times.addProperty("start", call.times().start().toString());
        times.add("firstOut", time(call.times().firstOut()));
        times.add("lastOut", time(call.times().lastOut()));
        times.add("end", time(call.times().end()));
        times.addProperty("clock", "mtime");
        json.add("times", times);
        JsonArray events = new JsonArray();
        call.timeline().forEach(event -> {
            JsonObject each = new JsonObject();
            each.addProperty("t", event.at().toString());
            each.addProperty("what", event.what());
            events.add(each);
        });
        json.add("events", events);
        JsonArray kids = new JsonArray();
        call.kids().forEach(kid -> {
            JsonObject each = new JsonObject();
            each.addProperty("id", kid.id());
            each.addProperty("mode", kid.mode().name());
            ids(kid.ids()).asMap().forEach(each::add);
            kids.add(each);
        });
        json.add("kids", kids);
        JsonArray helpers = new JsonArray();
        call.helpers().forEach(helper -> helpers.add(ids(helper)));
        json.add("helpers", helpers);
        json.add("end", end(call.end()));
        json.add("flags", JsonText.element(call.flags().stream().sorted().toList()));
        return json;
    }

    private static JsonObject environment(Invocation call) {
        JsonObject captured = new JsonObject();
        JsonArray names = new JsonArray();
        call.environment().forEach((name, value) -> {
            names.add(name);
            value.ifPresent(text -> captured.addProperty(name, text));
        });
        JsonObject environment = new JsonObject();
        environment.add("captured", captured);
        environment.add("names", names);
        environment.addProperty("redacted", names.size() - captured.size());
        return environment;
    }

    private static JsonObject ids(ProcessIds ids) {
        JsonObject json = new JsonObject();
        json.addProperty("pid", ids.pid());
        json.addProperty("ppid", ids.ppid());
        json.addProperty("pgid", ids.pgid());
        json.addProperty("sid", ids.sid());
        json.addProperty("startTicks", ids.startTicks());
        return json;
    }

    private static JsonElement time(Optional<Instant> time) {
        return JsonText.element(time.map(Instant::toString).orElse(null));
    }

    private static JsonObject end(End end) {
        JsonObject json = new JsonObject();
        if (end instanceof End.Exited exited) {
            json.addProperty("kind", "exit");
            json.addProperty("code", exited.code());
        } else if (end instanceof End.Crashed crashed) {
            json.addProperty("kind", "crash");
            json.addProperty("signal", crashed.signal().name());
        } else if (end instanceof End.Replaced) {
            json.addProperty("kind", "replaced");
        } else {
            json.addProperty("kind", end instanceof End.Running ? "running" : "missing");
        }
        return json;
    }
}
