package io.ostraka.wire.common;

import org.bson.BsonDocument;

/** What a process is at the moment, as {@code hello} tells it. */
public interface Role {
    /** Whether it takes writes: a primary, and every router. */
    boolean isWritable();

    /**
     * The fields of {@code hello} that depend on what it is: {@code msg: "isdbgrid"} on a router; {@code setName},
     * {@code hosts}, {@code primary}, {@code me} and the like on a member of a set.
     */
    BsonDocument helloFields();
}
