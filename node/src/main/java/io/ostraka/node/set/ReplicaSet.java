package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.NOT_YET_INITIALIZED;

import io.ostraka.core.error.CommandException;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.node.apply.Applier;
import io.ostraka.node.change.Proposal;
import io.ostraka.node.change.ProposalCodec;
import io.ostraka.node.view.Lookup;
import io.ostraka.node.view.View;
import io.ostraka.node.view.Views;
import io.ostraka.node.write.AtomicWrite;
import io.ostraka.replication.LocalGroup;
import io.ostraka.replication.ReplicaGroup;
import io.ostraka.replication.ReplicationLimits;
import io.ostraka.replication.raft.RaftGroup;
import io.ostraka.storage.Engine;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/** The set of one member: its group, its configuration, and what it knows of the others. Safe for many threads. */
public final class ReplicaSet {
    static final Namespace CONFIG = new Namespace("admin", "system.replset");
    static final long LOOK_AGAIN_NANOS = 50_000_000;
    static final long ASKS_MILLIS = 5_000;

    /** What it is made of. */
    public record Parts(
            String name,
            UUID self,
            Path folder,
            Supplier<String> address,
            Engine engine,
            Applier applier,
            Views views,
            HybridClock time,
            Clock clock,
            Ids ids,
            ReplicationLimits limits,
            SetOpening opening) {}

    private final Parts parts;
    private final MemberCalls calls;
    private final SwitchingGroup group;
    private final SetChanges changes;
    private final HandOver handOver = new HandOver(this);
    private volatile AtomicWrite write;

    private ReplicaSet(Parts parts, MemberCalls calls, ReplicaGroup first) {
        this.parts = parts;
        this.calls = calls;
        group = new SwitchingGroup(first);
        changes = new SetChanges(this);
    }

    /** Opens the group this member is in, or none yet. */
    public static ReplicaSet open(Parts parts) {
        MemberCalls calls = new MemberCalls(parts.opening().client(), parts.clock());
        Optional<UUID> incarnation = RaftFolder.group(parts.folder());
        boolean empty = parts.applier().applied().index() == 0;
        if (incarnation.isPresent() || parts.opening().waits() && empty) {
            parts.engine().setJournal(Engine.Journal.ELSEWHERE);
        }
        ReplicaGroup first;
        if (incarnation.isPresent()) {
            first = RaftGroup.reopen(settings(parts, calls), incarnation.get());
        } else if (parts.opening().waits() && empty) {
            first = new NoGroup();
        } else {
            first = LocalGroup.open(parts.name(), parts.applier(), noOp(parts), parts.limits());
        }
        return new ReplicaSet(parts, calls, first);
    }

    private static byte[] noOp(Parts parts) {
        return ProposalCodec.encode(Proposal.noOp(parts.time().reading().getValue()));
    }

    static RaftGroup.Settings settings(Parts parts, MemberCalls calls) {
        return new RaftGroup.Settings(
                parts.name(),
                parts.self(),
                RaftFolder.of(parts.folder()),
                parts.applier(),
                () -> noOp(parts),
                calls,
                parts.limits(),
                parts.opening().times(),
                parts.opening().limits(),
                parts.clock(),
                parts.ids());
    }

    /** Called once, when writing is possible and before anything else. */
    public void writeWith(AtomicWrite atomic) {
        write = atomic;
    }

    public SwitchingGroup group() {
        return group;
    }

    /** How it changes. */
    public SetChanges changes() {
        return changes;
    }

    /** How its primary gives way. */
    public HandOver handOver() {
        return handOver;
    }

    Parts parts() {
        return parts;
    }

    MemberCalls calls() {
        return calls;
    }

    AtomicWrite write() {
        return write;
    }

    public String name() {
        return parts.name();
    }

    Optional<RaftGroup> raft() {
        return group.current() instanceof RaftGroup raft ? Optional.of(raft) : Optional.empty();
    }

    Optional<KnownSet> known() {
        try (View view = parts.views().open()) {
            return view.find(CONFIG)
                    .flatMap(entry -> Lookup.byId(view, entry, KeyString.of(KnownSet.ID)))
                    .map(found -> KnownSet.of(found.document().toBson()));
        }
    }

    /** The configuration, as this member knows it; empty before it is in a set. */
    public Optional<SetConfig> config() {
        Optional<SetConfig> stored = known().map(KnownSet::config);
        if (stored.isEmpty() && group.current() instanceof LocalGroup) {
            return Optional.of(SetConfig.alone(
                    parts.name(), parts.address().get(), parts.views().term()));
        }
        return stored;
    }

    /** This member in the configuration. */
    public Optional<SetConfig.Member> self() {
        Optional<KnownSet> known = known();
        return known.isPresent()
                ? known.get().member(parts.self())
                : config().map(config -> config.members().getFirst());
    }

    /** What this member is in its set. */
    public MemberState state() {
        if (group.leadership().isPresent()) {
            return MemberState.PRIMARY;
        }
        if (group.current() instanceof NoGroup) {
            return MemberState.STARTUP;
        }
        if (group.current() instanceof LocalGroup) {
            return MemberState.RECOVERING; // its disk failed, or it is closing
        }
        Optional<KnownSet> known = known();
        if (known.isEmpty()) {
            return MemberState.STARTUP2;
        }
        if (known.get().member(parts.self()).isPresent()) {
            return MemberState.SECONDARY;
        }
        boolean beingFilled = raft().map(RaftGroup::members).orElse(List.of()).stream()
                .anyMatch(member -> member.id().equals(parts.self()));
        return beingFilled ? MemberState.STARTUP2 : MemberState.REMOVED;
    }

