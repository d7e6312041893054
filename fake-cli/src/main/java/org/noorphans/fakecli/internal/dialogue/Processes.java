/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.dialogue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Signals and descendants.
 *
 * <p>{@code sun.misc.Signal} is part of the supported module jdk.unsupported, but a compiler warns of it all the same;
 * hence by reflection, and only where a scenario needs it.
 */
final class Processes {
    private static final long SPAWN_SECONDS = 10;
    private static final long DEATH_SECONDS = 10;

    private final String shell;
    private final Path data;
    private final List<String> call;
    private final CallRecord record;
    private final Inbox inbox;
    private final long pid = ProcessHandle.current().pid();

    /**
     * The processes of a call.
     *
     * @param arguments those of {@link DialogueMain#main}
     */
    Processes(String[] arguments, CallRecord record, Inbox inbox) {
        this.shell = arguments[2];
        this.data = Path.of(arguments[0]);
        this.call = List.of(arguments).subList(5, arguments.length);
        this.record = record;
        this.inbox = inbox;
    }

    /**
     * Notes these signals and does nothing else. They are handled, not ignored in the kernel's sense, because that would
     * be inherited by descendants, and no shell can undo it.
     */
    void ignore(List<String> signals) {
        for (String signal : signals) {
            handle(
                    signal,
                    Proxy.newProxyInstance(
                            Processes.class.getClassLoader(),
                            new Class<?>[] {signalClass("sun.misc.SignalHandler")},
                            new Noting(signal)));
        }
    }

    /** Gives a signal the effect that it has on a program that says nothing about it. */
    void reset(String signal) {
        try {
            handle(
                    signal,
                    signalClass("sun.misc.SignalHandler").getField("SIG_DFL").get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends this process by a signal. Does not return. */
    void crash(String signal) throws IOException, InterruptedException {
        boolean byDefault = signal.equals("KILL") || signal.equals("QUIT");
        if (!byDefault) {
            try {
                reset(signal);
            } catch (IllegalStateException e) {
                // The virtual machine was told to leave this one alone, so its effect is the usual one.
            }
        }
        new ProcessBuilder(shell, "-c", "kill -" + signal + " " + pid)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        TimeUnit.SECONDS.sleep(DEATH_SECONDS);
        Runtime.getRuntime().halt(97);
    }

    /**
     * Starts a descendant by the shell text of its step, and waits until it lives.
     *
     * @param program the file with that text
     * @param number the number of the descendant in this attempt
     */
    boolean spawn(String program, String number) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(shell, data.resolve(program).toString(), data.toString(), record.directory()));
        command.addAll(call);
        Process process = start(command);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SPAWN_SECONDS);
        while (System.nanoTime() < end) {
            if (isRunning(number)) {
                return true;
            }
            if (!process.isAlive() && process.exitValue() != 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return false;
    }

    /**
     * Until the exec its command line is still the shell's; what does something says itself when it is ready. Gone
     * counts: it did live, and something has ended it.
     */
    private boolean isRunning(String number) throws IOException {
        Path file = record.file("kid.".concat(number));
        if (!Files.exists(file)) {
            return false;
        }
        String line = Files.readString(file);
        if (!line.endsWith("\n")) {
            return false;
        }
        if (Files.exists(record.file("up.".concat(number)))) {
            return true;
        }
        String[] words = line.split(" ", -1);
        try {
            String stat =
                    new String(Files.readAllBytes(Path.of("/proc", words[2], "stat")), StandardCharsets.ISO_8859_1);
            String state = stat.substring(stat.lastIndexOf(')') + 1).strip();
            return stat.contains("(sleep) ") || state.startsWith("Z");
        } catch (IOException e) {
            return true;
        }
    }

    /** Prints a recording. */
    void replay(String program) throws IOException, InterruptedException {
        start(List.of(shell, data.resolve(program).toString())).waitFor();
        record.said();
    }

    /** Runs a program and waits for it, at most this long. */
    void run(long millis, List<String> command) throws IOException, InterruptedException {
        String code;
        try {
            Process process = start(command);
            record.helper(process.pid());
            if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                record.flag("runTooLong");
            }
            code = Integer.toString(process.waitFor());
        } catch (IOException e) {
            // As a shell says it.
            code = "127";
        }
        record.event("run " + command.get(0) + " " + code);
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void handle(String signal, @Nullable Object handler) {
        try {
            Class<?> signals = signalClass("sun.misc.Signal");
            Object one = signals.getConstructor(String.class).newInstance(signal);
            signals.getMethod("handle", signals, signalClass("sun.misc.SignalHandler"))
                    .invoke(null, one, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot handle " + signal, e);
        }
    }

    private static Class<?> signalClass(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this Java lacks the module jdk.unsupported", e);
        }
    }

    private final class Noting implements InvocationHandler {
        private final String signal;

        private Noting(String signal) {
            this.signal = signal;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            switch (method.getName()) {
                case "handle" -> {
                    inbox.add(new Arrival.SignalCame(signal));
                    return null;
                }
                case "hashCode" -> {
                    return signal.hashCode();
                }
                case "equals" -> {
                    return arguments != null && proxy == arguments[0];
                }
                default -> {
                    return signal;
                }
            }
        }
    }
}
