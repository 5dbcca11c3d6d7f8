package io.ostraka.storage;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The temporary files of running queries, below the data folder: emptied when it is opened and when it is closed, and never
 * larger than its bound. Each file holds rows, written once and read once. Safe for many threads; a file is one thread's.
 */
public final class SpillFolder implements AutoCloseable {
    /** Bytes of all files together. */
    public static final long BYTES_MAX = 16L << 30;

    private static final String NAME = "spill";
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path path;
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();

    private SpillFolder(Path path, long bytesMax) {
        this.path = path;
        this.bytesMax = bytesMax;
    }

    /** Opens the folder within a data folder; what another run has left in it goes. */
    public static SpillFolder open(Path dataFolder, long bytesMax) {
        SpillFolder folder = new SpillFolder(dataFolder.resolve(NAME), bytesMax);
        folder.empty();
        return folder;
    }

    private void empty() {
        if (!Files.isDirectory(path)) {
            return;
        }
        try (Stream<Path> left = Files.list(path)) {
            for (Path file : left.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes of all files now. */
    public long bytes() {
        return bytes.get();
    }

    /** A new file. */
    public Writer begin() {
        try {
            Files.createDirectories(path);
            return new Writer(path.resolve("run-" + files.incrementAndGet()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        empty();
    }

    private void delete(Path file, long size) {
        try {
            if (Files.deleteIfExists(file)) {
                bytes.addAndGet(-size);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file being written. */
    public final class Writer implements AutoCloseable {
        private final Path file;
        private final DataOutputStream out;
        private long size;
        private boolean ended;

        private Writer(Path file) throws IOException {
            this.file = file;
            this.out = new DataOutputStream(new BufferedOutputStream(
                    Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    BUFFER_BYTES));
        }

        /**
         * Adds a row.
         *
         * @return false if the folder is full: nothing was added then
         */
        public boolean add(byte[] row) {
            long more = Integer.BYTES + (long) row.length;
            if (bytes.addAndGet(more) > bytesMax) {
                bytes.addAndGet(-more);
                return false;
            }
            size += more;
            try {
                out.writeInt(row.length);
                out.write(row);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return true;
        }

        /** Ends the file, for reading. */
        public Reader end() {
            try {
                out.close();
                ended = true;
                return new Reader(file, size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Deletes the file, unless it was ended. */
        @Override
        public void close() {
            if (ended) {
                return;
            }
            ended = true;
            try (DataOutputStream _ = out) {
                delete(file, size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A file being read; it is deleted when this is closed. */
    public final class Reader implements AutoCloseable {
        private final Path file;
        private final long size;
        private final DataInputStream in;

        private Reader(Path file, long size) throws IOException {
            this.file = file;
            this.size = size;
            this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
        }

        /** The next row, or nothing at the end. */
        public Optional<byte[]> next() {
            try {
                byte[] row = new byte[in.readInt()];
                in.readFully(row);
                return Optional.of(row);
            } catch (EOFException end) {
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try (DataInputStream _ = in) {
                delete(file, size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