    /** The primary's {@code host:port}, as far as this member knows. */
    public Optional<String> primary() {
        if (group.current() instanceof NoGroup) {
            return Optional.empty();
        }
        if (group.leadership().isPresent()) {
            return self().map(SetConfig.Member::host);
        }
        Optional<UUID> leader = raft().flatMap(RaftGroup::leader).filter(id -> !id.equals(parts.self()));
        return leader.flatMap(id -> known().flatMap(known -> known.member(id))).map(SetConfig.Member::host);
    }

    /** {@code set/host:port,host:port}: everybody who may be asked for the primary. */
    public String connectionString() {
        String hosts = config().map(config -> config.members().stream()
                        .filter(member -> !member.hidden())
                        .map(SetConfig.Member::host)
                        .collect(java.util.stream.Collectors.joining(",")))
                .orElseGet(parts.address());
        return parts.name() + "/" + hosts;
    }

    /** The latest term this member knows. */
    public long term() {
        return raft().map(RaftGroup::term).orElseGet(() -> parts.views().term());
    }

    /** Answers a call of another member of the same group. */
    public byte[] answer(byte[] request) {
        RaftGroup raft = raft().orElse(null);
        if (raft == null) {
            changes.countedByASet();
            throw NOT_YET_INITIALIZED.because("this member is in no replica set of several");
        }
        return raft.answer(request);
    }

    /**
     * What this member tells others about itself.
     *
     * @param expected who it is thought to be, by somebody who counts on it
     */
    public BsonDocument about(Optional<UUID> expected) {
        if (expected.isPresent() && !expected.get().equals(parts.self())) {
            changes.countedByASet();
        }
        BsonTimestamp time = new BsonTimestamp(parts.views().time());
        MemberState state = state();
        return new BsonDocument("set", new BsonString(parts.name()))
                .append("id", new BsonString(parts.self().toString()))
                .append("state", new BsonInt32(state.number()))
                .append("free", BsonBoolean.valueOf(group.current() instanceof NoGroup))
                .append(
                        "incarnation",
                        new BsonString(raft().map(raft -> raft.incarnation().toString())
                                .orElse("")))
                .append(
                        "frozen",
                        BsonBoolean.valueOf(raft().map(RaftGroup::isFrozen).orElse(false)))
                .append(
                        "settled",
                        BsonBoolean.valueOf(raft().map(RaftGroup::isSettled).orElse(false)))
                .append("ts", time)
                .append("t", new BsonInt64(parts.views().term()))
                .append("date", new BsonDateTime(Integer.toUnsignedLong(time.getTime()) * 1000));
    }

    /** What another member tells about itself; empty if it does not answer in time. */
    public Optional<BsonDocument> about(SetConfig.Member member, Operation operation) {
        Optional<UUID> expected = known().map(known -> known.ids().get(member.id()));
        String host = addressOf(member);
        try {
            return Optional.of(
                    expected.isPresent()
                            ? calls.about(host, expected.get(), bounded(operation))
                            : calls.about(host, bounded(operation)));
        } catch (CommandException unreachable) {
            operation.checkAlive();
            return Optional.empty();
        }
    }

    /** Why who answers at a member's address is not that member, and what to do; empty if it is. */
    public String whyNotTheSame(SetConfig.Member member, BsonDocument about) {
        boolean same = known().map(known -> known.ids().get(member.id()))
                .map(id -> id.toString().equals(about.getString("id").getValue()))
                .orElse(true);
        return same
                ? ""
                : "this is another data folder than the one that was added, as when it was emptied; remove the member from"
                        + " the set and add it again to have it filled";
    }

    String addressOf(SetConfig.Member member) {
        return known().map(known -> known.ids().get(member.id()))
                .map(id -> calls.address(id, member.host()))
                .orElse(member.host());
    }

    static Operation bounded(Operation operation) {
        return Operation.ofProcess(
                operation.command(), "admin", operation.deadline().atMost(ASKS_MILLIS));
    }

    /** Has the primary write something that changes nothing, so that this member comes to its present time. */
    public void askForNoop(Operation operation) {
        primary().ifPresent(host -> calls.noop(host, bounded(operation)));
    }

    /**
     * Waits until enough members have applied a time.
     *
     * @param enough told the members that have
     * @param millis at most so long; 0 for as long as the operation lives
     * @return whether there are enough
     */
    public boolean awaitApplied(long time, Predicate<List<SetConfig.Member>> enough, long millis, Operation operation) {
        long end = parts.clock().nanos() + millis * 1_000_000;
        while (true) {
            KnownSet known = known().orElse(null);
            List<SetConfig.Member> applied = new ArrayList<>();
            for (SetConfig.Member member : config().map(SetConfig::members).orElse(List.of())) {
                boolean self = known == null || parts.self().equals(known.ids().get(member.id()));
                boolean has = self
                        || about(member, operation)
                                .map(about -> Long.compareUnsigned(
                                                about.getTimestamp("ts").getValue(), time)
                                        >= 0)
                                .orElse(false);
                if (has) {
                    applied.add(member);
                }
            }
            if (enough.test(applied)) {
                return true;
            }
            if (millis > 0 && parts.clock().nanos() - end >= 0) {
                return false;
            }
            operation.waitFor(new CompletableFuture<>(), LOOK_AGAIN_NANOS);
        }
    }

    /**
     * Tells where members are now, which were known elsewhere. The configuration of a set that moved says so once this
     * member leads it.
     */
    public void moved(Map<UUID, String> addresses) {
        addresses.forEach(calls::moved);
    }

    static CommandException notInitialized() {
        return NOT_YET_INITIALIZED.because("no replset config has been received");
    }
}
