package io.ostraka.sharding.shard;

import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.Ownership;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.AtomicWrite;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches a collection's placement from the config servers and makes this shard's part of it part of the catalog.
 * Whatever changes hands with it changes in the same proposal: counters of unowned documents, the states of moves,
 * and the clean-up to come.
 */
public final class PlacementRefresher {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementRefresher.class);
    /** Internal collections that change together with ownership. */
    private static final List<Namespace> MOVES =
            List.of(MoveRows.DONATIONS, MoveRows.RECEIPTS, MoveRows.RANGE_DELETIONS);

    /** How long a request waits while another one learns the same. */
    private static final long LONGEST_WAIT_NANOS = 60_000_000_000L;

    /** Collections that can be learnt of at the same time, about. */
    private static final int LOCKS = 256;

    private final Member member;
    private final ConfigLink config;
    private final Supplier<Optional<ShardIdentity>> identity;
    private final Clock clock;
    private final long orphanDelayMillis;
    private final Map<Namespace, KnownPlacement> known = new ConcurrentHashMap<>();
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    /** @param orphanDelayMillis how long documents stay that a move left behind, for cursors that still read them */
    public PlacementRefresher(
            Member member,
            ConfigLink config,
            Supplier<Optional<ShardIdentity>> identity,
            Clock clock,
            long orphanDelayMillis) {
        this.member = member;
        this.config = config;
        this.identity = identity;
        this.clock = clock;
        this.orphanDelayMillis = orphanDelayMillis;
    }

    /** What was learnt last, if anything was. */
    public Optional<KnownPlacement> known(Namespace namespace) {
        return Optional.ofNullable(known.get(namespace));
    }

    /** Forgets a collection: it was dropped or renamed. */
    public void forget(Namespace namespace) {
        known.remove(namespace);
    }

    /** Learns the placement now. */
    public KnownPlacement refresh(Namespace namespace, Operation operation) {
        return refresh(namespace, false, operation);
    }

    /** The same, and lets writers go on that a change of the collection has blocked. */
    public KnownPlacement refreshAndRelease(Namespace namespace, Operation operation) {
        return refresh(namespace, true, operation);
    }

    private KnownPlacement refresh(Namespace namespace, boolean release, Operation operation) {
        ReentrantLock lock = locks.get(Math.floorMod(namespace.hashCode(), LOCKS));
        operation.awaitLock(lock, LONGEST_WAIT_NANOS);
        try {
            Optional<RoutingTable> before = known(namespace).flatMap(KnownPlacement::table);
            BsonDocument command = new BsonDocument("_configsvrGetRouting", new BsonString(namespace.toString()));
            before.ifPresent(
                    table -> command.append("since", table.highest().toRaw().toBson()));
            BsonDocument reply = config.ask(command, operation);
            KnownPlacement placement = KnownPlacement.of(namespace, reply, before);
            member.transact(MOVES, List.of(namespace), operation, evaluation -> {
                evaluation
                        .view()
                        .find(namespace)
                        .ifPresent(entry -> new Handover(evaluation, entry).take(placement, release));
                return null;
            });
            known.put(namespace, placement);
            return placement;
        } finally {
            lock.unlock();
        }
    }

    /** One change of ownership being evaluated. */
    private final class Handover {
        private final AtomicWrite.Evaluation evaluation;
        private final CollectionEntry entry;
        private final Namespace namespace;

        Handover(AtomicWrite.Evaluation evaluation, CollectionEntry entry) {
            this.evaluation = evaluation;
            this.entry = entry;
            this.namespace = entry.namespace();
        }

        void take(KnownPlacement placement, boolean release) {
            Optional<Ownership> before = entry.ownership();
            if (placement.table().isEmpty()) {
                if (before.isPresent() && (release || !before.get().isPrepared())) {
                    evaluation.setOwnership(namespace, Optional.empty());
                }
                return;
            }
            RoutingTable table = placement.table().get();
            if (!table.head().uuid().equals(entry.uuid())) {
                // What is here is another collection of this name: the change that makes it right is on its way.
                LOG.info("{} is tracked with another UUID than the one here", namespace);
                return;
            }
            ShardId shard = identity.get().orElseThrow().shard();
            PlacementVersion version = table.versionOf(shard);
            boolean same = before.isPresent()
                    && before.get().version().generation().equals(version.generation())
                    && !version.isNewerThan(before.get().version())
                    && version.major() == before.get().version().major();
            if (same && !release) {
                return;
            }
            KeyRanges owned = table.rangesOf(shard);
            Ownership now = before.isPresent() && !release
                    ? before.get().refreshed(table.key(), version, owned)
                    : Ownership.of(table.key(), version, owned);
            if (before.isPresent() && !before.get().isPrepared()) {
                now = give(before.get(), now);
                receive(before.get(), now);
            } else {
                receive(Ownership.of(table.key(), version, KeyRanges.NONE), now);
            }
            evaluation.setOwnership(namespace, Optional.of(now));
        }

        private Ownership give(Ownership before, Ownership now) {
            Ownership left = now;
            for (BsonDocument row : StoredRows.all(evaluation.view(), MoveRows.DONATIONS)) {
                KeyRange range = MoveRows.range(row);
                boolean mine = MoveRows.uuid(row).equals(entry.uuid())
                        && MoveRows.state(row).equals("COMMITTING")
                        && before.owned().covers(range)
                        && !now.owned().overlaps(range);
                if (!mine) {
                    continue;
                }
                evaluation.put(MoveRows.DONATIONS, MoveRows.in(row, "GIVEN"));
                evaluation.disown(namespace, MoveRows.documents(row), MoveRows.bytes(row));
                evaluation.put(
                        MoveRows.RANGE_DELETIONS,
                        new BsonDocument("_id", row.get("_id"))
                                .append("ns", row.get("ns"))
                                .append("uuid", row.get("uuid"))
                                .append("min", row.get("min"))
                                .append("max", row.get("max"))
                                .append("notBefore", new BsonDateTime(clock.wallMillis() + orphanDelayMillis)));
                left = left.release(range);
            }
            return left;
        }

        private void receive(Ownership before, Ownership now) {
            for (BsonDocument row : StoredRows.all(evaluation.view(), MoveRows.RECEIPTS)) {
                KeyRange range = MoveRows.range(row);
                boolean mine = MoveRows.uuid(row).equals(entry.uuid())
                        && MoveRows.state(row).equals("DRAINED")
                        && now.owned().covers(range)
                        && !before.owned().overlaps(range);
                if (mine) {
                    evaluation.put(MoveRows.RECEIPTS, MoveRows.in(row, "RECEIVED"));
                    evaluation.disown(namespace, -MoveRows.documents(row), -MoveRows.bytes(row));
                }
            }
        }
    }
}
