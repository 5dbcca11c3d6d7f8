package io.ostraka.sharding.catalog;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS;
import static io.ostraka.core.error.ErrorCode.NO_SUCH_KEY;

import io.ostraka.core.check.Check;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.sharding.catalog.MovePlan.Decision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;

/**
 * The plans of the mover and their decisions.
 *
 * <p><b>What is stored.</b> {@code config.movePlans}: one {@link MovePlan} from before anything is copied until donor
 * and recipient have nothing more to do for it.
 *
 * <p><b>States.</b> open, committed, aborted. {@link #commit} and {@link #settle} are the only ways out of open, and
 * both answer what is recorded: whoever asks, however often, hears the same.
 *
 * <p><b>On failover.</b> The next leader reads the plans that are there and asks their donors to go on.
 */
public final class MovePlans {
    public static final String PLANS = "movePlans";

    private final ClusterCatalog catalog;

    public MovePlans(ClusterCatalog catalog) {
        this.catalog = catalog;
    }

    /** Plans that are not finished, decided or not. */
    public List<MovePlan> all() {
        return catalog.store().find(PLANS, new BsonDocument()).stream()
                .map(MovePlan::of)
                .toList();
    }

    public Optional<MovePlan> get(UUID id) {
        return catalog.store().get(PLANS, new BsonBinary(id)).map(MovePlan::of);
    }

