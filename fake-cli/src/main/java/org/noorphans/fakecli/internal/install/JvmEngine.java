/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.install;

import com.google.gson.JsonElement;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import org.noorphans.fakecli.internal.dialogue.DialogueMain;
import org.noorphans.fakecli.internal.sh.ShellText;
import org.noorphans.fakecli.model.FakeCliInstallException;

/** What the shell needs to know to become the JVM that plays a dialogue. */
final class JvmEngine {
    /**
     * Measured on JDK 17: the compiler for short runs and the collector whose heap the shared archive holds start fastest
     * (on one processor Java would choose another one). No file in the temporary directory, no core, no report: the
     * crash of a fake is meant. What the machine says of its own accord must not get into the protocol.
     */
    private static final String OPTIONS = "-Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseG1GC -Xmx256m -XX:-UsePerfData"
            + " -XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null -XX:+DisplayVMOutputToStderr";

    private JvmEngine() {}

    /**
     * Shell text for {@code host.sh}: the function {@code fc_play}, which does not return.
     *
     * <p>Variables from which Java takes options are dropped: they print to standard error, and coverage agents ride on
     * them. They are in the record of the call all the same, which is written before. A path that is not ASCII needs a
     * locale in which Java understands it.
     *
     * @param why completes "… is needed for", for the message
     */
    static String shellText(String why) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        if (!Files.isExecutable(java)) {
            throw new FakeCliInstallException(java + " is needed for " + why
                    + ", but is not there; run with a whole JDK" + " or JRE, or leave the dialogue out");
        }
        String classPath = place(DialogueMain.class) + File.pathSeparator + place(JsonElement.class);
        return "fc_play() {\n"
                + "    fc_xrs=$1 fc_left=\n"
                + "    shift\n"
                + "    if [ -n \"$fc_until\" ]; then fc_clock; fc_left=$((fc_until - fc_now)); fi\n"
                + "    ulimit -c 0 2> /dev/null\n"
                + "    unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS\n"
                + "    case $fc_data in *[!\\ -~]*) LC_ALL=C.UTF-8; export LC_ALL ;; esac\n"
                + "    exec " + ShellText.quote(java.toString()) + " " + OPTIONS + " ${fc_xrs:+\"$fc_xrs\"} -cp "
                + ShellText.quote(classPath) + " " + DialogueMain.class.getName()
                + " \"$fc_data\" \"$fc_inv\" \"$fc_shell\" \"$fc_event_number\" \"$fc_left\""
                + " \"${fc_session-}\" \"${fc_number-}\" \"$@\"\n"
                + "}\n";
    }

    private static Path place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new FakeCliInstallException("cannot tell where " + type.getName()
                    + " was loaded from; dialogues need it in a file or directory of the class path or module path");
        }
        try {
            Path path = Path.of(source.getLocation().toURI());
            if (path.toString().contains(File.pathSeparator)) {
                throw new FakeCliInstallException(
                        path + " cannot be on a class path, since it contains \"" + File.pathSeparator + "\"; move it");
            }
            return path;
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new FakeCliInstallException("cannot use " + source.getLocation() + " as a class path", e);
        }
    }
}
