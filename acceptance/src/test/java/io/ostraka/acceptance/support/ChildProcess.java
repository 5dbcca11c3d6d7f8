package io.ostraka.acceptance.support;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The program in a process of its own, ended by its own handle. */
public final class ChildProcess implements AutoCloseable {
    private static final long START_SECONDS = 60;
    private static final long END_SECONDS = 30;

    private final Process process;
    private final Thread reading;
    private final List<String> lines = new ArrayList<>();
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private ChildProcess(Process process, Predicate<String> isReady) {
        this.process = process;
        reading = Thread.ofVirtual().start(() -> read(isReady));
    }

    /**
     * Starts the program and waits until it printed a line.
     *
     * @param isReady tells that line
     * @param arguments as after {@code ostraka}
     */
    public static ChildProcess start(Predicate<String> isReady, String... arguments) {
        return launch(isReady, arguments).awaitReady(arguments);
    }

    private ChildProcess awaitReady(String... arguments) {
        try {
            String unused = ready.get(START_SECONDS, TimeUnit.SECONDS);
            return this;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            kill();
            throw new AssertionError(String.join(" ", arguments) + " did not get ready: " + output(), e);
        }
    }

    /** Starts the program and waits for nothing. */
    public static ChildProcess launch(Predicate<String> isReady, String... arguments) {
        return launchClass(classPath(), "io.ostraka.server.cli.Main", isReady, arguments);
    }

    /** Starts another class of the tests and waits until it printed a line. */
    public static ChildProcess startClass(Class<?> program, Predicate<String> isReady, String... arguments) {
        return launchClass(classPath(), program.getName(), isReady, arguments).awaitReady(arguments);
    }

    /** Starts a program compiled into a folder, which may use all that the tests do, and waits for nothing. */
    public static ChildProcess program(String name, Path folder) {
        return launchClass(folder + File.pathSeparator + classPath(), name, line -> false);
    }

    /** Starts the program with a heap of so many megabytes and waits until it printed a line. */
    public static ChildProcess startInHeap(int megabytes, Predicate<String> isReady, String... arguments) {
        List<String> command = command(classPath(), "io.ostraka.server.cli.Main", arguments);
        command.set(1, "-Xmx" + megabytes + "m");
        return run(command, isReady).awaitReady(arguments);
    }

    private static ChildProcess launchClass(
            String classPath, String program, Predicate<String> isReady, String... arguments) {
        return run(command(classPath, program, arguments), isReady);
    }

    private static ChildProcess run(List<String> command, Predicate<String> isReady) {
        try {
            return new ChildProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start(), isReady);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words that start a class in a process of its own. */
    public static List<String> command(String classPath, String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                program));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Surefire puts the class path into a property of its own when it starts the JVM by a jar with a manifest. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private void read(Predicate<String> isReady) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
                if (isReady.test(line)) {
                    ready.complete(line);
                }
            }
        } catch (IOException e) {
            // The pipe of a killed process breaks.
            ready.completeExceptionally(e);
        } finally {
            ready.completeExceptionally(new AssertionError("the process ended"));
        }
    }

    /** The line it got ready with. */
    public String readyLine() {
        return ready.join();
    }

    /** What it printed so far. */
    public String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** SIGKILL, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        int unused = await();
    }

    /** SIGTERM, and waits until it is gone. */
    public int stop() {
        process.destroy();
        return await();
    }

    /** Waits until it is gone and {@link #output} is whole, and answers its exit code. */
    public int await() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the process did not end: " + output());
            }
            // What it printed last may still be on its way; a child of its own may hold the pipe open for longer.
            boolean unused = reading.join(Duration.ofSeconds(1));
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** A run of free ports, below those that systems give to whoever asks for any; somebody else could take them. */
    public static int freePorts(int count) {
        for (int attempt = 0; attempt < 50; attempt++) {
            int first = 20_000 + (int) ((ProcessHandle.current().pid() * 97 + System.nanoTime() / 1000) % 12_000);
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new AssertionError("no free ports");
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (!socket.isBound()) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
