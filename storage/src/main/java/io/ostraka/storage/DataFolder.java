package io.ostraka.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A folder held by this process alone until it is closed. The lock is the file's lock of the operating system, so it
 * goes with the process, however that ends.
 */
public final class DataFolder implements AutoCloseable {
    private static final String LOCK = "ostraka.lock";

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;
    private volatile Stamp stamp;

    private DataFolder(Path path, FileChannel channel, FileLock lock, Stamp stamp) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
        this.stamp = stamp;
    }

    /**
     * Locks a folder, made if it is not there, and checks its stamp.
     *
     * @param program this program's version
     * @param fresh the stamp of a folder that has none yet
     * @throws FolderRefused if another instance uses it, its format is not ours, or it holds something else
     */
    public static DataFolder open(Path path, String program, Supplier<Stamp> fresh) {
        FileChannel channel = null;
        try {
            Files.createDirectories(path);
            channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = tryLock(path, channel);
            Stamp stamp = stamp(path, program, fresh);
            return new DataFolder(path, channel, lock, stamp);
        } catch (IOException e) {
            closeQuietly(channel, e);
            throw new FolderRefused("The folder " + path + " cannot be used: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            closeQuietly(channel, e);
            throw e;
        }
    }

    private static FileLock tryLock(Path path, FileChannel channel) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new FolderRefused("The folder " + path
                    + " is in use by another instance. Stop that one first, or choose another folder.");
        }
        return lock;
    }

    private static Stamp stamp(Path path, String program, Supplier<Stamp> fresh) throws IOException {
        if (Stamp.isIn(path)) {
            Stamp found = Stamp.read(path);
            if (found.program().equals(program)) {
                return found;
            }
            Stamp updated = new Stamp(found.format(), program, found.clusterId(), found.memberId(), found.icu());
            updated.write(path);
            return updated;
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.anyMatch(file -> !file.getFileName().toString().equals(LOCK)
                    && !file.getFileName().toString().startsWith("ostraka."))) {
                throw new FolderRefused("The folder " + path
                        + " holds files of another program, or its stamp is lost. Choose an empty folder.");
            }
        }
        Stamp made = fresh.get();
        made.write(path);
        return made;
    }

    private static void closeQuietly(FileChannel channel, Exception because) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                because.addSuppressed(e);
            }
        }
    }

    public Path path() {
        return path;
    }

    public Stamp stamp() {
        return stamp;
    }

    /**
     * Refuses a folder with collated keys of another ICU version, which sort otherwise.
     *
     * @throws FolderRefused if it has some
     */
    public void checkIcu(String version) {
        if (!stamp.icu().equals(Stamp.NO_ICU) && !stamp.icu().equals(version)) {
            throw new FolderRefused(
                    "The folder " + path + " holds indexes whose strings are sorted by ICU " + stamp.icu()
                            + "; this program has ICU " + version
                            + ". Start it with the version that wrote it, drop its indexes and collections with a collation, and"
                            + " start this one then.");
        }
    }

    /** Remembers the ICU version of collated keys from now on, or that there are none. */
    public void stampIcu(String version) {
        if (stamp.icu().equals(version)) {
            return;
        }
        Stamp next = new Stamp(stamp.format(), stamp.program(), stamp.clusterId(), stamp.memberId(), version);
        try {
            next.write(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        stamp = next;
    }

    /** Free bytes on the disk of this folder. */
    public long freeBytes() {
        try {
            FileStore store = Files.getFileStore(path);
            return store.getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
