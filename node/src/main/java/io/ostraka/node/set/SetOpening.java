package io.ostraka.node.set;

import io.ostraka.replication.raft.RaftLimits;
import io.ostraka.replication.raft.RaftTimes;
import io.ostraka.wire.client.ClusterClient;
import java.util.function.Supplier;

/**
 * How a member's set is opened.
 *
 * @param waits whether a member without data waits to be initiated or added; otherwise it is a set of its own at once
 * @param client how it speaks to the other members; asked when there are any
 */
public record SetOpening(boolean waits, Supplier<ClusterClient> client, RaftTimes times, RaftLimits limits) {
    /** A set of its own, without anybody to speak to. */
    public static final SetOpening ALONE = new SetOpening(
            false,
            () -> {
                throw new IllegalStateException("this member has no connections to others");
            },
            RaftTimes.DEFAULT,
            RaftLimits.DEFAULT);
}
