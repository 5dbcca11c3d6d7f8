package io.ostraka.replication.raft;

import java.io.IOException;
import java.util.UUID;

/** How the members of a group call each other. Safe for many threads. */
@FunctionalInterface
public interface RaftTransport {
    /**
     * Sends a request to another member's {@link RaftGroup#answer} and waits for what it returns.
     *
     * @param member whom
     * @param address {@code host:port} of the member when the set was told of it, the one clients use too
     * @param timeoutMillis within which an answer must have come
     * @throws IOException if none came, or the other end failed
     */
    byte[] call(UUID member, String address, byte[] request, long timeoutMillis) throws IOException;
}
