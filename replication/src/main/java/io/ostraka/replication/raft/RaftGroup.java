package io.ostraka.replication.raft;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;
import static io.ostraka.core.error.ErrorCode.SHUTDOWN_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.TEMPORARILY_UNAVAILABLE;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.replication.Fate;
import io.ostraka.replication.Leadership;
import io.ostraka.replication.LogPosition;
import io.ostraka.replication.ProposalQueue;
import io.ostraka.replication.ReplicaGroup;
import io.ostraka.replication.ReplicatedState;
import io.ostraka.replication.ReplicationLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group of members on Raft, seen from one of them. */
public final class RaftGroup implements ReplicaGroup {
    private static final Logger LOG = LoggerFactory.getLogger(RaftGroup.class);

    private static final long FIRST_INDEX = 10;

    /** Entries submitted and not yet answered. More would only make smaller batches. */
    private static final int IN_FLIGHT = 2;

    /**
     * What a member needs for its part.
     *
     * @param name for threads and the log
     * @param self this member's own id
     * @param folder where the log and the checkpoints lie; this group's alone
     * @param noOp makes the bytes of a leader's first entry, which the state takes as changing nothing
     */
    public record Settings(
            String name,
            UUID self,
            Path folder,
            ReplicatedState state,
            Supplier<byte[]> noOp,
            RaftTransport transport,
            ReplicationLimits limits,
            RaftTimes times,
            RaftLimits log,
            Clock clock,
            Ids ids) {}

    private final Settings settings;
    private final UUID incarnation;
    private final RaftGroupId groupId;
    private final RaftPeerId peerId;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();
    private final long origin;
    private final AtomicLong batches = new AtomicLong();
    private final ProposalQueue queue;
    private final Fates fates = new Fates();
    private final Votes votes;
    private final Semaphore inFlight = new Semaphore(IN_FLIGHT);
    private final ExecutorService events;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean savingAsked = new AtomicBoolean();
    private final Thread submitter;
    private final RaftServer server;
    private Leadership candidate;
    private volatile Leadership leadership;
    private volatile long frozenUntil;
    private volatile boolean closed;

    private RaftGroup(Settings settings, UUID incarnation, Optional<List<RaftMember>> members, boolean reopened)
            throws IOException {
        this.settings = settings;
        this.incarnation = incarnation;
        Files.createDirectories(settings.folder());
        votes = new Votes(settings.folder(), incarnation);
        if (reopened) {
            votes.check(settings.folder().resolve(incarnation.toString()));
        }
        groupId = RaftGroupId.valueOf(incarnation);
        peerId = RaftPeerId.valueOf(settings.self().toString());
        origin = settings.ids().random();
        frozenUntil = settings.clock().nanos();
        queue = new ProposalQueue(settings.limits());
        events = Executors.newSingleThreadExecutor(Thread.ofPlatform()
                .daemon()
                .name("raft-events-" + settings.name())
                .factory());
        Parameters parameters = new Parameters();
        parameters.put(MemberRpcType.TRANSPORT, settings.transport(), RaftTransport.class);
        parameters.put(MemberRpcType.TIMEOUT, settings.times().request(), Long.class);
        parameters.put(MemberRpcType.FROZEN, this::isFrozen, BooleanSupplier.class);
        parameters.put(MemberRpcType.VOTES, votes, Votes.class);
        EntryApplier applier = new EntryApplier(incarnation, settings.state(), fates, new Observer());
        RaftServer.Builder builder = RaftServer.newBuilder()
                .setServerId(peerId)
                .setStateMachineRegistry(_ -> applier)
                .setProperties(RaftConfig.properties(settings.folder(), settings.times(), settings.log()))
                .setParameters(parameters)
                .setThreadGroup(new Threads())
                .setOption(reopened ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT);
        members.ifPresent(all -> builder.setGroup(org.apache.ratis.protocol.RaftGroup.valueOf(
                groupId, all.stream().map(RaftMember::peer).toList())));
        server = builder.build();
        submitter =
                Thread.ofPlatform().daemon().name("propose-" + settings.name()).unstarted(this::run);
    }

    /**
     * Makes a new group.
     *
     * @param incarnation the new group's own
     * @param members the first ones; none for a member that a leader will add
     */
    public static RaftGroup create(Settings settings, UUID incarnation, List<RaftMember> members) {
        return open(settings, incarnation, Optional.of(members), false);
    }

