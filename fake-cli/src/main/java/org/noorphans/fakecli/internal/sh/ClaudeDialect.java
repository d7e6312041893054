/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.List;
import org.noorphans.fakecli.internal.json.JsonText;
import org.noorphans.fakecli.model.Phrase;
import org.noorphans.fakecli.model.Step;

/** Claude Code's {@code --output-format stream-json}. Values known only at run time are shell variables. */
final class ClaudeDialect implements Dialect {
    private static final Word SESSION =
            Word.of("\"session_id\":\"").variable("fc_session").text("\"");
    private static final String USAGE = "\"usage\":{\"input_tokens\":1,\"output_tokens\":1}";

    /** Arguments in both forms, "--model x" and "--model=x"; a word that begins with a hyphen is no value. */
    @Override
    public String setup() {
        return """
                fc_persona() {
                    fc_session= fc_model=fake-model fc_fork= fc_flag=
                    for fc_arg do
                        case $fc_arg in
                            --session-id=* | --resume=*) fc_session=${fc_arg#*=} fc_flag= ;;
                            --model=*) fc_model=${fc_arg#*=} fc_flag= ;;
                            --fork-session) fc_fork=1 fc_flag= ;;
                            -*) fc_flag=$fc_arg ;;
                            *)
                                case $fc_flag in
                                    --session-id | --resume | -r) fc_session=$fc_arg ;;
                                    --model) fc_model=$fc_arg ;;
                                esac
                                fc_flag=
                                ;;
                        esac
                    done
                    if [ -z "$fc_session" ] || [ -n "$fc_fork" ]; then
                        read -r fc_session < /proc/sys/kernel/random/uuid
                    fi
                    fc_json "$fc_session"; fc_session=$fc_text
                    fc_json "$fc_model"; fc_model=$fc_text
                    fc_json "$PWD"; fc_cwd=$fc_text
                }
                """;
    }

    @Override
    public String line(Phrase phrase, List<Step> before) {
        return switch (phrase.name()) {
            case "init" ->
                Word.of("{\"type\":\"system\",\"subtype\":\"init\",")
                        .append(SESSION)
                        .text(",\"model\":\"")
                        .variable("fc_model")
                        .text("\",\"cwd\":\"")
                        .variable("fc_cwd")
                        .text(
                                "\",\"tools\":[],\"mcp_servers\":[],\"permissionMode\":\"default\",\"apiKeySource\":\"none\"}")
                        .shell();
            case "text" ->
                Word.of("{\"type\":\"assistant\",\"message\":{\"id\":\"msg_fake_")
                        .variable("fc_pid")
                        .text("_" + (count("text", before) + 1))
                        .text("\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"")
                        .variable("fc_model")
                        .text("\",\"content\":[{\"type\":\"text\",\"text\":"
                                + JsonText.quote(phrase.values().get(0)))
                        .text("}],\"stop_reason\":\"end_turn\"," + USAGE + "},\"parent_tool_use_id\":null,")
                        .append(SESSION)
                        .text("}")
                        .shell();
            case "success" ->
                Word.of("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,")
                        .text("\"duration_ms\":12,\"duration_api_ms\":8,\"num_turns\":"
                                + Math.max(1, count("text", before)))
                        .text(",\"result\":" + JsonText.quote(phrase.values().get(0)) + ",")
                        .append(SESSION)
                        .text(",\"total_cost_usd\":0," + USAGE + "}")
                        .shell();
            default -> throw new IllegalArgumentException("Claude has no phrase " + phrase);
        };
    }

    private static long count(String name, List<Step> steps) {
        return steps.stream()
                .filter(step ->
                        step instanceof Step.Say say && say.phrase().name().equals(name))
                .count();
    }

    /** Literal text and variables, joined into one shell word. */
    private record Word(String shell) {
        static Word of(String literal) {
            return new Word(ShellText.quote(literal));
        }

        Word text(String literal) {
            return new Word(shell + ShellText.quote(literal));
        }

        Word variable(String name) {
            return new Word(shell + "\"$" + name + "\"");
        }

        Word append(Word other) {
            return new Word(shell + other.shell);
        }
    }
}
