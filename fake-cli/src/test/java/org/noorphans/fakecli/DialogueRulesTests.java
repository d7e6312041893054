/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.noorphans.fakecli.model.DialogueStep;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.Signal;

class DialogueRulesTests {
    private static void refused(Persona persona, Consumer<Steps> attempt, String message) {
        assertThatThrownBy(() -> FakeCli.persona(persona).attempt(attempt).scenario())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void a_persona_without_a_protocol_has_no_dialogue() {
        refused(
                Persona.PLAIN,
                a -> a.dialogue(Dialogue::handshake),
                "attempt 0, step 1 (auto handshake): persona PLAIN speaks no protocol; dialogues have ACP, CLAUDE,"
                        + " CODEX_APP_SERVER");
    }

    @Test
    void a_reply_answers_something() {
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.expect("x").reply(Map.of()).fail(1, "no")),
                "attempt 0, step 3 (fail 1) has nothing to answer; put an expect before it that is not answered yet");
    }

    @Test
    void hands_are_shaken_once() {
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.handshake().handshake()),
                "attempt 0, step 2 (auto handshake): an attempt shakes hands once; expect the other calls by their"
                        + " methods");
    }

    @Test
    void short_forms_are_those_of_the_persona() {
        refused(
                Persona.CODEX_APP_SERVER,
                a -> a.dialogue(d -> d.ask(Map.of("permission", Map.of("tool", "x")))),
                "attempt 0, step 1 (ask): ask needs one of command, fileChange, userInput, or a whole message with"
                        + " method, but was given {\"permission\":{\"tool\":\"x\"}}");
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.notify(Map.of("txt", "pong"))),
                "attempt 0, step 1 (notify): notify needs one of commands, mode, plan, text, thought, tool, toolUpdate,"
                        + " userText, or a whole message with method or sessionUpdate, but was given"
                        + " {\"txt\":\"pong\"}");
    }

    @Test
    void a_virtual_machine_cannot_do_everything() {
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.expect("x")).crash(Signal.SEGV),
                "attempt 0, step 2 (crash SEGV): a dialogue is played by a Java virtual machine, which cannot end by"
                        + " SEGV; take another signal, such as KILL or ABRT, or exit with 139");
        refused(
                Persona.ACP,
                a -> a.ignore(Signal.TERM, Signal.QUIT).dialogue(d -> d.expect("x")),
                "attempt 0, step 1 (ignore): a dialogue is played by a Java virtual machine, which cannot ignore [QUIT];"
                        + " it can ignore [HUP, INT, USR1, ALRM, TERM]");
    }

    @Test
    void wrong_values_are_refused() {
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.expect(" ")),
                "attempt 0, step 1: expect needs a method, but was given \" \"");
        assertThatThrownBy(() -> new DialogueStep.Notify("{'a':1}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("notify is not JSON: ");
        assertThatThrownBy(() -> new DialogueStep.Notify("[]"))
                .hasMessage("notify needs one object, {…}, but was given: []");
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.notify(Map.of("text", new Object()))),
                "attempt 0, step 1: json cannot express a java.lang.Object; give maps, collections, strings, numbers,"
                        + " booleans or null");
        refused(
                Persona.ACP,
                a -> a.dialogue(d -> d.notify(Map.of("plan", List.of(Double.NaN)))),
                "attempt 0, step 1: json has no number NaN; give a finite one");
    }
}
