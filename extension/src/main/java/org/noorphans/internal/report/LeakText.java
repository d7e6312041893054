/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.internal.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.noorphans.model.Ancestor;
import org.noorphans.model.Evidence;
import org.noorphans.model.Leak;
import org.noorphans.model.LeakReport;
import org.noorphans.model.ProcessRow;
import org.noorphans.model.ScopeId;
import org.noorphans.model.ScopeKind;
import org.noorphans.model.SpawnSite;
import org.noorphans.model.Survivor;
import org.noorphans.model.Termination;

/** A leak report as text for people. */
public final class LeakText {
    private static final int COMMAND_WIDTH = 100;
    private static final int COMMAND_COLUMN = 36;
    private static final int FRAMES = 8;
    private static final int LINK_WIDTH = 60;

    private LeakText() {}

    /** The whole report; several lines, without a line break at the end. */
    public static String of(LeakReport report) {
        StringBuilder text = new StringBuilder();
        int count = report.leaks().size();
        text.append(headline(report.scope(), count)).append('\n');
        for (Leak leak : report.leaks()) {
            text.append('\n');
            append(text, leak, report.scope());
        }
        text.append('\n').append(footer(report));
        return text.toString();
    }

    private static String headline(ScopeId scope, int count) {
        return OneLine.escape(scope.name()) + " left " + count + (count == 1 ? " process" : " processes") + " running:";
    }

    private static void append(StringBuilder text, Leak leak, ScopeId scope) {
        Survivor survivor = leak.survivor();
        ProcessRow row = survivor.row();
        text.append("  pid ")
                .append(row.pid())
                .append("  ")
                .append(padded(OneLine.cut(OneLine.escape(survivor.commandLine()), COMMAND_WIDTH)))
                .append("  ")
                .append(facts(survivor))
                .append('\n');
        line(text, "started", "by " + chain(survivor));
        survivor.spawnSite().ifPresent(site -> appendFrames(text, site));
        if (!survivor.owner().equals(scope)) {
            line(text, "owner", OneLine.escape(survivor.owner().name()) + ", which had ended before this was seen");
        }
        line(
                text,
                "because",
                survivor.evidence().stream()
                        .map(Evidence::because)
                        .map(OneLine::escape)
                        .collect(Collectors.joining("; ")));
        line(text, "ended", ending(leak.termination()));
    }

    /** The user's frames; if there is none, the innermost ones of whoever started it. */
    private static void appendFrames(StringBuilder text, SpawnSite site) {
        List<StackTraceElement> frames = site.userFrames().isEmpty() ? site.frames() : site.userFrames();
        frames.stream()
                .limit(FRAMES)
                .forEach(frame -> text.append("              at ").append(frame).append('\n'));
        if (frames.size() > FRAMES) {
            text.append("              ... ").append(frames.size() - FRAMES).append(" more\n");
        }
    }

    private static String padded(String command) {
        return command + " ".repeat(Math.max(0, COMMAND_COLUMN - command.length()));
    }

    private static void line(StringBuilder text, String label, String value) {
        text.append("    ")
                .append(label)
                .append(" ".repeat(10 - label.length()))
                .append(value)
                .append('\n');
    }

    private static String facts(Survivor survivor) {
        ProcessRow row = survivor.row();
        StringBuilder facts = new StringBuilder("state ").append(row.state().letter());
        if (row.state().isStopped()) {
            facts.append(", ").append(row.state().words());
        }
        row.groupId().ifPresent(group -> facts.append(", group ").append(group));
        row.sessionId().ifPresent(session -> facts.append(", session ").append(session));
        facts.append(", parent ").append(row.parentPid());
        return facts.append(", age ").append(spell(survivor.age())).toString();
    }

    private static String chain(Survivor survivor) {
        StringBuilder chain = new StringBuilder();
        for (Ancestor link : survivor.chain()) {
            chain.append(OneLine.cut(OneLine.escape(brief(link.commandLine())), LINK_WIDTH))
                    .append(" (pid ")
                    .append(link.id().pid());
            link.endedAgo()
                    .ifPresent(
                            ago -> chain.append(", ended ").append(spell(ago)).append(" ago"));
            chain.append(") < ");
        }
        if (!survivor.chainComplete()) {
            chain.append("a process that was gone before it was seen < ");
        }
        chain.append("this ").append(survivor.owner().kind().word());
        Optional<String> thread = survivor.thread();
        thread.ifPresent(
                name -> chain.append(", thread \"").append(OneLine.escape(name)).append('"'));
        return chain.toString();
    }

    /** A command line with paths reduced to their last part: {@code sh claude -p} for {@code /bin/sh /opt/bin/claude -p}. */
    private static String brief(String commandLine) {
        return Arrays.stream(commandLine.split(" ", -1)).map(LeakText::lastPart).collect(Collectors.joining(" "));
    }

    private static String lastPart(String word) {
        int last = word.length() - 1;
        while (last > 0 && word.charAt(last) == '/') {
            last--;
        }
        return word.startsWith("/") && last > 0 ? word.substring(word.lastIndexOf('/', last) + 1) : word;
    }

    private static String ending(Termination termination) {
        String after = " after " + spell(termination.after());
        return how(termination, after)
                + termination
                        .problem()
                        .map(problem -> "; " + OneLine.escape(problem))
                        .orElse("");
    }

    private static String how(Termination termination, String after) {
        return switch (termination.outcome()) {
            case EXITED_BY_ITSELF -> "by itself, after the verdict";
            case EXITED_ON_REQUEST ->
                termination.termSent() ? "by SIGTERM" + after : "by the SIGTERM to its owner" + after;
            case ENDED_BY_FORCE ->
                "by SIGKILL" + after
                        + (termination.termSent()
                                ? " (it did not end on SIGTERM)"
                                : " (the SIGTERM to its owner did not end it)");
            case STILL_THERE -> "NOT: still there" + after;
            case NOT_PERMITTED -> "NOT: the system refused the signal (EPERM); it belongs to another user";
            case NOT_THE_SAME_PROCESS ->
                "by itself: its number belongs to another process now, which was not signalled";
            case LEFT_ALONE -> "NOT: left running, because kill = false";
        };
    }

    private static String footer(LeakReport report) {
        List<String> notes = new ArrayList<>();
        notes.add("Waited " + spell(report.settled()) + " for "
                + (report.leaks().size() == 1 ? "it" : "them") + " to end without help.");
        if (report.latecomers() > 0) {
            notes.add(report.latecomers() + " more that "
                    + (report.latecomers() == 1 ? "was" : "were") + " started meanwhile "
                    + (report.latecomers() == 1 ? "was" : "were") + " ended too.");
        }
        if (report.scope().kind() == ScopeKind.CLASS) {
            notes.add("A process that is started in @BeforeAll belongs to the class; end it in @AfterAll.");
        }
        notes.addAll(report.notes());
        return String.join(" ", notes);
    }

    /** A duration as people say it: {@code 12 ms}, {@code 3.2 s}, {@code 4 min}. */
    public static String spell(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 59_950) {
            String seconds = String.format(Locale.ROOT, "%.1f", millis / 1000.0);
            return (seconds.endsWith(".0") ? seconds.substring(0, seconds.length() - 2) : seconds) + " s";
        }
        return Math.max(1, duration.toMinutes()) + " min";
    }
}
