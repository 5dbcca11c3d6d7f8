package io.ostraka.core.file;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that stand once they return. */
public final class Durable {
    private Durable() {}

    /** Replaces a file at once: after a crash it is the old or the new one, and after return the new one for good. */
    public static void replace(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text, StandardCharsets.UTF_8);
        sync(next);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        sync(file.getParent());
    }

    /** Has a file's bytes, or a folder's names, reach the disk. */
    public static void sync(Path path) throws IOException {
        boolean windows = File.separatorChar == '\\';
        if (windows && Files.isDirectory(path)) {
            return; // a directory cannot be opened there, and needs no sync
        }
        try (FileChannel channel =
                FileChannel.open(path, Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }
}
