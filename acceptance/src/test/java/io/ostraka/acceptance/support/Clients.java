package io.ostraka.acceptance.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** mongosh and Node, as {@code acceptance/package-lock.json} pins them. */
public final class Clients {
    /** What a client printed. */
    public record Ran(int exitCode, String output) {}

    private static final long MINUTES_MAX = 5;

    private Clients() {}

    private static Path modules() {
        return Path.of("node_modules").toAbsolutePath();
    }

    /** Skips a test where the clients are not installed; CI fails before it comes to that. */
    public static void assumePresent() {
        Assumptions.assumeTrue(
                Files.exists(modules().resolve(".bin/mongosh")),
                "mongosh is not installed: run ./ostraka test with Node.js");
    }

    /** Runs a script in mongosh, as if typed, and answers what it printed. */
    public static Ran mongosh(String connectionString, String script) {
        return run(
                List.of(modules().resolve(".bin/mongosh").toString(), "--quiet", "--norc", connectionString), script);
    }

    /** Runs a script in mongosh with {@code --file}. */
    public static Ran mongoshFile(String connectionString, String script) {
        try {
            Path file = Files.createTempFile("ostraka", ".js");
            try {
                Files.writeString(file, script, StandardCharsets.UTF_8);
                return run(
                        List.of(
                                modules().resolve(".bin/mongosh").toString(),
                                "--quiet",
                                "--norc",
                                connectionString,
                                "--file",
                                file.toString()),
                        "");
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a script in Node, with the driver at hand as {@code mongodb}. */
    public static Ran node(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of("node", "-", "--"));
        command.addAll(List.of(arguments));
        return run(command, script);
    }

    private static Ran run(List<String> command, String input) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("NODE_PATH", modules().toString());
            builder.environment()
                    .put(
                            "HOME",
                            Files.createDirectories(Path.of("target/home"))
                                    .toAbsolutePath()
                                    .toString());
            builder.directory(new File("."));
            Process process = builder.start();
            Thread feeding = Thread.ofVirtual().start(() -> feed(process, input));
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end: " + output);
            }
            feeding.join();
            return new Ran(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static void feed(Process process, String input) {
        try (var out = process.getOutputStream()) {
            out.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The client ended before it had read everything; what it printed says why.
            return;
        }
    }
}
