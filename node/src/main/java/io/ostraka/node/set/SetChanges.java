package io.ostraka.node.set;

import static io.ostraka.core.error.ErrorCode.ALREADY_INITIALIZED;
import static io.ostraka.core.error.ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.INVALID_REPLICA_SET_CONFIG;
import static io.ostraka.core.error.ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE;
import static io.ostraka.core.error.ErrorCode.NODE_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.NOT_WRITABLE_PRIMARY;
import static io.ostraka.core.error.ErrorCode.OPERATION_FAILED;

import io.ostraka.core.error.CommandException;
import io.ostraka.replication.LocalGroup;
import io.ostraka.replication.raft.RaftGroup;
import io.ostraka.replication.raft.RaftMember;
import io.ostraka.storage.Engine;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a set is made and its members come and go. One change at a time; safe for many threads. */
public final class SetChanges {
    private static final Logger LOG = LoggerFactory.getLogger(SetChanges.class);

    private final ReplicaSet set;
    private final ReentrantLock changing = new ReentrantLock();
    private final ReentrantLock following = new ReentrantLock();
    private final Promise promise;

    SetChanges(ReplicaSet set) {
        this.set = set;
        promise = new Promise(set.parts().clock());
    }

    /**
     * Makes a set of members that have no data.
     *
     * @param given the configuration; this member alone if there is none
     * @throws CommandException 23 AlreadyInitialized, 74 NodeNotFound, 93 InvalidReplicaSetConfig, 110
     */
    public void initiate(Optional<SetConfig> given, Operation operation) {
        change(() -> {
            if (!(set.group().current() instanceof NoGroup)) {
                throw ALREADY_INITIALIZED.because("already initialized");
            }
            SetConfig config = given.orElseGet(() ->
                    SetConfig.alone(set.parts().name(), set.parts().address().get(), 0));
            checkName(config);
            KnownSet wanted = identify(config, Map.of(), operation);
            SetConfig.Member self = wanted.member(set.parts().self())
                    .orElseThrow(() -> INVALID_REPLICA_SET_CONFIG.because(
                            "No host described in new configuration with replica set name %s maps to this node",
                            set.parts().name()));
            askForPromises(wanted, operation);
            RaftGroup raft = RaftGroup.create(
                    ReplicaSet.settings(set.parts(), set.calls()),
                    set.parts().ids().uuid(),
                    List.of(raftMember(set.parts().self(), self)));
            set.group().become(raft);
            awaitLeadership(operation);
            store(new KnownSet(config.with(config.version(), set.term()), wanted.ids()), operation);
            follow(operation);
        });
    }

    /** Asks everybody in the order of their ids, so that of members that ask at once the first to get one gets all. */
    private void askForPromises(KnownSet wanted, Operation operation) {
        UUID self = set.parts().self();
        List<UUID> asked = new ArrayList<>();
        try {
            for (UUID id : wanted.ids().values().stream().sorted().toList()) {
                if (id.equals(self)) {
                    promise.give(self);
                } else {
                    set.calls().promise(hostOf(wanted, id), self, true, ReplicaSet.bounded(operation));
                }
                asked.add(id);
            }
        } catch (CommandException refused) {
            for (UUID id : asked) {
                withdraw(wanted, id, operation);
            }
            throw refused;
        }
    }

    private void withdraw(KnownSet wanted, UUID id, Operation operation) {
        UUID self = set.parts().self();
        if (id.equals(self)) {
            promise.withdraw(self);
            return;
        }
        try {
            set.calls().promise(hostOf(wanted, id), self, false, ReplicaSet.bounded(operation));
        } catch (CommandException unreachable) {
            LOG.debug("a promise ends by itself", unreachable);
        }
    }

    private static String hostOf(KnownSet wanted, UUID id) {
        return wanted.member(id).orElseThrow().host();
    }

    /**
     * Promises another member to follow it, or is told that it need not.
     *
     * @throws CommandException 23 if this member is in a set or one counts on it, 117 if it has promised somebody else
     */
    public void promise(UUID maker, boolean give) {
        if (!give) {
            promise.withdraw(maker);
        } else if (set.group().current() instanceof NoGroup) {
            promise.give(maker);
        } else {
            throw ALREADY_INITIALIZED.because(
                    "this member of %s is in a set already", set.parts().name());
        }
    }

    /** A set's leader asks this member, which is in none, for something: it has its address from somewhere. */
    void countedByASet() {
        promise.counted();
    }

