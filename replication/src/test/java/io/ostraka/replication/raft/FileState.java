package io.ostraka.replication.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ostraka.replication.LogEntry;
import io.ostraka.replication.LogPosition;
import io.ostraka.replication.ReplicatedState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Keeps the texts it was given, in order, in a file that outlives a group. */
final class FileState implements ReplicatedState {
    private static final String FILE = "state";

    private final Path file;
    private final List<String> texts = new ArrayList<>();
    private LogPosition applied;
    private int restores;

    FileState(Path folder) {
        file = folder.resolve(FILE);
        if (Files.exists(file)) {
            read(file);
        } else {
            applied = LogPosition.start(new UUID(0, 0));
        }
    }

    @Override
    public synchronized void apply(List<LogEntry> entries) {
        for (LogEntry entry : entries) {
            if (entry.proposalTerm() == entry.position().term() && entry.proposal().length > 0) {
                texts.add(new String(entry.proposal(), UTF_8));
            }
            applied = entry.position();
        }
    }

    synchronized int restores() {
        return restores;
    }

    synchronized List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public synchronized LogPosition applied() {
        return applied;
    }

    @Override
    public synchronized void moveTo(LogPosition position) {
        applied = position;
    }

    /** What a clean stop writes; a kill loses it. */
    synchronized void write() {
        write(file);
    }

    private void write(Path to) {
        try {
            List<String> lines = new ArrayList<>();
            lines.add(applied.incarnation() + " " + applied.term() + " " + applied.index());
            lines.addAll(texts);
            Files.writeString(to, String.join("\u0000", lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Path from) {
        try {
            String[] lines = Files.readString(from).split("\u0000", -1);
            String[] at = lines[0].split(" ");
            applied = new LogPosition(UUID.fromString(at[0]), Long.parseLong(at[1]), Long.parseLong(at[2]));
            texts.clear();
            texts.addAll(List.of(lines).subList(1, lines.length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void save(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        write(folder.resolve(FILE));
    }

    @Override
    public synchronized void restore(Path folder) {
        read(folder.resolve(FILE));
        restores++;
    }
}
