package io.ostraka.wire.common;

import java.util.List;
import org.bson.BsonDocument;

/**
 * What a process knows about itself and never changes.
 *
 * @param host host and port as others reach it
 * @param name what it behaves as: {@code mongod} or {@code mongos}
 * @param version our own version
 * @param git the commit it was built from, or "unknown"
 * @param pid the operating system's number
 * @param startedNanos when it started, on the monotonic clock
 * @param arguments the command line
 * @param settings the settings as {@code getCmdLineOpts} shows them
 */
public record ProcessInfo(
        String host,
        String name,
        String version,
        String git,
        long pid,
        long startedNanos,
        List<String> arguments,
        BsonDocument settings) {
    /** The version of MongoDB whose behaviour clients may expect. */
    public static final String COMPATIBLE_VERSION = "8.0.16";

    /** Wire versions spoken: those of 8.0. */
    public static final int MAX_WIRE_VERSION = 25;

    public ProcessInfo {
        arguments = List.copyOf(arguments);
    }
}