    private void checkName(SetConfig config) {
        if (!config.name().equals(set.parts().name())) {
            throw INVALID_REPLICA_SET_CONFIG.because(
                    "Attempting to initiate a replica set with name %s, but command line reports %s; rejecting",
                    config.name(), set.parts().name());
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
        if (member.host().equals(set.parts().address().get())) {
            return set.parts().self();
        }
        BsonDocument about;
        try {
            about = set.calls().about(member.host(), ReplicaSet.bounded(operation));
        } catch (CommandException failed) {
            operation.checkAlive();
            throw NODE_NOT_FOUND.because(
                    "replica set quorum check failed because not all proposed set members responded affirmatively: %s"
                            + " failed with %s",
                    member.host(), failed.getMessage());
        }
        UUID id = UUID.fromString(about.getString("id").getValue());
        if (id.equals(set.parts().self())) {
            return id;
        }
        if (!about.getString("set").getValue().equals(set.parts().name())) {
            throw INVALID_REPLICA_SET_CONFIG.because(
                    "%s is of the set %s, not %s",
                    member.host(),
                    about.getString("set").getValue(),
                    set.parts().name());
        }
        boolean ours = set.raft()
                .map(raft -> raft.incarnation().toString())
                .filter(about.getString("incarnation").getValue()::equals)
                .isPresent();
        if (!ours && !about.getBoolean("free").getValue()) {
            throw CANNOT_INITIALIZE_NODE_WITH_DATA.because(
                    "'%s' has data already, or is in a set. Start it with an empty folder and --replSet %s.",
                    member.host(), set.parts().name());
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
            if (set.group().leadership().isEmpty()) {
                throw NOT_WRITABLE_PRIMARY.because(
                        force
                                ? "only a primary changes its set, also with force. Where most of the members are lost for"
                                        + " good, docs/operations/README.md tells how to begin anew from one copy."
                                : "New config can only be accepted by the primary");
            }
            checkName(wanted);
            SetConfig present = set.config().orElseThrow(ReplicaSet::notInitialized);
            check(present, wanted, force);
            Map<Integer, UUID> before = new HashMap<>(
                    set.known().map(KnownSet::ids).orElse(Map.of(0, set.parts().self())));
            before.keySet().removeIf(id -> !sameHost(present, wanted, id));
            KnownSet next = identify(wanted, before, operation);
            if (next.member(set.parts().self()).isEmpty()) {
                throw NODE_NOT_FOUND.because(
                        "No host described in new configuration with replica set name %s maps to this node. To remove"
                                + " the primary let it step down first (rs.stepDown()), and remove it on the next one.",
                        set.parts().name());
            }
            if (set.group().current() instanceof LocalGroup && wanted.members().size() > 1) {
                grow(operation);
            }
            store(new KnownSet(wanted.with(wanted.version(), set.term()), next.ids()), operation);
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

    /** Makes a group on Raft of a set of one: its state is what the new log begins after. */
    private void grow(Operation operation) {
        SetConfig.Member self = set.self().orElseThrow(ReplicaSet::notInitialized);
        UUID incarnation = set.parts().ids().uuid();
        set.group().current().close();
        set.parts().applier().moveTo(RaftGroup.firstPosition(incarnation));
        set.parts().engine().setJournal(Engine.Journal.ELSEWHERE);
        set.group()
                .become(RaftGroup.create(
                        ReplicaSet.settings(set.parts(), set.calls()),
                        incarnation,
                        List.of(raftMember(set.parts().self(), self))));
        awaitLeadership(operation);
    }

    /**
     * Takes part in a group whose leader is about to add this member.
     *
     * @param leader who adds it
     * @param members those there are, for a member that does not vote
     * @throws CommandException 23 if it is in another set, 117 if it has promised somebody else
     */
    public void join(
            String name, UUID incarnation, UUID leader, Optional<List<RaftMember>> members, Operation operation) {
        awaitTurn(changing, operation);
        try {
            boolean there = set.raft()
                    .map(raft -> raft.incarnation().equals(incarnation))
                    .orElse(false);
            if (there) {
                return;
            }
            if (!(set.group().current() instanceof NoGroup)
                    || !name.equals(set.parts().name())) {
                throw ALREADY_INITIALIZED.because(
                        "this member of %s is in a set already, or of another name than %s",
                        set.parts().name(), name);
            }
            promise.check(leader);
            set.group()
                    .become(RaftGroup.create(
                            ReplicaSet.settings(set.parts(), set.calls()), incarnation, members.orElse(List.of())));
        } finally {
            changing.unlock();
        }
    }

    /** Goes on with a change that did not come to its end, unless one is under way. For the leader. */
    public void followAgain(Operation operation) {
        if (changing.tryLock()) {
            try {
                readdress(operation);
                follow(operation);
            } finally {
                changing.unlock();
            }
        }
    }

    /** Brings the group to the stored configuration, one step at a time. For the leader. */
    private void follow(Operation operation) {
        // Whoever changed the configuration and the primary's own task would both add the same member.
        awaitTurn(following, operation);
        try {
            followAlone(operation);
        } finally {
            following.unlock();
        }
    }

    private static void awaitTurn(ReentrantLock lock, Operation operation) {
        while (!lock.tryLock()) {
            if (operation.waitFor(new CompletableFuture<>(), ReplicaSet.LOOK_AGAIN_NANOS)) {
                throw new IllegalStateException("nobody completes a pause");
            }
        }
    }

    private void followAlone(Operation operation) {
        Optional<RaftGroup> raft = set.raft();
        while (raft.isPresent() && set.group().leadership().isPresent()) {
            KnownSet known = set.known().orElseThrow(ReplicaSet::notInitialized);
            List<RaftMember> next = nextStep(raft.get(), known, operation);
            if (next.equals(raft.get().members())) {
                return;
            }
            List<RaftMember> before = raft.get().members();
            awaitChange(raft.get().setMembers(next), operation);
            for (RaftMember member : next) {
                if (before.stream().noneMatch(there -> there.id().equals(member.id()))) {
                    awaitSettled(known, member, operation);
                }
            }
        }
    }

    /** Waits until a new member knows that it is one, so that the set can do without another from now on. */
    private void awaitSettled(KnownSet known, RaftMember added, Operation operation) {
        Optional<SetConfig.Member> member = known.member(added.id());
        long end = set.parts().clock().nanos() + ReplicaSet.ASKS_MILLIS * 1_000_000;
        while (member.isPresent() && set.parts().clock().nanos() - end < 0) {
            boolean settled = set.about(member.get(), operation)
                    .map(about -> about.getBoolean("settled").getValue())
                    .orElse(false);
            if (settled) {
                return;
            }
            operation.waitFor(new CompletableFuture<>(), ReplicaSet.LOOK_AGAIN_NANOS);
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
                set.calls()
                        .join(
                                set.addressOf(member),
                                set.parts().name(),
                                raft.incarnation(),
                                set.parts().self(),
                                listenTo,
                                ReplicaSet.bounded(operation));
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

    private void beginAnew(KnownSet before, Operation operation) {
        SetConfig config = before.config();
        SetConfig.Member self = before.member(set.parts().self())
                .orElseGet(() -> SetConfig.alone(
                                config.name(), set.parts().address().get(), 0)
                        .members()
                        .getFirst());
        SetConfig.Member alone =
                new SetConfig.Member(self.id(), set.parts().address().get(), 1, true, false, self.tags());
        SetConfig anew = config.withMembers(List.of(alone)).with(config.version() + 1, set.term());
        store(new KnownSet(anew, Map.of(alone.id(), set.parts().self())), operation);
        LOG.warn(
                "the log of replica set {} is not here: this member begins anew as a set of one, with the data it has",
                config.name());
    }

    private void store(KnownSet next, Operation operation) {
        set.write().run(List.of(ReplicaSet.CONFIG), List.of(), operation, evaluation -> {
            evaluation.put(ReplicaSet.CONFIG, next.toBson());
            return null;
        });
        LOG.info(
                "replica set {} has configuration {}",
                set.parts().name(),
                next.config().version());
    }

    private void awaitLeadership(Operation operation) {
        while (set.group().leadership().isEmpty()) {
            operation.waitFor(new CompletableFuture<>(), ReplicaSet.LOOK_AGAIN_NANOS);
        }
    }

    /**
     * Writes down what has changed while this member was not open: where members are that moved, and that it is a set of its
     * own, if somebody took its log away so that it begins anew. For the leader.
     */
    private void readdress(Operation operation) {
        Optional<KnownSet> known = set.known();
        if (known.isPresent()
                && set.group().current() instanceof LocalGroup
                && known.get().config().members().size() > 1) {
            beginAnew(known.get(), operation);
            return;
        }
        if (known.isEmpty()) {
            return;
        }
        SetConfig config = known.get().config();
        List<SetConfig.Member> members = config.members().stream()
                .map(member -> new SetConfig.Member(
                        member.id(),
                        set.calls().address(known.get().ids().get(member.id()), member.host()),
                        member.priority(),
                        member.votes(),
                        member.hidden(),
                        member.tags()))
                .toList();
        if (!members.equals(config.members())) {
            SetConfig moved = config.withMembers(members).with(config.version() + 1, set.term());
            store(new KnownSet(moved, known.get().ids()), operation);
        }
    }

    /** Waits a while for a change that is under way, such as a step of {@link #followAgain}. */
    private void change(Runnable change) {
        if (!lock()) {
            throw CONFLICTING_OPERATION_IN_PROGRESS.because("the replica set is being changed already; try again");
        }
        try {
            change.run();
        } finally {
            changing.unlock();
        }
    }

    private boolean lock() {
        try {
            return changing.tryLock(ReplicaSet.ASKS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
