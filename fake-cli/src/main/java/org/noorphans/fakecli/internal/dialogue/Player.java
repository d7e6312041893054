/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plays the acts of an attempt, one after the other, on one thread.
 *
 * <h2>Basic approach</h2>
 *
 * <p>All that comes from outside is one queue of arrivals, and only waiting acts look at it. Whichever act waits, each
 * line that arrives is settled by the same rules, in this order: a response belongs to the request that it answers; what
 * cannot be read is answered with the protocol's error; a call that some act ahead expects is kept for it; a cancel of
 * the open turn leads straight to the reply that honours it; a call of the handshake is answered, once the handshake has
 * begun; everything else is kept, and refused as soon as an act expects something else. Nothing depends on how fast a
 * client is.
 *
 * <p>A stall settles nothing: silence is its meaning.
 */
final class Player {
    /** The methods that open a turn. */
    private static final Set<String> TURNS = Set.of("session/prompt", "turn/start", "user");

    /** The methods that cancel one. Too late, they are no mistake: the client could not know yet. */
    private static final Set<String> CANCELS = Set.of("session/cancel", "turn/interrupt", "interrupt");

    private static final Set<String> DIALOGUE = Set.of("expect", "reply", "fail", "notify", "ask", "beat");
    private static final long MILLI = 1_000_000;

    private final List<Act> acts;
    private final CallRecord record;
    private final Output out;
    private final Inbox inbox;
    private final Gates gates;
    private final Protocol protocol;
    private final Processes processes;

    private final ArrayDeque<Message> backlog = new ArrayDeque<>();
    private final Set<String> openQuestions = new HashSet<>();
    private final Set<String> openGates = new HashSet<>();
    private @Nullable Message answer;
    private boolean inputEnded;
    private boolean automatic;
    private boolean handshaking;
    private boolean cancelled;
    private int next;

    Player(
            List<Act> acts,
            CallRecord record,
            Output out,
            Inbox inbox,
            Gates gates,
            Protocol protocol,
            Processes processes) {
        this.acts = acts;
        this.record = record;
        this.out = out;
        this.inbox = inbox;
        this.gates = gates;
        this.protocol = protocol;
        this.processes = processes;
    }

    /** Plays to the end; the exit code. */
    int play() throws InterruptedException, IOException {
        try {
            while (next < acts.size()) {
                Act act = acts.get(next);
                next++;
                try {
                    if (!act.kind().equals("stall")) {
                        settleArrived();
                    }
                    perform(act);
                } catch (TurnCancelled e) {
                    next = e.reply;
                    cancelled = true;
                }
            }
            awaitInputEnd(true);
            return 0;
        } catch (Ended e) {
            return e.code;
        }
    }

    private void perform(Act act) throws InterruptedException, IOException {
        switch (act.kind()) {
            case "auto" -> handshake(act);
            case "expect" -> expect(act);
            case "reply" -> {
                protocol.reply(JsonTree.parse(act.text(0)), cancelled);
                record.event(cancelled ? "reply cancelled" : "reply");
                cancelled = false;
            }
            case "fail" -> {
                JsonElement data = act.text(2).isEmpty() ? null : JsonTree.parse(act.text(2));
                protocol.fail(Integer.parseInt(act.text(0)), act.text(1), data);
                record.event("fail " + act.text(0));
            }
            case "notify" -> protocol.tell(JsonTree.object(act.text(0)));
            case "ask" -> ask(act);
            case "beat" -> beat(act);
            case "line" -> out.line(act.text(0));
            case "text" -> out.text(act.text(0));
            case "bytes" -> out.bytes(Base64.getDecoder().decode(act.text(0)));
            case "err" -> out.error(act.text(0));
            case "closeStdout" -> out.close();
            case "delay" -> pause(System.nanoTime() + Long.parseLong(act.text(0)) * MILLI);
            case "gate" -> gate(act.text(0), act.text(1));
            case "stall" -> stall(act.text(0));
            case "stdin-eof" -> awaitInputEnd(false);
            case "ignore" -> processes.ignore(act.texts());
            case "spawn" -> {
                if (!processes.spawn(act.text(0), act.text(1))) {
                    throw broken("spawnFailed");
                }
                record.event("spawn " + act.text(2));
            }
            case "flood" -> flood(act.text(0).equals("ERR"), Long.parseLong(act.text(1)));
            case "replay" -> processes.replay(act.text(0));
            case "busy" -> busy(System.nanoTime() + Long.parseLong(act.text(0)) * MILLI);
            case "write", "append" -> write(act);
            case "delete" -> delete(act.text(0));
            case "run" ->
                processes.run(
                        Long.parseLong(act.text(0)),
                        act.texts().subList(1, act.texts().size()));
            case "exit" -> throw new Ended(Integer.parseInt(act.text(0)));
            case "crash" -> {
                record.end("crash " + act.text(0));
                processes.crash(act.text(0));
            }
            default -> throw new IllegalStateException("unknown act " + act.kind());
        }
    }

