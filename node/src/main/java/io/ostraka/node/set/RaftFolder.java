package io.ostraka.node.set;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Where a member's Raft log lies, and whether it has one. */
public final class RaftFolder {
    private RaftFolder() {}

    public static Path of(Path memberFolder) {
        return memberFolder.resolve("raft");
    }

    /** The group whose log is there. */
    public static Optional<UUID> group(Path memberFolder) {
        Path folder = of(memberFolder);
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.length() == 36)
                    .map(UUID::fromString)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
