package io.ostraka.bench.target;

import java.util.List;
import java.util.Set;

/**
 * A server named by the user: {@code kind[@folder][!options]}, or a connection string.
 *
 * @param label what tables call it
 * @param kind one of {@link #KINDS}, or a connection string
 * @param library a folder of jars to take the program from, for a before and an after in one run; empty for this build
 * @param options further options of its JVM
 */
public record TargetSpec(String label, String kind, String library, List<String> options) {
    /** What can be started by name. */
    public static final Set<String> KINDS =
            Set.of("node", "routed", "routed-memory", "cluster", "cluster-memory", "mongo-java-server", "echo");

    public static TargetSpec parse(String text) {
        if (text.startsWith("mongodb://") || text.startsWith("mongodb+srv://")) {
            return new TargetSpec(text, text, "", List.of());
        }
        String[] name = text.split("!", 2);
        String[] kind = name[0].split("@", 2);
        if (!KINDS.contains(kind[0])) {
            throw new IllegalArgumentException("'" + kind[0] + "' is no target; there are " + KINDS + " and URIs");
        }
        List<String> options =
                name.length == 1 ? List.of() : List.of(name[1].trim().split("\\s+"));
        return new TargetSpec(text, kind[0], kind.length == 1 ? "" : kind[1], options);
    }

    boolean isStarted() {
        return KINDS.contains(kind);
    }

    /** Whether collections can be sharded there. */
    public boolean sharded() {
        return kind.startsWith("cluster");
    }

    /** Whether it only sends back what it gets. */
    public boolean onlyEchoes() {
        return kind.equals("echo");
    }
}
