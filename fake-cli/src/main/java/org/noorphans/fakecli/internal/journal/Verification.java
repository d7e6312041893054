/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.journal;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.noorphans.fakecli.model.Descendant;
import org.noorphans.fakecli.model.End;
import org.noorphans.fakecli.model.Expect;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.LiveProcess;
import org.noorphans.fakecli.model.Scenario;

/** Compares what was planned with what happened. */
public final class Verification {
    private static final Pattern PROMPT = Pattern.compile("\\$\\{attempt(\\d{1,6})\\.prompt}");

    private final Scenario scenario;
    private final Calls calls;
    private final List<String> problems = new ArrayList<>();

    private Verification(Scenario scenario, Calls calls) {
        this.scenario = scenario;
        this.calls = calls;
    }

    /**
     * Everything that is not as planned or expected; empty if all is.
     *
     * @param settle how long processes may take to end
     */
    public static List<String> problems(Scenario scenario, Calls calls, Duration settle) {
        Verification verification = new Verification(scenario, calls);
        verification.attempts();
        for (Invocation call : calls.all()) {
            for (String flag : call.flags().stream().sorted().toList()) {
                verification.problems.add(calls.name(call) + " is flagged " + flag + ": " + call.arguments());
            }
        }
        verification.arguments();
        scenario.expect().each().forEach(verification::attempt);
        verification.processes(settle);
        return verification.problems;
    }

    private void attempts() {
        int planned = scenario.run().attempts().size();
        int made = calls.attempts().size();
        scenario.expect()
                .attempts()
                .ifPresentOrElse(
                        expected -> {
                            if (made != expected) {
                                problems.add("expected " + count(expected) + ", but " + made + was(made) + " made");
                            }
                        },
                        () -> {
                            if (made < planned) {
                                problems.add("planned " + count(planned) + ", but " + made + was(made) + " made");
                            }
                        });
    }

    private void arguments() {
        scenario.expect().distinct().ifPresent(flag -> {
            Set<String> values = new HashSet<>();
            for (Invocation call : calls.attempts()) {
                Optional<String> value = value(call, flag);
                if (value.isEmpty()) {
                    problems.add(calls.name(call) + " has no value of " + flag + ": " + call.arguments());
                } else if (!values.add(value.get())) {
                    problems.add(
                            calls.name(call) + " has a value of " + flag + " that another attempt had: " + value.get());
                }
            }
        });
        scenario.expect().absent().ifPresent(flag -> {
            for (Invocation call : calls.attempts()) {
                if (has(call, flag)) {
                    problems.add(calls.name(call) + " has the argument " + flag + ": " + call.arguments());
                }
            }
        });
    }

    private void attempt(int number, Expect.OfAttempt expected) {
        Optional<Invocation> found = calls.attempts().stream()
                .filter(call -> call.attempt().orElse(-1) == number)
                .findFirst();
        if (found.isEmpty()) {
            problems.add("attempt " + number + " was not made");
            return;
        }
        Invocation call = found.get();
        String name = calls.name(call);
        for (String argument : expected.argvHas()) {
            if (!has(call, argument)) {
                problems.add(name + " lacks the argument " + argument + ": " + call.arguments());
            }
        }
        for (String argument : expected.argvHasNot()) {
            if (has(call, argument)) {
                problems.add(name + " has the argument " + argument + ": " + call.arguments());
            }
        }
        stdin(call, name, expected);
        expected.exit().ifPresent(code -> {
            if (!call.end().equals(new End.Exited(code))) {
                problems.add(name + " should have ended with " + code + ", but its end is " + call.end());
            }
        });
        expected.signals().ifPresent(signals -> {
            if (!call.signals().equals(signals)) {
                problems.add(name + " should have noticed the signals " + signals + ", but noticed " + call.signals());
            }
        });
    }