    /**
     * Makes a plan for a range that one shard owns.
     *
     * @return empty if the range is there already
     * @throws io.ostraka.core.error.CommandException 118; 70 for an unknown shard; 117 if donor or recipient has a plan already, or moves are switched off; 2 if the range has several owners
     */
    public Optional<MovePlan> open(
            Namespace namespace, BsonDocument min, BsonDocument max, ShardId to, boolean waitForDelete) {
        catalog.shard(to);
        return catalog.locked(
                namespace,
                () -> catalog.locked(new Namespace("config", PLANS), () -> {
                    Placement placement = catalog.require(namespace);
                    ShardKey key = placement.row().key();
                    List<ChunkRow> rows = placement.in(range(key, min, max));
                    ShardId from = rows.getFirst().shard();
                    if (rows.stream().anyMatch(row -> !row.shard().equals(from))) {
                        throw BAD_VALUE.because(
                                "The range from %s to %s is not all on one shard", min.toJson(), max.toJson());
                    }
                    if (from.equals(to)) {
                        return Optional.empty();
                    }
                    boolean allowed = catalog.collection(namespace)
                            .map(CollectionRow::mayMove)
                            .orElse(true);
                    if (!allowed) {
                        throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                                "Moves of '%s' are switched off; sh.enableMigrations(\"%s\") switches them on",
                                namespace, namespace);
                    }
                    for (MovePlan plan : all()) {
                        if (plan.from().equals(from) || plan.to().equals(to)) {
                            throw CONFLICTING_OPERATION_IN_PROGRESS.because(
                                    "A chunk of '%s' is on the move from '%s' to '%s'; a shard gives one at a time and takes one at a time",
                                    plan.namespace(), plan.from(), plan.to());
                        }
                    }
                    MovePlan plan = new MovePlan(
                            catalog.ids().uuid(),
                            namespace,
                            placement.row().uuid(),
                            placement.generation(),
                            min,
                            max,
                            from,
                            to,
                            waitForDelete,
                            Decision.OPEN);
                    catalog.store()
                            .commit(List.of(
                                    new CatalogStore.Change.Put(PLANS, plan.toBson()),
                                    catalog.changelog().change("moveChunk.start", namespace.toString(), plan.brief())));
                    return Optional.of(plan);
                }));
    }

    private static KeyRange range(ShardKey key, BsonDocument min, BsonDocument max) {
        byte[] from = key.encodeBound(min);
        byte[] to = key.encodeBound(max);
        if (Arrays.compareUnsigned(from, to) >= 0) {
            throw BAD_VALUE.because("The lower bound %s must be below the upper bound %s", min.toJson(), max.toJson());
        }
        return new KeyRange(from, to);
    }

    /**
     * Moves the ownership, if the plan is open and everything is still as it says; records an abort if it is open and
     * something is not.
     *
     * @return what is recorded, now or earlier
     * @throws io.ostraka.core.error.CommandException 4 NoSuchKey for a plan that is finished or never was
     */
    public Decision commit(UUID id, BsonDocument details) {
        MovePlan named = require(id);
        return catalog.locked(named.namespace(), () -> {
            MovePlan plan = require(id);
            if (plan.decision() != Decision.OPEN) {
                return plan.decision();
            }
            Optional<Placement> placement = catalog.placement(plan.namespace());
            if (placement.isEmpty() || !placement.get().generation().equals(plan.generation())) {
                return abort(plan, "the collection was made anew or dropped");
            }
            List<ChunkRow> rows = placement.get().in(range(placement.get().row().key(), plan.min(), plan.max()));
            if (rows.stream().anyMatch(row -> !row.shard().equals(plan.from()))) {
                return abort(plan, "the donor does not own the whole range any more");
            }
            commit(plan, placement.get(), rows, details);
            return Decision.COMMITTED;
        });
    }

    private void commit(MovePlan plan, Placement placement, List<ChunkRow> old, BsonDocument details) {
        ShardKey key = placement.row().key();
        KeyRange range = range(key, plan.min(), plan.max());
        BsonTimestamp now = catalog.store().tick();
        long version = placement.nextMajor();
        List<ChunkRow> come = new ArrayList<>();
        List<ChunkRow> staying = new ArrayList<>();
        for (ChunkRow row : old) {
            boolean cutBelow = !range.contains(row.range().min());
            boolean cutAbove = Arrays.compareUnsigned(row.range().max(), range.max()) > 0;
            BsonDocument min = cutBelow ? plan.min() : row.min();
            BsonDocument max = cutAbove ? plan.max() : row.max();
            if (cutBelow) {
                staying.add(row.part(catalog.ids().objectId(), key, row.min(), min, 0));
            }
            if (cutAbove) {
                staying.add(row.part(catalog.ids().objectId(), key, max, row.max(), 0));
            }
            ChunkRow part = cutBelow || cutAbove ? row.part(catalog.ids().objectId(), key, min, max, 0) : row;
            come.add(part.movedTo(plan.to(), version++, now));
        }
        List<ChunkRow> gone = new ArrayList<>(old);
        if (staying.isEmpty()) {
            // One chunk that stays gets the new major too, so that requests with the donor's old version are refused.
            placement.rows().stream()
                    .filter(row -> row.shard().equals(plan.from()) && !range.covers(row.range()))
                    .findFirst()
                    .ifPresent(row -> {
                        gone.add(row);
                        staying.add(row);
                    });
        }
        for (ChunkRow row : staying) {
            come.add(row.at(version++));
        }
        BsonDocument log = plan.brief();
        log.putAll(details);
        catalog.replace(
                placement,
                gone,
                come,
                List.of(
                        new CatalogStore.Change.Put(
                                PLANS, plan.decided(Decision.COMMITTED).toBson()),
                        catalog.changelog()
                                .change("moveChunk.commit", plan.namespace().toString(), log)));
    }

    /**
     * Records an abort if the plan is still open.
     *
     * @return what is recorded; aborted for a plan that is not there any more, since a committed one stays until its donor has finished
     */
    public Decision settle(UUID id, String why) {
        Optional<MovePlan> named = get(id);
        if (named.isEmpty()) {
            return Decision.ABORTED;
        }
        return catalog.locked(named.get().namespace(), () -> {
            MovePlan plan = get(id).orElse(named.get().decided(Decision.ABORTED));
            return plan.decision() == Decision.OPEN ? abort(plan, why) : plan.decision();
        });
    }

    private Decision abort(MovePlan plan, String why) {
        BsonDocument log = plan.brief();
        log.put("errmsg", new BsonString(why));
        catalog.store()
                .commit(List.of(
                        new CatalogStore.Change.Put(
                                PLANS, plan.decided(Decision.ABORTED).toBson()),
                        catalog.changelog()
                                .change("moveChunk.error", plan.namespace().toString(), log)));
        return Decision.ABORTED;
    }

    /** Forgets a decided plan: donor and recipient have nothing more to do for it. */
    public void finish(UUID id, BsonDocument details) {
        Optional<MovePlan> plan = get(id);
        if (plan.isEmpty()) {
            return;
        }
        Check.that(plan.get().decision() != Decision.OPEN, "a plan is decided before it is finished");
        BsonDocument log = plan.get().brief();
        log.putAll(details);
        log.put("note", new BsonString(plan.get().decision() == Decision.COMMITTED ? "success" : "aborted"));
        catalog.store()
                .commit(List.of(
                        new CatalogStore.Change.Delete(PLANS, new BsonBinary(id)),
                        catalog.changelog()
                                .change("moveChunk.from", plan.get().namespace().toString(), log)));
    }

    private MovePlan require(UUID id) {
        return get(id).orElseThrow(() -> NO_SUCH_KEY.because("There is no plan %s; it was finished or never was", id));
    }
}
