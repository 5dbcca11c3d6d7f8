package io.ostraka.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.ostraka.wire.common.RecentLog;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The log of one program: set up once, rotated on demand, its last lines kept. Safe for many threads. */
public final class ServerLog implements RecentLog, AutoCloseable {
    /** How a full log gives way to a new one. */
    public enum Rotation {
        RENAME,
        REOPEN
    }

    private final Optional<Path> file;
    private final Rotation rotation;
    private final PrintStream terminal;
    private final Map<String, Deque<String>> recent = new HashMap<>();
    private final Map<String, Long> totals = new HashMap<>();
    private OutputStream out;

    private ServerLog(Optional<Path> file, Rotation rotation, PrintStream terminal) {
        this.file = file;
        this.rotation = rotation;
        this.terminal = terminal;
    }

    /**
     * Sets the log up for this JVM.
     *
     * @param file where it goes; empty for the terminal
     * @param append whether an existing file is added to; otherwise it is moved aside
     * @param verbosity 0 to 5: from 1 on, details
     * @param terminal standard output
     * @throws UncheckedIOException if the file cannot be written
     */
    public static ServerLog open(
            Optional<Path> file, boolean append, Rotation rotation, int verbosity, PrintStream terminal) {
        ServerLog log = new ServerLog(file, rotation, terminal);
        file.ifPresent(path -> {
            if (!append && Files.exists(path)) {
                log.moveAside(path);
            }
            log.openFile(path);
        });
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                log.write(event);
            }
        };
        appender.setContext(context);
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(verbosity > 0 ? Level.DEBUG : Level.INFO);
        // It warns, with stack traces, of every member that does not answer; we say once who leads and who is down.
        context.getLogger("org.apache.ratis").setLevel(verbosity > 0 ? Level.INFO : Level.ERROR);
        return log;
    }

    /** A log of which only warnings are shown. */
    public static ServerLog quiet(PrintStream terminal) {
        ServerLog log = open(Optional.empty(), true, Rotation.RENAME, 0, terminal);
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.ERROR);
        return log;
    }

    /**
     * Lets a component tell more or less.
     *
     * @param component as MongoDB names it; empty for all others; those within others go with them
     * @param level 0, from 1 on details, -1 as all others
     */
    public void verbosity(String component, int level) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level wanted = level < 0 ? null : level == 0 ? Level.INFO : Level.DEBUG;
        for (String name : loggers(component)) {
            context.getLogger(name).setLevel(wanted);
        }
    }

    private static List<String> loggers(String component) {
        return switch (component) {
            case "" -> List.of(org.slf4j.Logger.ROOT_LOGGER_NAME);
            case "command", "index", "write" -> List.of("COMMAND", "io.ostraka.node");
            case "control" -> List.of("CONTROL", "io.ostraka.server");
            case "network" -> List.of("NETWORK", "io.ostraka.wire");
            case "query" -> List.of("QUERY", "io.ostraka.query");
            case "replication" -> List.of("REPL", "io.ostraka.replication");
            case "sharding" -> List.of("SHARDING", "io.ostraka.sharding", "io.ostraka.router");
            case "storage" -> List.of("STORAGE", "io.ostraka.storage");
            default -> List.of();
        };
    }

    private void openFile(Path path) {
        try {
            if (path.toAbsolutePath().getParent() != null) {
                Files.createDirectories(path.toAbsolutePath().getParent());
            }
            out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("The log file " + path + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void moveAside(Path path) {
        try {
            String time = Files.getLastModifiedTime(path)
                    .toInstant()
                    .toString()
                    .replace(':', '-')
                    .substring(0, 19);
            Path aside = path.resolveSibling(path.getFileName() + "." + time);
            for (int more = 1; Files.exists(aside); more++) {
                aside = path.resolveSibling(path.getFileName() + "." + time + "-" + more); // twice in a second
            }
            Files.move(path, aside);
        } catch (IOException e) {
            throw new UncheckedIOException("The log file " + path + " cannot be moved aside: " + e.getMessage(), e);
        }
    }

    private synchronized void write(ILoggingEvent event) {
        String line = JsonLine.of(event);
        keep("global", line);
        if (event.getLevel().isGreaterOrEqual(Level.WARN) && isStartupWarning(event)) {
            keep("startupWarnings", line);
        }
        if (out == null) {
            terminal.println(line);
            return;
        }
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            terminal.println(line);
        }
    }

    private static boolean isStartupWarning(ILoggingEvent event) {
        return event.getKeyValuePairs() != null
                && event.getKeyValuePairs().stream().anyMatch(pair -> pair.key.equals("startupWarning"));
    }

    private void keep(String log, String line) {
        Deque<String> lines = recent.computeIfAbsent(log, ignored -> new ArrayDeque<>());
        lines.addLast(line);
        if (lines.size() > MAX_LINES) {
            lines.removeFirst();
        }
        totals.merge(log, 1L, Long::sum);
    }

    /** Closes the file and opens a new one, the old one moved aside unless somebody else does that. */
    public synchronized void rotate() {
        if (file.isEmpty()) {
            return;
        }
        try {
            out.close();
        } catch (IOException e) {
            terminal.println("closing the log failed: " + e.getMessage());
        }
        if (rotation == Rotation.RENAME) {
            moveAside(file.get());
        }
        openFile(file.get());
    }

    @Override
    public synchronized List<String> lines(String log) {
        return List.copyOf(recent.getOrDefault(log, new ArrayDeque<>()));
    }

    @Override
    public synchronized long total(String log) {
        return totals.getOrDefault(log, 0L);
    }

    @Override
    public synchronized void close() {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                terminal.println("closing the log failed: " + e.getMessage());
            }
            out = null;
        }
    }
}