    /** Opens a group this member has part in already. */
    public static RaftGroup reopen(Settings settings, UUID incarnation) {
        return open(settings, incarnation, Optional.empty(), true);
    }

    private static RaftGroup open(
            Settings settings, UUID incarnation, Optional<List<RaftMember>> members, boolean reopened) {
        try {
            RaftGroup group = new RaftGroup(settings, incarnation, members, reopened);
            group.server.start();
            group.submitter.start();
            return group;
        } catch (IOException | RuntimeException failed) {
            Throwable root = failed;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw new RaftFailure(
                    "replica set " + settings.name() + " cannot be opened from " + settings.folder() + ": "
                            + root.getMessage(),
                    failed);
        }
    }

    /**
     * What a state that had no such log takes as its place before the first start of a new group
     * ({@link ReplicatedState#moveTo}). Above what Ratis takes an empty log to have decided, so that a new member is sent the
     * state and not told that it has it.
     */
    public static LogPosition firstPosition(UUID incarnation) {
        return new LogPosition(incarnation, 0, FIRST_INDEX);
    }

    public UUID incarnation() {
        return incarnation;
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.ofNullable(leadership);
    }

    @Override
    public CompletableFuture<Fate> propose(Leadership under, byte[] proposal) {
        if (proposal.length > settings.limits().proposalBytes()) {
            return refused(BSON_OBJECT_TOO_LARGE.because(
                    "the write needs %d bytes in the log; the most is %d. Write fewer or smaller documents at once.",
                    proposal.length, settings.limits().proposalBytes()));
        }
        if (queue.isFull()) {
            return refused(TEMPORARILY_UNAVAILABLE.because("too many writes wait for the replica set; try again"));
        }
        ProposalQueue.Pending pending = new ProposalQueue.Pending(under, proposal, new CompletableFuture<>());
        synchronized (this) {
            if (closed || under.isOver() || leadership != under) {
                return refused(refusal());
            }
            queue.add(pending);
        }
        return pending.fate();
    }

    private CommandException refusal() {
        return closed
                ? SHUTDOWN_IN_PROGRESS.because("the server is shutting down")
                : NOT_WRITABLE_PRIMARY.because("not primary");
    }

    private static CompletableFuture<Fate> refused(CommandException reason) {
        return CompletableFuture.completedFuture(new Fate.Refused(reason));
    }

    @Override
    public void watch(Runnable changed) {
        watchers.add(changed);
        onEvents(changed);
    }

    @Override
    public int waiting() {
        return queue.size() + fates.size();
    }

    private void run() {
        List<ProposalQueue.Pending> batch = new ArrayList<>();
        boolean last = false;
        while (!last) {
            batch.clear();
            last = queue.take(batch);
            batch.removeIf(this::refuseIfOver);
            if (!batch.isEmpty()) {
                Leadership under = batch.getFirst().under();
                List<byte[]> proposals =
                        batch.stream().map(ProposalQueue.Pending::proposal).toList();
                submit(
                        under.term(),
                        proposals,
                        batch.stream().map(ProposalQueue.Pending::fate).toList());
            }
        }
    }

    /** A proposal whose leadership ended while it was in the queue was never appended. */
    private boolean refuseIfOver(ProposalQueue.Pending pending) {
        if (!pending.under().isOver()) {
            return false;
        }
        pending.fate().complete(new Fate.Refused(refusal()));
        return true;
    }

    private void submit(long term, List<byte[]> proposals, List<CompletableFuture<Fate>> waiting) {
        List<RaftEntry> entries =
                RaftEntry.of(term, origin, batches.incrementAndGet(), proposals, RaftConfig.PART_BYTES);
        RaftEntry.Batch batch = entries.getFirst().batch();
        fates.add(batch, term, waiting);
        for (RaftEntry entry : entries) {
            inFlight.acquireUninterruptibly();
            CompletableFuture<RaftClientReply> unused = answer(send(entry)).whenComplete((_, failure) -> {
                inFlight.release();
                if (entries.size() == 1 && failure instanceof ResourceUnavailableException) {
                    fates.refused(batch, TEMPORARILY_UNAVAILABLE.because("the replica set is too busy; try again"));
                } else if (failure != null) {
                    // Settles nothing: the batch may be in the log of a majority. See Fates.
                    LOG.debug("a batch of {} has no answer", settings.name(), failure);
                }
            });
        }
    }

