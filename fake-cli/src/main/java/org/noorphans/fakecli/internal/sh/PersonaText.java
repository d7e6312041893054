/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.sh;

import java.util.ArrayList;
import java.util.List;
import org.noorphans.fakecli.internal.persona.Dialect;

/** How a persona's fake finds out session and model. */
final class PersonaText {
    private PersonaText() {}

    /**
     * Shell text that defines {@code fc_persona}, called with the arguments. Arguments come in both forms,
     * {@code --model x} and {@code --model=x}; a word that begins with a hyphen is no value. A session that is known
     * already stays.
     */
    static String of(Dialect dialect) {
        List<String> session = dialect.sessionFlags();
        List<String> words =
                session.stream().filter(flag -> !flag.startsWith("-")).toList();
        return "fc_persona() {\n"
                + "    fc_given=${fc_session-} fc_session= fc_model=fake-model fc_fork= fc_flag=\n"
                + "    for fc_arg do\n"
                + "        case $fc_arg in\n"
                + equals(session, "fc_session")
                + equals(dialect.modelFlags(), "fc_model")
                + (dialect.forkFlags().isEmpty()
                        ? ""
                        : "            " + String.join(" | ", dialect.forkFlags()) + ") fc_fork=1 fc_flag= ;;\n")
                + "            -*" + words.stream().map(word -> " | " + word).reduce("", String::concat)
                + ") fc_flag=$fc_arg ;;\n"
                + "            *)\n"
                + "                case $fc_flag in\n"
                + "                    " + String.join(" | ", session) + ") fc_session=$fc_arg ;;\n"
                + "                    " + String.join(" | ", dialect.modelFlags()) + ") fc_model=$fc_arg ;;\n"
                + "                esac\n"
                + "                fc_flag=\n"
                + "                ;;\n"
                + "        esac\n"
                + "    done\n"
                + "    [ -z \"$fc_given\" ] || fc_session=$fc_given\n"
                + "    if [ -z \"$fc_session\" ] || { [ -n \"$fc_fork\" ] && [ -z \"$fc_given\" ]; }; then\n"
                + "        read -r fc_session < /proc/sys/kernel/random/uuid\n"
                + "    fi\n"
                + "}\n";
    }

    private static String equals(List<String> flags, String variable) {
        List<String> patterns = new ArrayList<>();
        flags.stream().filter(flag -> flag.startsWith("--")).forEach(flag -> patterns.add(flag + "=*"));
        return patterns.isEmpty()
                ? ""
                : "            " + String.join(" | ", patterns) + ") " + variable + "=${fc_arg#*=} fc_flag= ;;\n";
    }
}
