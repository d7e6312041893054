/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** How real programs stall, and end otherwise than they should: the steps of one attempt each, under a name. */
public enum Quirk {
    /** Full success, then the process stays with its standard output open. */
    HANG_AFTER_RESULT("hangAfterResult", Persona.CLAUDE, success(new Step.Stall())),

    /** The last line is the result of a tool, then nothing. */
    HANG_AFTER_TOOL_RESULT(
            "hangAfterToolResult",
            Persona.CLAUDE,
            List.of(
                    say("init"),
                    new Step.Say(
                            Phrase.of("tool").with("tool", "Read").with("input", Map.of("file_path", "README.md"))),
                    say("toolResult", "content", "done"),
                    new Step.Stall())),

    /** Silent, but using the CPU; ends well after four seconds. */
    SILENT_BUT_WORKING(
            "silentButWorking",
            Persona.CLAUDE,
            List.of(
                    say("init"),
                    new WaitStep.Busy(Duration.ofSeconds(4)),
                    say("text", "text", "built"),
                    say("success", "result", "built"),
                    new Step.Exit(0))),

    /** All lines arrive in one burst at the end, after a second. */
    BLOCK_BUFFERED(
            "blockBuffered",
            Persona.CLAUDE,
            List.of(
                    new OutputStep.Burst(),
                    say("init"),
                    new Step.Delay(Duration.ofSeconds(1)),
                    say("text", "text", "pong"),
                    say("success", "result", "pong"),
                    new Step.Exit(0))),

    /** Nothing until standard input is closed. */
    WAITS_FOR_STDIN_EOF(
            "waitsForStdinEof",
            Persona.CODEX_EXEC,
            List.of(
                    new Step.Err("Reading additional input from stdin..."),
                    new InputStep.Stdin(StdinPolicy.EOF, false),
                    say("threadStarted"),
                    say("turnStarted"),
                    say("message", "text", "pong"),
                    say("turnCompleted"),
                    new Step.Exit(0))),

    /** Two lines, then silence. */
    STALL_AFTER_TURN_STARTED(
            "stallAfterTurnStarted",
            Persona.CODEX_EXEC,
            List.of(say("threadStarted"), say("turnStarted"), new Step.Stall())),

    /** Protocol noise for ever, no output. */
    HEARTBEAT_ONLY(
            "heartbeatOnly",
            Persona.PLAIN,
            List.of(new WaitStep.Heartbeat(Duration.ofMillis(20), "{\"type\":\"heartbeat\"}", OptionalInt.empty()))),

    /** Ends with 0, and a descendant keeps the pipe. */
    DESCENDANT_HOLDS_STDOUT(
            "descendantHoldsStdout",
            Persona.CLAUDE,
            List.of(
                    new Step.Spawn("holder", SpawnMode.ORPHAN, Set.of(), true, Step.Spawn.DEFAULT_LIFE),
                    say("init"),
                    say("text", "text", "pong"),
                    say("success", "result", "pong"),
                    new Step.Exit(0))),

    /** Says success and means an error; ends with 1. */
    API_ERROR_AS_SUCCESS(
            "apiErrorAsSuccess",
            Persona.CLAUDE,
            List.of(
                    say("init"),
                    new Step.Say(Phrase.of("apiErrorAsSuccess")
                            .with("text", "API Error: Overloaded")
                            .with("status", 529)),
                    new Step.Exit(1))),

    /** A good result, and exit code 1. */
    OK_BUT_EXIT_1("okButExit1", Persona.CLAUDE, success(new Step.Exit(1))),

    /** An error frame, and exit code 0. */
    ERROR_EXIT_0("errorExit0", Persona.OPENCODE, List.of(say("error", "message", "503 upstream"), new Step.Exit(0))),

    /** Nothing at all, and exit code 0. */
    EMPTY_EXIT_0("emptyExit0", Persona.OPENCODE, List.of(new Step.Exit(0))),

    /** An error frame, then success, and exit code 1. */
    RECOVERED_EXIT_1(
            "recoveredExit1",
            Persona.OPENCODE_V2,
            List.of(
                    say("stepStart"),
                    say("error", "message", "503 upstream"),
                    say("text", "text", "recovered"),
                    say("stepFinish"),
                    new Step.Exit(1))),

    /** The grandchild behind a launcher survives. */
    ORPHAN_MCP_SERVER(
            "orphanMcpServer",
            Persona.CLAUDE,
            List.of(
                    new Step.Spawn(
                            "launcher",
                            SpawnMode.NEW_SESSION,
                            Set.of(),
                            false,
                            Step.Spawn.DEFAULT_LIFE,
                            List.of(new Step.Spawn(
                                    "server", SpawnMode.CHILD, Set.of(), false, Step.Spawn.DEFAULT_LIFE))),
                    say("init"),
                    say("text", "text", "pong"),
                    say("success", "result", "pong"),
                    new Step.Exit(0)));

    private final String id;
    private final Persona persona;
    private final List<Step> steps;

    Quirk(String id, Persona persona, List<Step> steps) {
        this.id = id;
        this.persona = persona;
        this.steps = steps;
    }

    /** The name in scenario files, for example {@code hangAfterResult}. */
    public String id() {
        return id;
    }

    /** Whose program does this, and in whose phrases the steps are. */
    public Persona persona() {
        return persona;
    }

    /** The steps of an attempt that does it. */
    public List<Step> steps() {
        return steps;
    }

    /**
     * The quirk of this name in scenario files.
     *
     * @throws IllegalArgumentException if there is none, naming those there are
     */
    public static Quirk ofId(String id) {
        return Arrays.stream(values())
                .filter(quirk -> quirk.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown preset \"" + id + "\"; there are "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Quirk::id).toList())));
    }

    private static List<Step> success(Step last) {
        return List.of(say("init"), say("text", "text", "pong"), say("success", "result", "pong"), last);
    }

    private static Step say(String name) {
        return new Step.Say(Phrase.of(name));
    }

    private static Step say(String name, String key, String value) {
        return new Step.Say(Phrase.of(name).with(key, value));
    }
}
