package io.ostraka.sharding.ddl;

import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.time.Clock;
import io.ostraka.core.time.Ids;
import io.ostraka.sharding.catalog.CatalogStore;
import io.ostraka.sharding.catalog.Changelog;
import io.ostraka.sharding.catalog.ClusterCatalog;
import io.ostraka.sharding.catalog.CollectionChanges;
import io.ostraka.sharding.catalog.MemoryStore;
import io.ostraka.sharding.catalog.MovePlans;
import io.ostraka.wire.command.Deadline;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * Shards and a store that outlive the process that leads, all in memory and in the caller's thread. The leader can be
 * killed right before or right after any commit and any command to a shard.
 */
final class MortalCluster {
    static final ShardId A = new ShardId("a");
    static final ShardId B = new ShardId("b");
    /** The collection that a shard makes if there is none; documents are not modelled. */
    static final UUID MADE = new UUID(7, 7);

    /** The leader is dead; nothing it does reaches the world any more. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    final MemoryStore store = new MemoryStore();
    /** {@code shard/ns} to uuid. */
    final Map<String, UUID> collections = new TreeMap<>();
    /** {@code shard/ns} of what waits to be released. */
    final Set<String> blocked = new HashSet<>();
    /** A command that shard b refuses, if any. */
    Optional<String> refused = Optional.empty();

    private final Ids ids = new Ids(Clock.SYSTEM, new Random(7));

    /** One life of the leading process. */
    final class Leader {
        private final int dies;
        private int points;
        final ClusterCatalog catalog;
        final CoordinatorDriver driver;

        /** @param dies at which point; a number no run reaches for a leader that lives on */
        Leader(int dies) {
            this.dies = dies;
            CatalogStore mortal = new MortalStore(this);
            this.catalog =
                    new ClusterCatalog(mortal, new Changelog("localhost:1", Clock.SYSTEM, ids), Clock.SYSTEM, ids);
            this.driver = new CoordinatorDriver(
                    mortal,
                    new CollectionChanges(catalog),
                    new MovePlans(catalog),
                    this::call,
                    Clock.SYSTEM,
                    new CoordinatorDriver.Limits(1_000, 0, 0, 1_000, 10_000),
                    new Here());
        }

        private MemoryStore shared() {
            return store;
        }

        boolean isDead() {
            return points > dies;
        }

        private void point() {
            if (points++ >= dies) {
                points = dies + 1;
                throw new Killed();
            }
        }

        private BsonDocument call(ShardId shard, BsonDocument command, Deadline deadline) {
            point();
            BsonDocument reply = perform(shard, command);
            point();
            return reply;
        }
    }

    private record MortalStore(Leader leader, MemoryStore inner) implements CatalogStore {
        MortalStore(Leader leader) {
            this(leader, leader.shared());
        }

        @Override
        public List<BsonDocument> find(String collection, BsonDocument filter) {
            return inner.find(collection, filter);
        }

        @Override
        public Optional<BsonDocument> get(String collection, BsonValue id) {
            return inner.get(collection, id);
        }

        @Override
        public void commit(List<Change> changes) {
            leader.point();
            inner.commit(changes);
            leader.point();
        }

        @Override
        public BsonTimestamp tick() {
            return inner.tick();
        }
    }

    private BsonDocument perform(ShardId shard, BsonDocument command) {
        String name = command.getFirstKey();
        String of = command.getString(name).getValue();
        String here = shard.name() + "/" + of;
        if (shard.equals(B) && refused.equals(Optional.of(name))) {
            throw ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS.because("no");
        }
        switch (name) {
            case "_shardsvrPrepareCollection" -> {
                UUID uuid = collections.computeIfAbsent(here, ignored -> MADE);
                blocked.add(here);
                return new BsonDocument("uuid", new BsonBinary(uuid))
                        .append("options", new BsonDocument())
                        .append("indexes", new BsonArray())
                        .append("empty", BsonBoolean.TRUE);
            }
            case "_shardsvrCreateCollection" ->
                collections.put(here, command.getBinary("uuid").asUuid());
            case "_shardsvrRefreshPlacement" -> blocked.remove(here);
            case "_shardsvrDropCollection" -> {
                if (command.getBinary("uuid").asUuid().equals(collections.get(here))) {
                    collections.remove(here);
                    blocked.remove(here);
                }
            }
            case "_shardsvrReserveName" -> {
                UUID reserved = command.getBinary("uuid").asUuid();
                if (!collections.getOrDefault(here, reserved).equals(reserved)) {
                    throw ErrorCode.NAMESPACE_EXISTS.because("no");
                }
                collections.put(here, reserved);
                blocked.add(here);
            }
            case "_shardsvrRenameCollection" -> {
                String to = shard.name() + "/" + command.getString("to").getValue();
                if (command.getBinary("uuid").asUuid().equals(collections.get(here))) {
                    collections.put(to, collections.remove(here));
                    blocked.remove(to);
                } else if (command.containsKey("reserved")
                        && command.getBinary("reserved").asUuid().equals(collections.get(to))) {
                    collections.remove(to);
                    blocked.remove(to);
                }
            }
            case "_shardsvrDropDatabase" -> collections.keySet().removeIf(each -> each.startsWith(here + "."));
            default -> throw new IllegalArgumentException(name);
        }
        return new BsonDocument();
    }

    /** What happened, from the changelog: each entry once, or something was done twice. */
    List<String> log() {
        return store.find("changelog", new BsonDocument()).stream()
                .map(entry -> entry.getString("what").getValue())
                .toList();
    }

    /** Runs tasks in the caller's thread. */
    private static final class Here extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long time, TimeUnit unit) {
            return true;
        }
    }
}