    // ---- dialogue ---------------------------------------------------------------------------------------------------

    private void handshake(Act act) throws InterruptedException {
        protocol.changeHandshake(JsonTree.object(act.text(0)));
        automatic = true;
        // What came before was kept, because nothing was automatic then.
        ArrayDeque<Message> early = new ArrayDeque<>(backlog);
        backlog.clear();
        handshaking = true;
        while (!protocol.isReady()) {
            if (early.isEmpty() && backlog.isEmpty()) {
                if (inputEnded) {
                    throw inputEnded("handshake");
                }
                settle(inbox.next());
                continue;
            }
            Message call = early.isEmpty() ? backlog.removeFirst() : early.removeFirst();
            if (protocol.mayComeFirst(call)) {
                backlog.addFirst(call);
                break;
            }
            if (!settleCall(call, false)) {
                refuse(call);
            }
        }
        handshaking = false;
        backlog.addAll(early);
        record.event("handshake");
    }

    private void expect(Act act) throws InterruptedException {
        String method = act.text(0);
        JsonElement pattern = act.text(1).isEmpty() ? null : JsonTree.parse(act.text(1));
        while (true) {
            Message call = backlog.isEmpty() ? nextCall("expect " + method) : backlog.removeFirst();
            if (!call.method().equals(method)) {
                if (!settleCall(call, true)) {
                    refuse(call);
                }
                continue;
            }
            String problem = protocol.check(call);
            if (problem == null && pattern != null && !JsonTree.matches(call.params(), pattern)) {
                problem = "the scenario expects " + act.text(1);
                protocol.refuseParameters(call, problem);
            }
            if (problem == null) {
                cancelled = false;
                protocol.begin(call, failsNext());
                record.event("expect " + method);
                settleEarlyCancel();
                return;
            }
            record.event("unexpected " + method + ": " + problem);
            record.flag("unexpected");
        }
    }

    /** A client may cancel right after it has asked, when its call has not been looked at yet. */
    private void settleEarlyCancel() {
        for (Message call : backlog) {
            if (TURNS.contains(call.method())) {
                return;
            }
            if (protocol.isCancel(call)) {
                backlog.remove(call);
                settleCall(call, false);
                return;
            }
        }
    }

