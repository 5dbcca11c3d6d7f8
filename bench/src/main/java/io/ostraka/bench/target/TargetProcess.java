package io.ostraka.bench.target;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server that runs, or one that was there before. */
public final class TargetProcess implements AutoCloseable {
    private static final List<String> OURS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseCompactObjectHeaders",
            "-Xss512k");
    /** What the launcher gives unless told otherwise. */
    private static final List<String> CHOSEN = List.of("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=40");

    private final TargetSpec spec;
    private final String uri;
    private final Optional<Process> process;
    private final BufferedReader answers;
    private final Writer questions;

    private TargetProcess(
            TargetSpec spec, String uri, Optional<Process> process, BufferedReader answers, Writer questions) {
        this.spec = spec;
        this.uri = uri;
        this.process = process;
        this.answers = answers;
        this.questions = questions;
    }

    public static TargetProcess start(TargetSpec spec) throws IOException {
        if (!spec.isStarted()) {
            return new TargetProcess(spec, spec.kind(), Optional.empty(), null, null);
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (!spec.kind().equals("mongo-java-server")) {
            command.addAll(OURS);
            boolean picksCollector = spec.options().stream().anyMatch(o -> o.contains("Use") && o.endsWith("GC"));
            command.addAll(picksCollector ? CHOSEN.subList(1, 2) : CHOSEN);
        }
        command.addAll(spec.options());
        command.addAll(List.of("-cp", classPath(spec), ServerMain.class.getName(), spec.kind()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        Writer questions = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        String line = answers.readLine();
        while (line != null && !line.startsWith("URI ")) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("the server " + spec.label() + " did not start");
        }
        return new TargetProcess(spec, line.substring(4), Optional.of(process), answers, questions);
    }

    private static String classPath(TargetSpec spec) {
        String own = System.getProperty("java.class.path");
        if (spec.library().isEmpty()) {
            return own;
        }
        // The product's jars from elsewhere stand first and win.
        File[] jars = new File(spec.library()).listFiles((_, name) -> name.endsWith(".jar"));
        if (jars == null || jars.length == 0) {
            throw new IllegalArgumentException("no jars in " + spec.library());
        }
        List<String> all =
                new ArrayList<>(Arrays.stream(jars).map(File::getPath).sorted().toList());
        all.add(own);
        return String.join(File.pathSeparator, all);
    }

    public TargetSpec spec() {
        return spec;
    }

    public String uri() {
        return uri;
    }

    /** Host and port of the first server. */
    public String address() {
        return uri.replaceFirst("^mongodb://", "").replaceFirst("[/,].*$", "");
    }

    public Optional<Long> pid() {
        return process.map(Process::pid);
    }

    /** Processor time it has used, in nanoseconds; 0 if it was not started here. */
    public long processorNanos() {
        return process.flatMap(p -> p.info().totalCpuDuration())
                .map(d -> d.toNanos())
                .orElse(0L);
    }

    /** Bytes its threads have allocated on the heap; 0 if it was not started here. */
    public synchronized long allocatedBytes() {
        return process.isEmpty() ? 0 : Long.parseLong(ask("allocated"));
    }

    private String ask(String question) {
        try {
            questions.write(question + "\n");
            questions.flush();
            String line = answers.readLine();
            while (line != null && !line.startsWith("ANSWER ")) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IOException("the server " + spec.label() + " ended");
            }
            return line.substring(7);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.ifPresent(running -> {
            try {
                questions.close();
                if (!running.waitFor(15, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            } catch (IOException e) {
                running.destroyForcibly();
            } catch (InterruptedException e) {
                running.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        });
    }
}
