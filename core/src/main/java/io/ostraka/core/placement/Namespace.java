package io.ostraka.core.placement;

import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import java.nio.charset.StandardCharsets;

/**
 * A collection's full name.
 *
 * @param database not empty, no dot
 * @param collection not empty; may hold dots
 */
public record Namespace(String database, String collection) implements Comparable<Namespace> {
    /** Bytes of a database's name at the most. */
    public static final int MAX_DATABASE_BYTES = 63;
    /** Bytes of a whole name at the most, as MongoDB bounds it. */
    public static final int MAX_BYTES = 255;
    /** Bytes of a sharded collection's name at the most: room is kept for names derived from it. */
    public static final int MAX_SHARDED_BYTES = 235;

    public Namespace {
        checkDatabase(database);
        if (collection.isEmpty()
                || collection.startsWith(".")
                || collection.endsWith(".")
                || collection.indexOf('\0') >= 0) {
            throw INVALID_NAMESPACE.because("Invalid namespace specified '%s.%s'", database, collection);
        }
        if (collection.indexOf('$') >= 0) {
            throw INVALID_NAMESPACE.because("Invalid collection name: '%s' must not contain '$'", collection);
        }
        if (database.getBytes(StandardCharsets.UTF_8).length + 1 + collection.getBytes(StandardCharsets.UTF_8).length
                > MAX_BYTES) {
            throw INVALID_NAMESPACE.because(
                    "Fully qualified namespace is too long: '%s.%s', at most %d bytes",
                    database, collection, MAX_BYTES);
        }
    }

    /**
     * Splits at the first dot.
     *
     * @throws io.ostraka.core.error.CommandException 73 InvalidNamespace
     */
    public static Namespace parse(String full) {
        int dot = full.indexOf('.');
        if (dot < 0) {
            throw INVALID_NAMESPACE.because("Invalid namespace specified '%s': write it as database.collection", full);
        }
        return new Namespace(full.substring(0, dot), full.substring(dot + 1));
    }

    /** @throws io.ostraka.core.error.CommandException 73 InvalidNamespace */
    public static void checkDatabase(String database) {
        boolean bad = database.isEmpty() || database.getBytes(StandardCharsets.UTF_8).length > MAX_DATABASE_BYTES;
        for (int i = 0; i < database.length() && !bad; i++) {
            bad = "/\\. \"$\0".indexOf(database.charAt(i)) >= 0;
        }
        if (bad) {
            throw INVALID_NAMESPACE.because(
                    "Invalid database name: '%s' (1 to %d bytes, none of /\\. \"$)", database, MAX_DATABASE_BYTES);
        }
    }

    /** Collections of the server itself. */
    public boolean isSystem() {
        return collection.startsWith("system.");
    }

    @Override
    public int compareTo(Namespace other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return database + "." + collection;
    }
}
