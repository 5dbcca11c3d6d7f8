package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.ALREADY_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.EXCEEDED_TIME_LIMIT;
import static io.ostraka.core.error.ErrorCode.INVALID_REPLICA_SET_CONFIG;
import static io.ostraka.core.error.ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE;
import static io.ostraka.core.error.ErrorCode.NODE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NOT_SECONDARY;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;
import static io.ostraka.core.error.ErrorCode.NOT_YET_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.OPERATION_FAILED;

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
import io.ostraka.replication.raft.RaftMember;
import io.ostraka.storage.Engine;
import io.ostraka.wire.command.HybridClock;
import io.ostraka.wire.command.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The set of one member: its group, its configuration, and how both change. Safe for many threads. */
public final class ReplicaSet {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSet.class);
    private static final Namespace CONFIG = new Namespace("admin", "system.replset");
    private static final long LOOK_AGAIN_NANOS = 50_000_000;
    private static final long ASKS_MILLIS = 5_000;

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
    private final ReentrantLock changing = new ReentrantLock();
    private volatile AtomicWrite write;

    private ReplicaSet(Parts parts, MemberCalls calls, ReplicaGroup first) {
        this.parts = parts;
        this.calls = calls;
        group = new SwitchingGroup(first);
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

    private static RaftGroup.Settings settings(Parts parts, MemberCalls calls) {
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

    public String name() {
        return parts.name();
    }

    private Optional<RaftGroup> raft() {
        return group.current() instanceof RaftGroup raft ? Optional.of(raft) : Optional.empty();
    }

    private Optional<KnownSet> known() {
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
        return known.get().member(parts.self()).isPresent() ? MemberState.SECONDARY : MemberState.REMOVED;
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
        return raft().map(raft -> raft.answer(request))
                .orElseThrow(() -> NOT_YET_INITIALIZED.because("this member is in no replica set of several"));
    }

    /** What this member tells others about itself. */
    public BsonDocument about() {
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
                .append("ts", time)
                .append("t", new BsonInt64(parts.views().term()))
                .append("date", new BsonDateTime(Integer.toUnsignedLong(time.getTime()) * 1000));
    }

    /** What another member tells about itself; empty if it does not answer in time. */
    public Optional<BsonDocument> about(SetConfig.Member member, Operation operation) {
        try {
            return Optional.of(calls.about(addressOf(member), bounded(operation)));
        } catch (CommandException unreachable) {
            operation.checkAlive();
            return Optional.empty();
        }
    }

    private String addressOf(SetConfig.Member member) {
        return known().map(known -> known.ids().get(member.id()))
                .map(id -> calls.address(id, member.host()))
                .orElse(member.host());
    }

    private static Operation bounded(Operation operation) {
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
     * Makes a set of members that have no data.
     *
     * @param given the configuration; this member alone if there is none
     * @throws CommandException 23 AlreadyInitialized, 74 NodeNotFound, 93 InvalidReplicaSetConfig, 110
     */
    public void initiate(Optional<SetConfig> given, Operation operation) {
        change(() -> {
            if (!(group.current() instanceof NoGroup)) {
                throw ALREADY_INITIALIZED.because("already initialized");
            }
            SetConfig config = given.orElseGet(
                    () -> SetConfig.alone(parts.name(), parts.address().get(), 0));
            checkName(config);
            KnownSet wanted = identify(config, Map.of(), operation);
            SetConfig.Member self = wanted.member(parts.self())
                    .orElseThrow(() -> INVALID_REPLICA_SET_CONFIG.because(
                            "No host described in new configuration with replica set name %s maps to this node",
                            parts.name()));
            RaftGroup raft = RaftGroup.create(
                    settings(parts, calls), parts.ids().uuid(), List.of(raftMember(parts.self(), self)));
            group.become(raft);
            awaitLeadership(operation);
            store(new KnownSet(config.with(config.version(), term()), wanted.ids()), operation);
            follow(operation);
        });
    }

    private void checkName(SetConfig config) {
        if (!config.name().equals(parts.name())) {
            throw INVALID_REPLICA_SET_CONFIG.because(
                    "Attempting to initiate a replica set with name %s, but command line reports %s; rejecting",
                    config.name(), parts.name());
        }
    }

    /** Finds out who the members of a configuration are; those not known yet must be free. */
    private KnownSet identify(SetConfig config, Map<Integer, UUID> before, Operation operation) {
        Map<Integer, UUID> ids = new HashMap<>();
        for (SetConfig.Member member : config.members()) {
            UUID id = before.get(member.id());
            ids.put(member.id(), id != null ? id : identify(member, operation));
        }
        if (ids.values().stream().distinct().count() < ids.size()) {
            throw INVALID_REPLICA_SET_CONFIG.because("two of the hosts are the same member");
        }
        return new KnownSet(config, ids);
    }

    private UUID identify(SetConfig.Member member, Operation operation) {
        if (member.host().equals(parts.address().get())) {
            return parts.self();
        }
        BsonDocument about;
        try {
            about = calls.about(member.host(), bounded(operation));
        } catch (CommandException failed) {
            operation.checkAlive();
            throw NODE_NOT_FOUND.because(
                    "replica set quorum check failed because not all proposed set members responded affirmatively: %s"
                            + " failed with %s",
                    member.host(), failed.getMessage());
        }
        UUID id = UUID.fromString(about.getString("id").getValue());
        if (id.equals(parts.self())) {
            return id;
        }
        if (!about.getString("set").getValue().equals(parts.name())) {
            throw INVALID_REPLICA_SET_CONFIG.because(
                    "%s is of the set %s, not %s",
                    member.host(), about.getString("set").getValue(), parts.name());
        }
        boolean ours = raft().map(raft -> raft.incarnation().toString())
                .filter(about.getString("incarnation").getValue()::equals)
                .isPresent();
        if (!ours && !about.getBoolean("free").getValue()) {
            throw CANNOT_INITIALIZE_NODE_WITH_DATA.because(
                    "'%s' has data already, or is in a set. Start it with an empty folder and --replSet %s.",
                    member.host(), parts.name());
        }
        return id;
    }

    /**
     * Changes the configuration; done when the group has followed.
     *
     * @throws CommandException 103 NewReplicaSetConfigurationIncompatible, 10107, and as {@link #initiate}
     */
    public void reconfigure(SetConfig wanted, boolean force, Operation operation) {
        change(() -> {
            if (group.leadership().isEmpty()) {
                throw NOT_WRITABLE_PRIMARY.because(
                        force
                                ? "only a primary changes its set, also with force. Where most of the members are lost for"
                                        + " good, docs/operations/README.md tells how to begin anew from one copy."
                                : "New config can only be accepted by the primary");
            }
            checkName(wanted);
            SetConfig present = config().orElseThrow(ReplicaSet::notInitialized);
            check(present, wanted, force);
            Map<Integer, UUID> before = new HashMap<>(known().map(KnownSet::ids).orElse(Map.of(0, parts.self())));
            before.keySet().removeIf(id -> !sameHost(present, wanted, id));
            KnownSet next = identify(wanted, before, operation);
            if (next.member(parts.self()).isEmpty()) {
                throw NODE_NOT_FOUND.because(
                        "No host described in new configuration with replica set name %s maps to this node",
                        parts.name());
            }
            if (group.current() instanceof LocalGroup && wanted.members().size() > 1) {
                grow(operation);
            }
            store(new KnownSet(wanted.with(wanted.version(), term()), next.ids()), operation);
            follow(operation);
        });
    }

    private static boolean sameHost(SetConfig present, SetConfig wanted, int id) {
        Optional<SetConfig.Member> one = present.member(id);
        Optional<SetConfig.Member> other = wanted.member(id);
        return one.isPresent()
                && other.isPresent()
                && one.get().host().equals(other.get().host());
    }

    private static void check(SetConfig present, SetConfig wanted, boolean force) {
        if (wanted.version() <= present.version()) {
            throw NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE.because(
                    "New replica set configuration version must be greater than old, but %d is not greater than %d",
                    wanted.version(), present.version());
        }
        long added = voters(wanted).stream()
                .filter(id -> !voters(present).contains(id))
                .count();
        long removed = voters(present).stream()
                .filter(id -> !voters(wanted).contains(id))
                .count();
        if (!force && added + removed > 1) {
            throw NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE.because(
                    "Non force replica set reconfig can only add or remove at most 1 voting member.");
        }
    }

    private static List<Integer> voters(SetConfig config) {
        return config.members().stream()
                .filter(SetConfig.Member::votes)
                .map(SetConfig.Member::id)
                .toList();
    }

    private static CommandException notInitialized() {
        return NOT_YET_INITIALIZED.because("no replset config has been received");
    }

    /** Makes a group on Raft of a set of one: its state is what the new log begins after. */
    private void grow(Operation operation) {
        SetConfig.Member self = self().orElseThrow(ReplicaSet::notInitialized);
        UUID incarnation = parts.ids().uuid();
        group.current().close();
        parts.applier().moveTo(RaftGroup.firstPosition(incarnation));
        parts.engine().setJournal(Engine.Journal.ELSEWHERE);
        group.become(RaftGroup.create(settings(parts, calls), incarnation, List.of(raftMember(parts.self(), self))));
        awaitLeadership(operation);
    }

    /**
     * Takes part in a group whose leader is about to add this member.
     *
     * @param members those there are, for a member that does not vote
     * @throws CommandException 23 if it is in another set
     */
    public void join(String set, UUID incarnation, Optional<List<RaftMember>> members) {
        change(() -> {
            boolean there =
                    raft().map(raft -> raft.incarnation().equals(incarnation)).orElse(false);
            if (there) {
                return;
            }
            if (!(group.current() instanceof NoGroup) || !set.equals(parts.name())) {
                throw ALREADY_INITIALIZED.because(
                        "this member of %s is in a set already, or of another name than %s", parts.name(), set);
            }
            group.become(RaftGroup.create(settings(parts, calls), incarnation, members.orElse(List.of())));
        });
    }

    /** Brings the group to the stored configuration, one step at a time. For the leader. */
    public void follow(Operation operation) {
        Optional<RaftGroup> raft = raft();
        while (raft.isPresent() && group.leadership().isPresent()) {
            KnownSet known = known().orElseThrow(ReplicaSet::notInitialized);
            List<RaftMember> next = nextStep(raft.get(), known, operation);
            if (next.equals(raft.get().members())) {
                return;
            }
            awaitChange(raft.get().setMembers(next), operation);
        }
    }

    private List<RaftMember> nextStep(RaftGroup raft, KnownSet known, Operation operation) {
        List<RaftMember> present = raft.members();
        List<RaftMember> next = new ArrayList<>(present);
        for (int i = 0; i < next.size(); i++) {
            RaftMember member = next.get(i);
            Optional<RaftMember> wanted = known.member(member.id()).map(found -> raftMember(member.id(), found));
            if (wanted.isPresent() && !wanted.get().equals(member)) {
                next.set(i, wanted.get());
                if (wanted.get().votes() != member.votes()) {
                    return next;
                }
            }
        }
        if (!next.equals(present)) {
            return next;
        }
        for (SetConfig.Member member : known.config().members()) {
            UUID id = known.ids().get(member.id());
            if (present.stream().noneMatch(there -> there.id().equals(id))) {
                RaftMember added = raftMember(id, member);
                next.add(added);
                Optional<BsonDocument> listenTo =
                        member.votes() ? Optional.empty() : Optional.of(RaftMembers.toBson(next));
                calls.join(addressOf(member), parts.name(), raft.incarnation(), listenTo, bounded(operation));
                return next;
            }
        }
        for (RaftMember member : present) {
            if (known.member(member.id()).isEmpty()) {
                next.remove(member);
                return next;
            }
        }
        return next;
    }

    private static RaftMember raftMember(UUID id, SetConfig.Member member) {
        return new RaftMember(id, member.host(), (int) Math.ceil(member.priority()), member.votes());
    }

    private void awaitChange(CompletableFuture<Void> change, Operation operation) {
        try {
            Void unused = operation.await(change);
        } catch (CompletionException failed) {
            throw OPERATION_FAILED.because(
                    "the members could not be changed: %s. The configuration is stored, and the primary goes on trying.",
                    failed.getCause().getMessage());
        }
    }

    private void store(KnownSet next, Operation operation) {
        write.run(List.of(CONFIG), List.of(), operation, evaluation -> {
            evaluation.put(CONFIG, next.toBson());
            return null;
        });
        LOG.info(
                "replica set {} has configuration {}",
                parts.name(),
                next.config().version());
    }

    private void awaitLeadership(Operation operation) {
        while (group.leadership().isEmpty()) {
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

    /** Writes down where members are that moved. For the leader. */
    public void readdress(Operation operation) {
        Optional<KnownSet> known = known();
        if (known.isEmpty()) {
            return;
        }
        SetConfig config = known.get().config();
        List<SetConfig.Member> members = config.members().stream()
                .map(member -> new SetConfig.Member(
                        member.id(),
                        calls.address(known.get().ids().get(member.id()), member.host()),
                        member.priority(),
                        member.votes(),
                        member.hidden(),
                        member.tags()))
                .toList();
        if (!members.equals(config.members())) {
            SetConfig moved = config.withMembers(members).with(config.version() + 1, term());
            store(new KnownSet(moved, known.get().ids()), operation);
        }
    }

    /**
     * Hands over to the member that is caught up most.
     *
     * @param catchUpMillis how long to wait for one that has everything
     * @param awayMillis how long this member does not ask for votes afterwards
     * @param force whether to go on without one
     * @throws CommandException 262 ExceededTimeLimit if nobody can take over; nothing has changed then
     */
    public void stepDown(long catchUpMillis, long awayMillis, boolean force, Operation operation) {
        if (group.leadership().isEmpty()) {
            throw NOT_WRITABLE_PRIMARY.because("not primary so can't step down");
        }
        Optional<RaftGroup> raft = raft();
        Optional<UUID> heir = raft.isEmpty() ? Optional.empty() : heir(catchUpMillis, operation);
        if (raft.isEmpty() || heir.isEmpty() && !force) {
            throw EXCEEDED_TIME_LIMIT.because(
                    "No electable secondaries caught up as of %s. Please use the replSetStepDown command with the"
                            + " argument {force: true} to force node to step down.",
                    java.time.Instant.ofEpochMilli(parts.clock().wallMillis()));
        }
        try {
            Void unused = operation.await(raft.get().transfer(heir, ASKS_MILLIS));
        } catch (CompletionException failed) {
            if (group.leadership().isPresent()) {
                throw EXCEEDED_TIME_LIMIT.because(
                        "nobody took over: %s", failed.getCause().getMessage());
            }
        }
        raft.get().freeze(awayMillis);
    }

    /**
     * Has this member not ask for votes for a while.
     *
     * @param millis 0 lets it at once
     * @throws CommandException 95 NotSecondary on a primary
     */
    public void freeze(long millis, Operation operation) {
        operation.checkAlive();
        if (group.leadership().isPresent()) {
            throw NOT_SECONDARY.because("cannot freeze node when primary or running for election. state: Primary");
        }
        raft().orElseThrow(ReplicaSet::notInitialized).freeze(millis);
    }

    private Optional<UUID> heir(long catchUpMillis, Operation operation) {
        long wanted = parts.views().time();
        long end = parts.clock().nanos() + catchUpMillis * 1_000_000;
        KnownSet known = known().orElseThrow(ReplicaSet::notInitialized);
        while (true) {
            Optional<Candidate> best = known.config().members().stream()
                    .filter(SetConfig.Member::isElectable)
                    .filter(member -> !parts.self().equals(known.ids().get(member.id())))
                    .flatMap(member -> about(member, operation)
                            .filter(about -> !about.getBoolean("frozen").getValue())
                            .map(about -> new Candidate(
                                    known.ids().get(member.id()),
                                    member.priority(),
                                    about.getTimestamp("ts").getValue()))
                            .stream())
                    .max(Comparator.comparing(Candidate::time, Long::compareUnsigned)
                            .thenComparing(Candidate::priority));
            boolean caughtUp =
                    best.isPresent() && Long.compareUnsigned(best.get().time(), wanted) >= 0;
            if (caughtUp) {
                return best.map(Candidate::id);
            }
            if (parts.clock().nanos() - end >= 0) {
                return Optional.empty();
            }
            operation.waitFor(new CompletableFuture<>(), LOOK_AGAIN_NANOS);
        }
    }

    private record Candidate(UUID id, double priority, long time) {}

    private void change(Runnable change) {
        if (!changing.tryLock()) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because("the replica set is being changed already; try again");
        }
        try {
            change.run();
        } finally {
            changing.unlock();
        }
    }
}
