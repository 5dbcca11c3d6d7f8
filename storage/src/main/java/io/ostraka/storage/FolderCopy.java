package io.ostraka.storage;

import io.ostraka.core.file.Durable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Puts a copy of a checkpoint where a database was. */
final class FolderCopy {
    private FolderCopy() {}

    /**
     * After a crash in between there is the old folder, the new one, or none: then the replication log fills it again.
     *
     * @param folder the database's, closed
     * @param checkpoint stays as it is; its table files are linked, as they never change, the rest is copied
     */
    static void replace(Path folder, Path checkpoint) throws IOException {
        Path next = folder.resolveSibling(folder.getFileName() + ".next");
        delete(next);
        Files.createDirectories(next);
        for (Path file : list(checkpoint)) {
            Path to = next.resolve(file.getFileName());
            if (file.getFileName().toString().endsWith(".sst")) {
                link(file, to);
            } else if (!file.getFileName().toString().endsWith(".md5")) { // the library's mark of a received file
                Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
                Durable.sync(to);
            }
        }
        delete(folder);
        Files.move(next, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void link(Path file, Path to) throws IOException {
        try {
            Files.createLink(to, file);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
            Durable.sync(to);
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> entries = Files.walk(folder)) {
            for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(entry);
            }
        }
    }
}
