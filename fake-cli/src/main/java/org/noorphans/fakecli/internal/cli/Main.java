/* SPDX-License-Identifier: Apache-2.0 */
package org.noorphans.fakecli.internal.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.noorphans.fakecli.ScenarioFile;
import org.noorphans.fakecli.internal.install.HostTools;
import org.noorphans.fakecli.internal.install.Installed;
import org.noorphans.fakecli.internal.install.Installer;
import org.noorphans.fakecli.internal.journal.Calls;
import org.noorphans.fakecli.internal.journal.Verification;
import org.noorphans.fakecli.internal.sh.ShellCompiler;
import org.noorphans.fakecli.model.FakeCliInstallException;
import org.noorphans.fakecli.model.Invocation;
import org.noorphans.fakecli.model.Persona;
import org.noorphans.fakecli.model.ProcessIds;
import org.noorphans.fakecli.model.Scenario;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code java -jar noorphans-fake-cli.jar COMMAND}. Exit codes: 0 well, 1 something is not as it should be, 2 wrong
 * usage.
 */
@Command(
        name = "noorphans-fake-cli",
        description = "Fake agent command lines from scenario files.",
        mixinStandardHelpOptions = true,
        subcommands = {
            Main.Check.class,
            Main.Install.class,
            Main.Show.class,
            Main.Verify.class,
            Main.Release.class,
            Main.Remove.class,
            Main.Personas.class
        })
public final class Main implements Callable<Integer> {
    private static final String SCENARIO = "scenario.yaml";

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    Main() {}

    /** Runs a command and ends the JVM with its code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return line().execute(arguments);
    }

    /** The command line; tests give it writers of their own. */
    static CommandLine line() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((problem, line, parsed) -> {
            if (problem instanceof IllegalArgumentException
                    || problem instanceof FakeCliInstallException
                    || problem instanceof UncheckedIOException) {
                line.getErr().println(problem.getMessage());
                return 1;
            }
            throw problem;
        });
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    private static Scenario read(Path file) {
        Scenario scenario = ScenarioFile.read(file);
        ShellCompiler.compile(scenario);
        return scenario;
    }

    private static Calls calls(Path executable, Installed fake) {
        return new Calls(String.valueOf(executable.getFileName()), fake.records());
    }

    /** What the commands have in common. */
    @SuppressWarnings("NullAway.Init")
    private abstract static class Base implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        PrintWriter out() {
            return spec.commandLine().getOut();
        }

        PrintWriter err() {
            return spec.commandLine().getErr();
        }
    }

    @Command(
            name = "check",
            description = "Check scenario files; print everything that is wrong, with line and column.")
    @SuppressWarnings("NullAway.Init")
    static final class Check extends Base {
        @Parameters(arity = "1..*", paramLabel = "FILE", description = "YAML, or JSON if its name ends in .json")
        private List<Path> files;

        @Override
        public Integer call() {
            int code = 0;
            for (Path file : files) {
                try {
                    Scenario scenario = read(file);
                    int attempts = scenario.run().attempts().size();
                    out().println(file + ": ok, " + scenario.name() + ", " + attempts
                            + (attempts == 1 ? " attempt" : " attempts"));
                } catch (IllegalArgumentException | UncheckedIOException e) {
                    err().println(e.getMessage());
                    code = 1;
                }
            }
            return code;
        }
    }

    @Command(name = "install", description = "Install a scenario as an executable; print its path.")
    @SuppressWarnings("NullAway.Init")
    static final class Install extends Base {
        @Parameters(paramLabel = "FILE", description = "YAML, or JSON if its name ends in .json")
        private Path file;

        @Option(names = "--into", required = true, paramLabel = "DIR", description = "Where the executable goes.")
        private Path directory;

        @Option(
                names = "--life",
                paramLabel = "SECONDS",
                defaultValue = "120",
                description = "How long each call may wait; default: ${DEFAULT-VALUE}.")
        private long seconds;

        @Override
        public Integer call() throws IOException {
            if (seconds < 1 || seconds > 600) {
                throw new IllegalArgumentException("--life must be 1 to 600 seconds, but was " + seconds);
            }
            Scenario scenario = read(file);
            Path executable = Installer.on(HostTools.ofThisMachine())
                    .installForGood(scenario, directory, Duration.ofSeconds(seconds));
            Files.writeString(Installed.at(executable).file(SCENARIO), ScenarioFile.toYaml(scenario));
            out().println(executable);
            return 0;
        }
    }

    @Command(name = "journal", description = "Show what a fake did.")
    @SuppressWarnings("NullAway.Init")
    static final class Show extends Base {
        @Parameters(paramLabel = "EXECUTABLE", description = "The path that install printed.")
        private Path executable;

        @Option(names = "--json", description = "One line of JSON for each call.")
        private boolean json;

        @Override
        public Integer call() {
            Calls calls = calls(executable, Installed.at(executable));
            if (json) {
                out().print(calls.toJsonl());
                out().flush();
                return 0;
            }
            for (Invocation call : calls.all()) {
                out().println(calls.name(call) + "  pid " + call.ids().pid() + "  "
                        + call.times().start() + "  " + call.end()
                        + (call.flags().isEmpty() ? "" : "  " + call.flags()));
                out().println("  arguments  " + call.arguments());
                call.timeline().forEach(event -> out().println("  " + event.at() + "  " + event.what()));
                call.kids()
                        .forEach(kid -> out().println("  descendant " + kid.id() + " (" + kid.mode() + ")  pid "
                                + kid.pid() + (kid.isAlive() ? "  ALIVE" : "")));
            }
            return 0;
        }
    }

    @Command(name = "verify", description = "Compare what a fake did with its scenario.")
    @SuppressWarnings("NullAway.Init")
    static final class Verify extends Base {
        @Parameters(paramLabel = "EXECUTABLE", description = "The path that install printed.")
        private Path executable;

        @Override
        public Integer call() {
            Installed fake = Installed.at(executable);
            Scenario scenario = ScenarioFile.read(fake.file(SCENARIO));
            List<String> problems = Verification.problems(scenario, calls(executable, fake), Duration.ofSeconds(1));
            problems.forEach(err()::println);
            return problems.isEmpty() ? 0 : 1;
        }
    }

    @Command(name = "release", description = "Open a gate or stall of a fake.")
    @SuppressWarnings("NullAway.Init")
    static final class Release extends Base {
        @Parameters(index = "0", paramLabel = "EXECUTABLE", description = "The path that install printed.")
        private Path executable;

        @Parameters(index = "1", paramLabel = "GATE", description = "The name of a gate, or stall.run.N.")
        private String gate;

        @Override
        public Integer call() {
            Installed.at(executable).release(gate);
            return 0;
        }
    }

    @Command(name = "remove", description = "End what a fake started and delete it.")
    @SuppressWarnings("NullAway.Init")
    static final class Remove extends Base {
        @Parameters(paramLabel = "EXECUTABLE", description = "The path that install printed.")
        private Path executable;

        @Override
        public Integer call() {
            List<ProcessIds> alive = Installed.at(executable).remove();
            alive.forEach(ids -> err().println("could not end pid " + ids.pid()));
            return alive.isEmpty() ? 0 : 1;
        }
    }

    @Command(name = "personas", description = "List the personas and their phrases.")
    static final class Personas extends Base {
        @Override
        public Integer call() {
            for (Persona persona : Persona.values()) {
                out().println(persona.id() + "  installed as " + persona.command() + "  "
                        + (persona.phrases().isEmpty() ? "no phrases" : String.join(" ", persona.phrases())));
            }
            return 0;
        }
    }
}