    private void stdin(Invocation call, String name, Expect.OfAttempt expected) {
        if (expected.stdinContains().isEmpty() && expected.stdinNotContains().isEmpty()) {
            return;
        }
        Optional<String> input = call.stdin().text();
        if (input.isEmpty()) {
            problems.add(name + " saved no standard input; give its stdin step save: true");
            return;
        }
        for (String text : expected.stdinContains()) {
            if (!input.get().contains(resolve(text))) {
                problems.add(name + " did not read \"" + resolve(text) + "\"");
            }
        }
        for (String text : expected.stdinNotContains()) {
            String resolved = resolve(text);
            if (!resolved.isEmpty() && input.get().contains(resolved)) {
                problems.add(name + " read \"" + resolved + "\"");
            }
        }
    }

    private void processes(Duration settle) {
        List<String> mayLive = scenario.expect().mayLive();
        Poll.until(settle, () -> Optional.of(true).filter(yes -> alive(mayLive).isEmpty()));
        for (LiveProcess alive : alive(mayLive)) {
            problems.add("still alive: " + alive.what() + ", pid " + alive.ids().pid() + ", group "
                    + alive.ids().pgid() + ", session " + alive.ids().sid());
        }
        for (String id : scenario.expect().dead()) {
            if (calls.all().stream()
                    .flatMap(call -> call.kids().stream())
                    .map(Descendant::id)
                    .noneMatch(id::equals)) {
                problems.add("no descendant " + id + " was started");
            }
        }
    }

    private List<LiveProcess> alive(List<String> mayLive) {
        return calls.survivors(mayLive);
    }

    private String resolve(String text) {
        Matcher matcher = PROMPT.matcher(text);
        StringBuilder resolved = new StringBuilder();
        while (matcher.find()) {
            int number = Integer.parseInt(matcher.group(1));
            String prompt = calls.attempts().stream()
                    .filter(call -> call.attempt().orElse(-1) == number)
                    .findFirst()
                    .map(Verification::prompt)
                    .orElse("");
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(prompt));
        }
        return matcher.appendTail(resolved).toString();
    }

    /** What it was asked: the text of the first user line that it saved, or all it saved, or its last argument. */
    static String prompt(Invocation call) {
        Optional<String> saved = call.stdin().text().filter(text -> !text.isBlank());
        if (saved.isPresent()) {
            return userText(saved.get().lines().findFirst().orElse(""))
                    .orElse(saved.get().strip());
        }
        List<String> arguments = call.arguments();
        return arguments.isEmpty() ? "" : arguments.get(arguments.size() - 1);
    }

    private static Optional<String> userText(String line) {
        try {
            JsonElement parsed = JsonParser.parseString(line);
            if (!parsed.isJsonObject() || !parsed.getAsJsonObject().has("message")) {
                return Optional.empty();
            }
            JsonElement message = parsed.getAsJsonObject().get("message");
            JsonElement content =
                    message.isJsonObject() ? message.getAsJsonObject().get("content") : null;
            if (content == null) {
                return Optional.empty();
            }
            if (content.isJsonPrimitive()) {
                return Optional.of(content.getAsString());
            }
            JsonObject first = content.getAsJsonArray().get(0).getAsJsonObject();
            return Optional.ofNullable(first.get("text")).map(JsonElement::getAsString);
        } catch (JsonParseException | IllegalStateException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static boolean has(Invocation call, String flag) {
        return call.arguments().stream()
                .anyMatch(argument ->
                        argument.equals(flag) || (flag.startsWith("--") && argument.startsWith(flag + "=")));
    }

    private static Optional<String> value(Invocation call, String flag) {
        List<String> arguments = call.arguments();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).startsWith(flag + "=")) {
                return Optional.of(arguments.get(i).substring(flag.length() + 1));
            }
            if (arguments.get(i).equals(flag) && i + 1 < arguments.size()) {
                return Optional.of(arguments.get(i + 1));
            }
        }
        return Optional.empty();
    }

    private static String count(int number) {
        return number + (number == 1 ? " attempt" : " attempts");
    }

    private static String was(int number) {
        return number == 1 ? " was" : " were";
    }
}
