package io.ostraka.replication.raft;

import io.ostraka.core.check.Check;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * One member of a group.
 *
 * @param id its own for ever: a member whose data were wiped comes back with another
 * @param address {@code host:port}
 * @param priority of two that are caught up, the higher one leads; 0 or more
 * @param votes whether it counts for majorities and may lead
 */
public record RaftMember(UUID id, String address, int priority, boolean votes) {
    public RaftMember {
        Check.that(priority >= 0, "a priority is not negative");
    }

    RaftPeerId peerId() {
        return RaftPeerId.valueOf(id.toString());
    }

    RaftPeer peer() {
        return RaftPeer.newBuilder()
                .setId(peerId())
                .setAddress(address)
                .setPriority(priority)
                .setStartupRole(votes ? RaftPeerRole.FOLLOWER : RaftPeerRole.LISTENER)
                .build();
    }

    static UUID idOf(RaftPeerId id) {
        return UUID.fromString(id.toString());
    }
}
