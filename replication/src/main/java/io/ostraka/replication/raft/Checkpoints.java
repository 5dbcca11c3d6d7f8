package io.ostraka.replication.raft;

import io.ostraka.core.file.Durable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;

/**
 * The saved states of one member, in folders {@code checkpoint_TERM_INDEX} below the folder that Ratis replaces as a whole
 * when it receives another member's.
 */
final class Checkpoints implements StateMachineStorage {
    private static final Pattern NAME = Pattern.compile("checkpoint_(\\d+)_(\\d+)");
    private static final String UNFINISHED = "unfinished";

    /** One is enough to start from; the other may be on its way to a member. */
    private static final int KEPT = 2;

    private volatile Path folder;
    private volatile Checkpoint latest;

    /** One saved state. */
    record Checkpoint(TermIndex at, Path path) {}

    @Override
    public void init(RaftStorage storage) throws IOException {
        folder = storage.getStorageDir().getStateMachineDir().toPath();
        find();
    }

    /** Looks again what there is: Ratis may have replaced it. */
    void find() throws IOException {
        Files.createDirectories(folder);
        List<Checkpoint> all = all();
        latest = all.isEmpty() ? null : all.getLast();
    }

    Optional<Checkpoint> latest() {
        return Optional.ofNullable(latest);
    }

    /** Saves a state. It is found by the next start only once it is complete. */
    void take(TermIndex at, Consumer<Path> save) throws IOException {
        Path unfinished = folder.resolve(UNFINISHED);
        delete(unfinished);
        save.accept(unfinished);
        Path path = folder.resolve("checkpoint_" + at.getTerm() + "_" + at.getIndex());
        delete(path); // of the same place: what it holds is the same or less
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        Durable.sync(folder);
        latest = new Checkpoint(at, path);
    }

    private List<Checkpoint> all() throws IOException {
        List<Checkpoint> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                Matcher name = NAME.matcher(entry.getFileName().toString());
                if (name.matches()) {
                    long term = Long.parseLong(name.group(1));
                    long index = Long.parseLong(name.group(2));
                    found.add(new Checkpoint(TermIndex.valueOf(term, index), entry));
                }
            }
        }
        found.sort(Comparator.comparing(Checkpoint::at));
        return found;
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        Checkpoint now = latest;
        if (now == null) {
            return null;
        }
        try (Stream<Path> files = Files.walk(now.path())) {
            // No digest: Ratis computes it while it sends.
            List<FileInfo> infos = files.filter(Files::isRegularFile)
                    .map(file -> new FileInfo(file, null))
                    .toList();
            return new FileListSnapshotInfo(infos, now.at());
        } catch (IOException | UncheckedIOException gone) {
            return null; // a newer one has taken its place; asked again soon
        }
    }

    @Override
    public void format() {
        // Nothing to prepare.
    }

    @Override
    public File getSnapshotDir() {
        return folder.toFile();
    }

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) throws IOException {
        List<Checkpoint> all = all();
        for (Checkpoint old : all.subList(0, Math.max(0, all.size() - KEPT))) {
            delete(old.path());
        }
    }

    /** Makes received files as durable as written ones: Ratis does not. */
    static void syncAll(Path checkpoint) throws IOException {
        try (Stream<Path> files = Files.walk(checkpoint)) {
            for (Path file : files.toList()) {
                Durable.sync(file);
            }
        }
        Durable.sync(checkpoint.getParent());
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> entries = Files.walk(path)) {
            for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(entry);
            }
        }
    }
}