    private CompletableFuture<RaftClientReply> send(RaftEntry entry) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(peerId)
                .setGroupId(groupId)
                .setCallId(callIds.incrementAndGet())
                .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry.encode())))
                .setType(RaftClientRequest.writeRequestType())
                .build();
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException | RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** A reply that tells of a failure, as a failure. */
    private static CompletableFuture<RaftClientReply> answer(CompletableFuture<RaftClientReply> reply) {
        return reply.thenApply(done -> {
            if (!done.isSuccess()) {
                throw new CompletionException(done.getException());
            }
            return done;
        });
    }

    /** Ratis's threads. Some of them fail when the log is closed under them. */
    private final class Threads extends ThreadGroup {
        Threads() {
            super("raft-" + settings.name());
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failed) {
            if (closed) {
                LOG.debug("{} ended while the replica set was closed", thread.getName(), failed);
            } else {
                LOG.error("{} failed", thread.getName(), failed);
            }
        }
    }

    /** Follows what Ratis tells. */
    private final class Observer implements EntryApplier.Events {
        @Override
        public void ready() {
            onEvents(RaftGroup.this::begin);
        }

        @Override
        public void notLeader() {
            endLeadership();
        }

        @Override
        public void changed() {
            onEvents(RaftGroup.this::tell);
        }

        @Override
        public void applied(long bytesSinceCheckpoint) {
            if (bytesSinceCheckpoint >= settings.log().checkpointBytes() && savingAsked.compareAndSet(false, true)) {
                onEvents(() -> {
                    CompletableFuture<Void> unused = save().whenComplete((_, _) -> savingAsked.set(false));
                });
            }
        }
    }

    private void onEvents(Runnable action) {
        if (!closed) {
            events.execute(() -> {
                try {
                    action.run();
                } catch (RuntimeException failed) {
                    LOG.warn("an event of replica set {} was not handled", settings.name(), failed);
                }
            });
        }
    }

    private void tell() {
        watchers.forEach(Runnable::run);
    }

    /** Leads once an entry of its own is applied: then everything before it is, too. */
    private void begin() {
        boolean never =
                members().stream().anyMatch(member -> member.id().equals(settings.self()) && member.priority() == 0);
        if (never) {
            return; // it holds the group together until another can lead
        }
        Leadership next = new Leadership(incarnation, info().getCurrentTerm());
        try {
            votes.note(next.term(), peerId.toString()); // a member that is the only one asks nobody for a vote
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            candidate = next;
        }
        CompletableFuture<Fate> applied = new CompletableFuture<>();
        CompletableFuture<Void> unused = applied.thenAccept(fate -> {
            if (fate instanceof Fate.Applied) {
                synchronized (this) {
                    if (candidate != next) {
                        return;
                    }
                    candidate = null;
                    leadership = next;
                }
                LOG.info("leads {} in term {}", settings.name(), next.term());
                onEvents(this::tell);
            }
        });
        submit(next.term(), List.of(settings.noOp().get()), List.of(applied));
    }

    private void endLeadership() {
        Leadership over;
        synchronized (this) {
            candidate = null;
            over = leadership;
            leadership = null;
        }
        if (over != null) {
            over.end();
            LOG.info("leads {} no more, after term {}", settings.name(), over.term());
            onEvents(this::tell);
        }
    }

    private RaftServer.Division division() {
        try {
            return server.getDivision(groupId);
        } catch (IOException gone) {
            throw new RaftFailure("replica set " + settings.name() + " is closed", gone);
        }
    }

    private DivisionInfo info() {
        return division().getInfo();
    }

    /** Who leads, as far as this member knows. */
    public Optional<UUID> leader() {
        return Optional.ofNullable(info().getLeaderId()).map(RaftMember::idOf);
    }

    /** The latest term this member knows. */
    public long term() {
        return info().getCurrentTerm();
    }

    /** The members, as this one knows them. */
    public List<RaftMember> members() {
        List<RaftMember> members = new ArrayList<>();
        var configuration = division().getRaftConf();
        for (RaftPeer peer : configuration.getAllPeers(RaftPeerRole.FOLLOWER)) {
            members.add(new RaftMember(RaftMember.idOf(peer.getId()), peer.getAddress(), peer.getPriority(), true));
        }
        for (RaftPeer peer : configuration.getAllPeers(RaftPeerRole.LISTENER)) {
            members.add(new RaftMember(RaftMember.idOf(peer.getId()), peer.getAddress(), peer.getPriority(), false));
        }
        return members;
    }

    /**
     * Whether this member has the configuration that made it one. Until then it gives no votes after a restart, though the
     * others count it: the change is decided when a majority without it has it.
     */
    public boolean isSettled() {
        var configuration = division().getRaftConf();
        boolean votes = configuration.getPeer(peerId) != null;
        boolean listens = configuration.getPeer(peerId, RaftPeerRole.LISTENER) != null;
        return info().getLifeCycleState() == LifeCycle.State.RUNNING
                && configuration.getPreviousPeers().isEmpty()
                && (votes || listens);
    }

    /** How many milliseconds ago each other member answered last; on the leader only, else empty. */
    public java.util.Map<UUID, Long> silence() {
        java.util.Map<UUID, Long> silence = new java.util.HashMap<>();
        var role = info().getRoleInfoProto();
        if (role.hasLeaderInfo()) {
            role.getLeaderInfo()
                    .getFollowerInfoList()
                    .forEach(follower -> silence.put(
                            UUID.fromString(follower.getId().getId().toStringUtf8()),
                            follower.getLastRpcElapsedTimeMs()));
        }
        return silence;
    }

    /**
     * Has the members replaced; one voter more or less at a time. Done when the new configuration is decided; new members
     * have caught up then. Fails if this member does not lead.
     */
    public CompletableFuture<Void> setMembers(List<RaftMember> members) {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(members.stream()
                        .filter(RaftMember::votes)
                        .map(RaftMember::peer)
                        .toList())
                .setListenersInNewConf(members.stream()
                        .filter(member -> !member.votes())
                        .map(RaftMember::peer)
                        .toList())
                .setMode(SetConfigurationRequest.Mode.SET_UNCONDITIONALLY)
                .build();
        SetConfigurationRequest request =
                new SetConfigurationRequest(clientId, peerId, groupId, callIds.incrementAndGet(), arguments);
        try {
            return answer(server.setConfigurationAsync(request)).thenAccept(_ -> {});
        } catch (IOException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** Hands the leadership to another member that is caught up; to any, if none is named. */
    public CompletableFuture<Void> transfer(Optional<UUID> to, long timeoutMillis) {
        TransferLeadershipRequest request = new TransferLeadershipRequest(
                clientId,
                peerId,
                groupId,
                callIds.incrementAndGet(),
                to.map(id -> RaftPeerId.valueOf(id.toString())).orElse(null),
                timeoutMillis);
        try {
            return answer(server.transferLeadershipAsync(request)).thenAccept(_ -> {});
        } catch (IOException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    /** Has this member not ask for votes for so long; with 0 it may again at once. */
    public void freeze(long millis) {
        frozenUntil = settings.clock().nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Whether this member asks for no votes at the moment. */
    public boolean isFrozen() {
        return frozenUntil - settings.clock().nanos() > 0;
    }

    /** Saves this member's state now, and cuts its log behind it. */
    public CompletableFuture<Void> save() {
        SnapshotManagementRequest request = SnapshotManagementRequest.newCreate(
                clientId,
                peerId,
                groupId,
                callIds.incrementAndGet(),
                settings.times().request() * 100);
        return answer(server.snapshotManagementAsync(request)).thenAccept(_ -> {});
    }

    /** Answers a call of another member. Never throws: what went wrong is in the answer. */
    public byte[] answer(byte[] request) {
        return ((MemberRpc) server.getServerRpc()).answer(request);
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        endLeadership();
        queue.end();
        try {
            server.close();
        } catch (IOException failed) {
            LOG.warn("replica set {} did not close cleanly", settings.name(), failed);
        }
        boolean interrupted = false;
        while (submitter.isAlive()) {
            try {
                submitter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        fates.unknown("this member stops");
        events.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
