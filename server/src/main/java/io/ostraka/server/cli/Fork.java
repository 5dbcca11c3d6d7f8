package io.ostraka.server.cli;

import io.ostraka.server.process.StartRefused;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code --fork}: starts this program again, detached, waits until it accepts connections, and says so. The child tells
 * its fate in a file named by the property {@value #READY}.
 */
final class Fork {
    private static final String READY = "ostraka.ready";
    private static final String OK = "ok";
    /** Seconds a child may take to accept connections. */
    private static final int START_SECONDS = 120;

    private final Console console;

    Fork(Console console) {
        this.console = console;
    }

    static boolean isChild(Console console) {
        return !console.property(READY, "").isEmpty();
    }

    static void tellReady(Console console) {
        tell(console, OK);
    }

    static void tellFailed(Console console, RuntimeException failure) {
        tell(console, String.valueOf(failure.getMessage()));
    }

    private static void tell(Console console, String fate) {
        if (isChild(console)) {
            try {
                Files.writeString(Path.of(console.property(READY, "")), fate, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new StartRefused("The parent process cannot be told: " + e.getMessage());
            }
        }
    }

    ExitCode run(String program, List<String> arguments) {
        try {
            Path ready = Files.createTempFile("ostraka", ".ready");
            try {
                console.out().println("about to fork child process, waiting until server is ready for connections.");
                Process child = start(ready, program, arguments);
                console.out().println("forked process: " + child.pid());
                return await(child, ready);
            } finally {
                Files.deleteIfExists(ready);
            }
        } catch (IOException e) {
            throw new StartRefused("The child process cannot be started: " + e.getMessage());
        }
    }

    private static Process start(Path ready, String program, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        // A session of its own keeps the terminal's signals away; where there is no setsid, the child lives on all the
        // same.
        if (new File("/usr/bin/setsid").canExecute()) {
            command.add("/usr/bin/setsid");
        }
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-D" + READY + "=" + ready);
        command.add("-cp");
        command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
        command.add(Main.class.getName());
        command.add(program);
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private ExitCode await(Process child, Path ready) throws IOException {
        try {
            for (int tenths = 0; tenths < START_SECONDS * 10; tenths++) {
                boolean gone = child.waitFor(100, TimeUnit.MILLISECONDS);
                String fate = Files.readString(ready, StandardCharsets.UTF_8);
                if (fate.equals(OK)) {
                    console.out().println("child process started successfully, parent exiting");
                    return ExitCode.CLEAN;
                }
                if (gone) {
                    console.err()
                            .println("ERROR: child process failed, exited with " + child.exitValue() + ": " + fate);
                    return child.exitValue() == ExitCode.PORT_IN_USE.number() ? ExitCode.PORT_IN_USE : ExitCode.FAILED;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        console.err()
                .println("ERROR: child process does not accept connections after " + START_SECONDS + " s; ending it");
        child.destroy();
        return ExitCode.FAILED;
    }
}
