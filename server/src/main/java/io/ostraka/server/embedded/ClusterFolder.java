package io.ostraka.server.embedded;

import io.ostraka.core.file.Durable;
import io.ostraka.core.time.Ids;
import io.ostraka.server.process.StartRefused;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The data folder of an embedded cluster and what stands in its {@code cluster.properties}.
 *
 * @param path the folder
 * @param temporary whether it goes when the cluster is closed
 * @param key the cluster's key, a secret of its own
 * @param shards how many shards there are
 * @param members how many members each set has
 */
record ClusterFolder(Path path, boolean temporary, String key, int shards, int members) {
    private static final String FILE = "cluster.properties";
    private static final int FORMAT = 1;

    /**
     * Opens a folder, or makes it.
     *
     * @param shards as asked for; more than there were are added
     * @param members of each set, likewise
     * @throws StartRefused if fewer are asked for than there are, or the folder is of another format
     */
    static ClusterFolder open(Path path, int shards, int members, Ids ids) {
        try {
            Files.createDirectories(path);
            Path file = path.resolve(FILE);
            String key = ids.uuid().toString() + ids.uuid();
            if (Files.exists(file)) {
                Properties stored = new Properties();
                try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                    stored.load(in);
                }
                check(path, stored, shards, members);
                key = stored.getProperty("key");
            }
            ClusterFolder folder = new ClusterFolder(path, false, key, shards, members);
            folder.write();
            return folder;
        } catch (IOException e) {
            throw new StartRefused("The folder " + path + " cannot be used: " + e.getMessage());
        }
    }

    private static void check(Path path, Properties stored, int shards, int members) {
        int format = Integer.parseInt(stored.getProperty("format", "0"));
        if (format != FORMAT) {
            throw new StartRefused("The folder " + path + " has cluster format " + format
                    + "; this program reads format " + FORMAT + ". Start it with the version that wrote it.");
        }
        int there = Integer.parseInt(stored.getProperty("shards", "0"));
        if (shards < there) {
            throw new StartRefused("The folder " + path + " holds a cluster of " + there
                    + " shards; start it with --shards " + there + " or more.");
        }
        int each = Integer.parseInt(stored.getProperty("members", "1"));
        if (members < each) {
            throw new StartRefused("The folder " + path + " holds sets of " + each
                    + " members; start it with --members " + each + " or more.");
        }
    }

    /** A folder that goes with the cluster. */
    static ClusterFolder temporary(int shards, int members, Ids ids) {
        try {
            Path path = Files.createTempDirectory("ostraka");
            return new ClusterFolder(path, true, ids.uuid().toString() + ids.uuid(), shards, members);
        } catch (IOException e) {
            throw new StartRefused("No temporary folder can be made: " + e.getMessage());
        }
    }

    private void write() throws IOException {
        Properties stored = new Properties();
        stored.setProperty("format", Integer.toString(FORMAT));
        stored.setProperty("key", key);
        stored.setProperty("shards", Integer.toString(shards));
        stored.setProperty("members", Integer.toString(members));
        StringWriter text = new StringWriter();
        stored.store(text, "An Ostraka cluster. The key is a secret of its processes.");
        Durable.replace(path.resolve(FILE), text.toString());
    }

    Path config() {
        return path.resolve("config");
    }

    Path shard(int number) {
        return path.resolve("shard" + number);
    }

    /** Deletes a temporary folder. */
    void close() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
