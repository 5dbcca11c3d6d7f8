package io.ostraka.replication.raft;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.thirdparty.com.google.protobuf.AbstractMessage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * Ratis's calls between servers, as bytes over a {@link RaftTransport}. It listens nowhere itself.
 *
 * <pre>
 * request: kind(1) protobuf      answer: 0 protobuf, or 1 and a text
 * </pre>
 */
final class MemberRpc implements RaftServerRpc {
    private static final byte VOTE = 1;
    private static final byte APPEND = 2;
    private static final byte SNAPSHOT = 3;
    private static final byte ELECT = 4;
    private static final byte OK = 0;
    private static final byte FAILED = 1;

    private final RaftServer server;
    private final RaftTransport transport;
    private final long timeoutMillis;
    private final BooleanSupplier frozen;
    private final Votes votes;
    private final Map<RaftPeerId, String> addresses = new ConcurrentHashMap<>();

    /**
     * @param frozen whether this member asks for no votes now
     * @param votes told of each vote before it leaves, its own among them
     */
    MemberRpc(RaftServer server, RaftTransport transport, long timeoutMillis, BooleanSupplier frozen, Votes votes) {
        this.server = server;
        this.transport = transport;
        this.timeoutMillis = timeoutMillis;
        this.frozen = frozen;
        this.votes = votes;
    }

    @Override
    public RpcType getRpcType() {
        return new MemberRpcType();
    }

    @Override
    public void start() {
        // The process listens already.
    }

    @Override
    public void close() {
        // Nothing was opened.
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return InetSocketAddress.createUnresolved("member", 1); // nobody dials it: addresses stand in the configuration
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        peers.forEach(peer -> addresses.put(peer.getId(), peer.getAddress()));
    }

    @Override
    public void handleException(RaftPeerId member, Exception failed, boolean reconnect) {
        // The client below connects again by itself.
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        if (frozen.getAsBoolean()) {
            // Not by Ratis's own pause: a member whose time runs out under it stays a candidate that never asks again,
            // also when it alone has the newest log and nobody else can be elected.
            throw new IOException("this member asks for no votes at the moment");
        }
        if (!request.getPreVote()) {
            votes.note(request.getCandidateTerm(), server.getId().toString());
        }
        return RequestVoteReplyProto.parseFrom(call(VOTE, request.getServerRequest(), request));
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return AppendEntriesReplyProto.parseFrom(call(APPEND, request.getServerRequest(), request));
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return InstallSnapshotReplyProto.parseFrom(call(SNAPSHOT, request.getServerRequest(), request));
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
            throws IOException {
        return StartLeaderElectionReplyProto.parseFrom(call(ELECT, request.getServerRequest(), request));
    }

    private ByteString call(byte kind, RaftRpcRequestProto header, AbstractMessage request) throws IOException {
        RaftPeerId to = RaftPeerId.valueOf(header.getReplyId());
        String address = addresses.get(to);
        if (address == null) {
            throw new IOException("member " + to + " has no known address");
        }
        byte[] bytes = new byte[1 + request.getSerializedSize()];
        bytes[0] = kind;
        request.writeTo(CodedOutputStream.newInstance(bytes, 1, bytes.length - 1));
        byte[] answer = transport.call(RaftMember.idOf(to), address, bytes, timeoutMillis);
        if (answer.length == 0 || answer[0] != OK) {
            String why = answer.length == 0
                    ? "an empty answer"
                    : new String(answer, 1, answer.length - 1, StandardCharsets.UTF_8);
            throw new IOException(address + " answered: " + why);
        }
        return ByteString.copyFrom(answer, 1, answer.length - 1);
    }

    private RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException {
        RequestVoteReplyProto reply = server.requestVote(request);
        if (reply.getServerReply().getSuccess() && !request.getPreVote()) {
            votes.note(
                    request.getCandidateTerm(),
                    RaftPeerId.valueOf(request.getServerRequest().getRequestorId())
                            .toString());
        }
        return reply;
    }

    /** Answers a call of another member. Never throws: what went wrong is in the answer. */
    byte[] answer(byte[] request) {
        try {
            if (request.length == 0) {
                throw new IOException("an empty request");
            }
            ByteString body = ByteString.copyFrom(request, 1, request.length - 1);
            AbstractMessage reply = switch (request[0]) {
                case VOTE -> vote(RequestVoteRequestProto.parseFrom(body));
                case APPEND -> server.appendEntries(AppendEntriesRequestProto.parseFrom(body));
                case SNAPSHOT -> server.installSnapshot(InstallSnapshotRequestProto.parseFrom(body));
                case ELECT -> server.startLeaderElection(StartLeaderElectionRequestProto.parseFrom(body));
                default -> throw new IOException("an unknown kind of call, " + request[0]);
            };
            byte[] answer = new byte[1 + reply.getSerializedSize()];
            answer[0] = OK;
            reply.writeTo(CodedOutputStream.newInstance(answer, 1, answer.length - 1));
            return answer;
        } catch (IOException | RuntimeException failed) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(FAILED);
            out.writeBytes(String.valueOf(failed).getBytes(StandardCharsets.UTF_8));
            return out.toByteArray();
        }
    }
}
