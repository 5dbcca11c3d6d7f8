package io.ostraka.replication.raft;

import io.ostraka.replication.LogEntry;
import io.ostraka.replication.LogPosition;
import io.ostraka.replication.ReplicatedState;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Ratis calls with decided entries, in order and on one thread. It may throw only when storage fails: Ratis stops the
 * member then.
 */
final class EntryApplier extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(EntryApplier.class);

    /** What the group is told. Called from threads of Ratis: it must not wait. */
    interface Events {
        /** The library's own first entry of a leadership of this member is applied. */
        void ready();

        /** This member does not lead, whether or not it did. */
        void notLeader();

        /** Somebody else leads, or the members changed. */
        void changed();

        /** So many bytes of entries were applied since the last checkpoint. */
        void applied(long bytesSinceCheckpoint);
    }

    private final UUID incarnation;
    private final ReplicatedState state;
    private final Fates fates;
    private final Events events;
    private final Checkpoints checkpoints = new Checkpoints();
    private final PartialBatches partial = new PartialBatches();
    private long sinceCheckpoint;

    EntryApplier(UUID incarnation, ReplicatedState state, Fates fates, Events events) {
        this.incarnation = incarnation;
        this.state = state;
        this.fates = fates;
        this.events = events;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        checkpoints.init(storage);
        getLifeCycle().startAndTransition(this::begin, IOException.class);
    }

    private void begin() throws IOException {
        LogPosition applied = state.applied();
        boolean madeFromState = applied.incarnation().equals(incarnation) && applied.term() == 0 && applied.index() > 0;
        if (checkpoints.latest().isEmpty() && madeFromState) {
            // The log begins after what the state held before there was a log: others get that as a checkpoint.
            checkpoints.take(TermIndex.valueOf(0, applied.index()), state::save);
        }
        checkpoints.latest().ifPresent(latest -> setLastAppliedTermIndex(latest.at()));
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return checkpoints;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto logged = transaction.getLogEntry();
        var data = logged.getStateMachineLogEntry().getLogData();
        apply(logged.getTerm(), logged.getIndex(), RaftEntry.decode(data.asReadOnlyByteBuffer()));
        updateLastAppliedTermIndex(logged.getTerm(), logged.getIndex());
        sinceCheckpoint += data.size();
        events.applied(sinceCheckpoint);
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void apply(long term, long index, RaftEntry entry) {
        reached(term);
        Optional<byte[]> whole = partial.take(entry);
        if (whole.isEmpty()) {
            return;
        }
        LogPosition position = new LogPosition(incarnation, term, index);
        LogPosition applied = state.applied();
        boolean known = applied.incarnation().equals(incarnation) && position.isCoveredBy(applied);
        if (!known) {
            List<LogEntry> entries = RaftEntry.proposals(whole.get()).stream()
                    .map(proposal -> new LogEntry(position, entry.term(), proposal))
                    .toList();
            state.apply(entries);
        }
        if (entry.term() == term) {
            fates.applied(entry.batch(), position);
        } else {
            fates.voided(entry.batch());
        }
    }

    private void reached(long term) {
        partial.reached(term);
        fates.reached(term);
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        reached(term);
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at = getLastAppliedTermIndex();
        if (!partial.isEmpty() || at.getIndex() < 0) {
            return checkpoints.latest().map(latest -> latest.at().getIndex()).orElse(RaftLog.INVALID_LOG_INDEX);
        }
        checkpoints.take(at, state::save);
        sinceCheckpoint = 0;
        return at.getIndex();
    }

    @Override
    public void pause() {
        getLifeCycle().transition(org.apache.ratis.util.LifeCycle.State.PAUSING);
        getLifeCycle().transition(org.apache.ratis.util.LifeCycle.State.PAUSED);
    }

    /** A checkpoint of the leader has taken the place of ours. */
    @Override
    public void reinitialize() throws IOException {
        checkpoints.find();
        Checkpoints.Checkpoint received = checkpoints
                .latest()
                .orElseThrow(() -> new IOException("the checkpoint that was received is not there"));
        Checkpoints.syncAll(received.path());
        partial.clear();
        state.restore(received.path());
        fates.unknown("this member's state was replaced by the leader's");
        setLastAppliedTermIndex(received.at());
        sinceCheckpoint = 0;
        LOG.info("state replaced by the leader's as of entry {}", received.at().getIndex());
        getLifeCycle().startAndTransition(() -> {}, IOException.class);
        events.changed();
    }

    @Override
    public void notifyLeaderReady() {
        events.ready();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.notLeader();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
        if (!self.getPeerId().equals(leader)) {
            events.notLeader();
        }
        events.changed();
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        events.changed();
    }
}