    private boolean isTurnWaiting() {
        for (Message call : backlog) {
            if (TURNS.contains(call.method())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the scenario's next word to the client is a failure. */
    private boolean failsNext() {
        for (int i = next; i < acts.size(); i++) {
            String kind = acts.get(i).kind();
            if (DIALOGUE.contains(kind)) {
                return kind.equals("fail");
            }
        }
        return false;
    }

    private void ask(Act act) throws InterruptedException {
        Protocol.Question question = protocol.ask(JsonTree.object(act.text(0)));
        openQuestions.add(question.id());
        record.event("ask " + question.method());
        answer = null;
        while (answer == null || !answer.id().getAsString().equals(question.id())) {
            if (inputEnded) {
                throw inputEnded("ask " + question.method());
            }
            settle(inbox.next());
        }
        Message got = answer;
        String gist = got.kind() == Message.Kind.ERROR_RESPONSE ? "error" : protocol.gist(got);
        record.event(("answer " + question.method() + " " + gist).strip());
        if (!act.text(1).isEmpty() && !JsonTree.matches(got.params(), JsonTree.parse(act.text(1)))) {
            record.event("unexpected answer: the scenario expects " + act.text(1));
            record.flag("unexpected");
        }
    }

    private void beat(Act act) throws InterruptedException {
        long every = Long.parseLong(act.text(0)) * MILLI;
        // A count of -1 never becomes zero.
        for (long left = Long.parseLong(act.text(1)); left != 0; left--) {
            pause(System.nanoTime() + every);
            if (act.text(2).equals("notify")) {
                protocol.tell(JsonTree.object(act.text(3)));
            } else {
                out.line(act.text(3));
            }
        }
    }

    // ---- effects ----------------------------------------------------------------------------------------------------

    private void flood(boolean toError, long bytes) throws IOException {
        byte[] line = "x".repeat(1023).concat("\n").getBytes(StandardCharsets.US_ASCII);
        for (long left = bytes; left > 0; left -= line.length) {
            byte[] part = left >= line.length
                    ? line
                    : "x".repeat((int) left - 1).concat("\n").getBytes(StandardCharsets.US_ASCII);
            if (toError) {
                out.errorBytes(part);
            } else {
                out.bytes(part);
            }
        }
    }

    /** Uses the processor; calls are answered all the same. */
    private void busy(long end) {
        while (System.nanoTime() < end) {
            settleArrived();
        }
    }

    private void write(Act act) {
        boolean more = act.kind().equals("append");
        try {
            Files.writeString(
                    Path.of(act.text(0)),
                    act.text(1),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    more ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING);
            record.event("file " + act.kind());
        } catch (IOException | InvalidPathException e) {
            throw broken("fileFailed");
        }
    }

    private void delete(String path) {
        try {
            Files.deleteIfExists(Path.of(path));
            record.event("file delete");
        } catch (IOException | InvalidPathException e) {
            throw broken("fileFailed");
        }
    }

    // ---- waits ------------------------------------------------------------------------------------------------------

    private void pause(long end) throws InterruptedException {
        for (Arrival arrival = inbox.next(end); arrival != null; arrival = inbox.next(end)) {
            settle(arrival);
        }
    }

    private void gate(String file, String event) throws InterruptedException {
        gates.open(file);
        record.event(event);
        while (!openGates.contains(file)) {
            settle(inbox.next());
        }
    }

    /** Only the gate counts; all else stays in the queue, in its order. */
    private void stall(String file) throws InterruptedException {
        gates.open(file);
        record.event("stall");
        ArrayDeque<Arrival> later = new ArrayDeque<>();
        while (!openGates.contains(file)) {
            Arrival arrival = inbox.next();
            if (arrival instanceof Arrival.GateOpen) {
                settle(arrival);
            } else {
                later.add(arrival);
            }
        }
        for (Arrival arrival : later) {
            settle(arrival);
        }
    }

    /**
     * Waits until the client closes standard input.
     *
     * @param refusing whether no act follows, so that whatever comes is refused
     */
    private void awaitInputEnd(boolean refusing) throws InterruptedException {
        while (true) {
            while (refusing && !backlog.isEmpty()) {
                refuse(backlog.removeFirst());
            }
            if (inputEnded) {
                return;
            }
            settle(inbox.next());
        }
    }

    private void settleArrived() {
        for (Arrival arrival = inbox.poll(); arrival != null; arrival = inbox.poll()) {
            settle(arrival);
        }
    }

    /** The next call that is nobody's yet. */
    private Message nextCall(String what) throws InterruptedException {
        while (backlog.isEmpty()) {
            if (inputEnded) {
                throw inputEnded(what);
            }
            settle(inbox.next());
        }
        return backlog.removeFirst();
    }

    // ---- arrivals ---------------------------------------------------------------------------------------------------

    private void settle(Arrival arrival) {
        if (arrival instanceof Arrival.Line line) {
            settle(protocol.read(line.line()));
        } else if (arrival instanceof Arrival.BadLine bad) {
            settle(Message.malformed(bad.problem(), JsonNull.INSTANCE, JsonRpc.PARSE_ERROR));
        } else if (arrival instanceof Arrival.GateOpen gate) {
            openGates.add(gate.file());
        } else if (arrival instanceof Arrival.InputEnd) {
            inputEnded = true;
            record.event("eof");
        } else if (arrival instanceof Arrival.SignalCame signal) {
            record.event("signal " + signal.name() + " ignored");
        }
    }

    private void settle(Message message) {
        if (message.isResponse()) {
            String id = message.hasId() ? message.id().getAsString() : "";
            if (openQuestions.remove(id)) {
                answer = message;
            } else {
                record.event("unexpected response " + id);
                record.flag("unexpected");
            }
        } else if (message.kind() == Message.Kind.MALFORMED) {
            record.event("malformed: " + message.method());
            record.flag("malformed");
            int code = protocol.malformed(message);
            if (code >= 0) {
                throw new Ended(code);
            }
        } else if (!settleCall(message, true)) {
            backlog.add(message);
        }
    }

    /**
     * Settles a call that no waiting act expects; false if there is nothing to be done with it yet.
     *
     * @param keep whether to keep what an act ahead expects
     */
    private boolean settleCall(Message call, boolean keep) {
        if (keep && !handshaking && isExpected(call.method())) {
            return false;
        }
        if (keep && CANCELS.contains(call.method()) && isTurnWaiting()) {
            // It may be about the turn that waits, and must not overtake it.
            return false;
        }
        if (protocol.isCancel(call)) {
            protocol.acceptCancel(call);
            int reply = replyAhead();
            record.event(reply < 0 ? "cancel ignored" : "cancel");
            if (reply >= 0) {
                throw new TurnCancelled(reply);
            }
            return true;
        }
        if ((automatic || CANCELS.contains(call.method())) && protocol.answer(call)) {
            record.event("auto " + call.method());
            return true;
        }
        return false;
    }

    /** Whether the act that waits now, or one after it, expects this method. */
    private boolean isExpected(String method) {
        for (int i = Math.max(0, next - 1); i < acts.size(); i++) {
            Act act = acts.get(i);
            if (act.kind().equals("expect") && act.text(0).equals(method)) {
                return true;
            }
        }
        return false;
    }

    /** The reply of the open turn if it honours a cancel, from the waiting act on; -1 if there is none. */
    private int replyAhead() {
        for (int i = Math.max(0, next - 1); i < acts.size(); i++) {
            Act act = acts.get(i);
            if (act.kind().equals("expect") && TURNS.contains(act.text(0)) && i >= next) {
                return -1;
            }
            if (act.kind().equals("reply")) {
                return act.text(1).equals("honour") ? i : -1;
            }
        }
        return -1;
    }

    private void refuse(Message call) {
        record.event("unexpected " + call.method());
        record.flag("unexpected");
        protocol.refuse(call);
    }

    // ---- ends -------------------------------------------------------------------------------------------------------

    private Ended inputEnded(String what) {
        out.error("fake: standard input ended, but the scenario waits at: " + what);
        return broken("inputEnded");
    }

    private Ended broken(String flag) {
        record.flag(flag);
        return new Ended(98);
    }

    /** The end of the fake, from wherever it is decided. */
    static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;

        final int code;

        Ended(int code) {
            super(null, null, false, false);
            this.code = code;
        }
    }

    /** The client has cancelled the open turn; goes to its reply. */
    private static final class TurnCancelled extends RuntimeException {
        private static final long serialVersionUID = 1;

        final int reply;

        TurnCancelled(int reply) {
            super(null, null, false, false);
            this.reply = reply;
        }
    }
}
