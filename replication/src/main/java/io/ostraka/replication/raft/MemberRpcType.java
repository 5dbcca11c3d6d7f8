package io.ostraka.replication.raft;

import java.util.function.BooleanSupplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/** Names {@link MemberRpc} to Ratis, which finds it by its class name and makes one for each server. */
public final class MemberRpcType implements RpcType {
    static final String TRANSPORT = "ostraka.transport";
    static final String TIMEOUT = "ostraka.timeout";
    static final String FROZEN = "ostraka.frozen";
    static final String VOTES = "ostraka.votes";

    @Override
    public String name() {
        return MemberRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        RaftTransport transport = parameters.getNonNull(TRANSPORT, RaftTransport.class);
        long timeout = parameters.getNonNull(TIMEOUT, Long.class);
        BooleanSupplier frozen = parameters.getNonNull(FROZEN, BooleanSupplier.class);
        return new Factory(transport, timeout, frozen, parameters.getNonNull(VOTES, Votes.class));
    }

    private record Factory(RaftTransport transport, long timeoutMillis, BooleanSupplier frozen, Votes votes)
            implements ServerFactory {
        @Override
        public RpcType getRpcType() {
            return new MemberRpcType();
        }

        @Override
        public RaftServerRpc newRaftServerRpc(RaftServer server) {
            return new MemberRpc(server, transport, timeoutMillis, frozen, votes);
        }
    }
}
