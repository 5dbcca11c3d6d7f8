package io.ostraka.wire.command;

import org.bson.BsonTimestamp;

/** Knows the cluster's time, for the dispatcher, which adds it to every reply and hears it from every request. */
public interface ClusterTimeSource {
    /** The greatest time this process knows of. */
    BsonTimestamp clusterTime();

    /** The time of the last change this process has applied, or on a router has seen in an answer. */
    BsonTimestamp operationTime();

    /**
     * A time another process has sent.
     *
     * @param trusted whether it came from a process of the same cluster; from a client it is believed only a little ahead of the wall clock
     */
    void heard(BsonTimestamp time, boolean trusted);

    /** The {@code operationTime} of another process's answer: on a router, what its own answers carry. */
    default void answered(BsonTimestamp operationTime) {}
}
