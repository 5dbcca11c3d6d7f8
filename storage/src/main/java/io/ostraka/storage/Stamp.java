package io.ostraka.storage;

import io.ostraka.core.file.Durable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What a data folder says about itself.
 *
 * @param format the number of its format; see the package page
 * @param program the version of the program that wrote it last
 * @param clusterId the cluster it belongs to
 * @param memberId the member it is; stays the same when ports and paths change
 * @param icu the ICU version of collated keys, or {@link #NO_ICU}
 */
public record Stamp(int format, String program, UUID clusterId, UUID memberId, String icu) {
    /** The format this program reads and writes. */
    public static final int FORMAT = 1;

    /** No collated key has been written. */
    public static final String NO_ICU = "none yet";

    private static final String FILE = "ostraka.stamp";

    public static Stamp fresh(String program, UUID clusterId, UUID memberId) {
        return new Stamp(FORMAT, program, clusterId, memberId, NO_ICU);
    }

    /** Whether a folder has one. */
    static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE));
    }

    static Stamp read(Path folder) throws IOException {
        Map<String, String> lines = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve(FILE), StandardCharsets.UTF_8)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                lines.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        int format = number(folder, lines.get("format"));
        if (format != FORMAT) {
            throw new FolderRefused("The folder " + folder + " has data format " + format + ", written by version "
                    + lines.getOrDefault("program", "unknown") + "; this program reads format " + FORMAT
                    + ". Start it with the version that wrote it.");
        }
        try {
            return new Stamp(
                    format,
                    lines.get("program"),
                    UUID.fromString(lines.get("cluster")),
                    UUID.fromString(lines.get("member")),
                    lines.get("icu"));
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new FolderRefused("The stamp of the folder " + folder + " is damaged; restore it from a backup.", e);
        }
    }

    private static int number(Path folder, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new FolderRefused(
                    "The stamp of the folder " + folder + " names no format; restore it from a backup.", e);
        }
    }

    /** Replaces the stamp at once: a crash leaves the old or the new one. */
    void write(Path folder) throws IOException {
        String text = "format=" + format + "\nprogram=" + program + "\ncluster=" + clusterId + "\nmember=" + memberId
                + "\nicu=" + icu + "\n";
        Durable.replace(folder.resolve(FILE), text);
    }
}
