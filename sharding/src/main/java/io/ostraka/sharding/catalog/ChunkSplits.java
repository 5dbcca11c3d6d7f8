package io.ostraka.sharding.catalog;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.STALE_EPOCH;

import io.ostraka.core.placement.Generation;
import io.ostraka.core.placement.KeyRange;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Splits and merges: changes of chunks that move no data and raise only minor versions. */
public final class ChunkSplits {
    /** Split points in one commit at the most; more would make one entry of the log too long. */
    public static final int MAX_POINTS = 8_192;

    private final ClusterCatalog catalog;

    public ChunkSplits(ClusterCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * Splits the chunk that holds all given points.
     *
     * @param generation the collection's as the caller knows it, or empty if the caller is a user
     * @param points new lower ends in order, all fields of the key; a point that is a boundary already is left out
     * @return the chunks that came out, or the one chunk if all points were boundaries already: asking twice is harmless
     * @throws io.ostraka.core.error.CommandException 118; 150 StaleEpoch for another generation; 2 for points in different chunks
     */
    public List<ChunkRow> split(Namespace namespace, Optional<Generation> generation, List<BsonDocument> points) {
        if (points.isEmpty() || points.size() > MAX_POINTS) {
            throw BAD_VALUE.because("A split takes 1 to %d points, not %d", MAX_POINTS, points.size());
        }
        return catalog.locked(namespace, () -> {
            Placement placement = catalog.require(namespace);
            if (generation.isPresent() && !generation.get().equals(placement.generation())) {
                throw STALE_EPOCH.because("Collection '%s' was made anew since; look again", namespace);
            }
            ShardKey key = placement.row().key();
            ChunkRow old = placement.at(key.encodeBound(points.getLast()));
            List<BsonDocument> inside = new ArrayList<>();
            byte[] last = old.range().min();
            for (BsonDocument point : points) {
                byte[] at = key.encodeBound(point);
                if (Arrays.equals(at, last)) {
                    continue;
                }
                if (Arrays.compareUnsigned(at, last) < 0 || !old.range().contains(at)) {
                    if (placement.at(at).range().min().length == at.length
                            && Arrays.equals(placement.at(at).range().min(), at)) {
                        continue;
                    }
                    throw BAD_VALUE.because(
                            "Split points must rise and lie in one chunk; %s does not lie in the chunk from %s to %s",
                            point.toJson(), old.min().toJson(), old.max().toJson());
                }
                inside.add(point);
                last = at;
            }
            return inside.isEmpty() ? List.of(old) : commit(placement, old, inside);
        });
    }

    private List<ChunkRow> commit(Placement placement, ChunkRow old, List<BsonDocument> points) {
        ShardKey key = placement.row().key();
        List<ChunkRow> parts = new ArrayList<>();
        BsonDocument from = old.min();
        long version = placement.highest().asLong();
        for (int i = 0; i <= points.size(); i++) {
            BsonDocument to = i < points.size() ? points.get(i) : old.max();
            parts.add(old.part(i == 0 ? old.id() : catalog.ids().objectId(), key, from, to, ++version));
            from = to;
        }
        String namespace = placement.row().namespace().toString();
        List<CatalogStore.Change> log = new ArrayList<>();
        if (parts.size() == 2) {
            log.add(catalog.changelog()
                    .change(
                            "split",
                            namespace,
                            new BsonDocument("before", old.brief())
                                    .append("left", parts.get(0).brief())
                                    .append("right", parts.get(1).brief())
                                    .append(
                                            "owningShard",
                                            new BsonString(old.shard().name()))));
        } else {
            for (int i = 0; i < parts.size(); i++) {
                log.add(catalog.changelog()
                        .change(
                                "multi-split",
                                namespace,
                                new BsonDocument("before", old.brief())
                                        .append("number", new BsonInt32(i + 1))
                                        .append("of", new BsonInt32(parts.size()))
                                        .append("chunk", parts.get(i).brief())
                                        .append(
                                                "owningShard",
                                                new BsonString(old.shard().name()))));
            }
        }
        catalog.replace(placement, List.of(old), parts, log);
        return parts;
    }

    /**
     * Merges the chunks that fill a range.
     *
     * @throws io.ostraka.core.error.CommandException 118; 2 if the bounds are no edges of chunks or the owners differ
     */
    public ChunkRow merge(Namespace namespace, BsonDocument min, BsonDocument max) {
        return catalog.locked(namespace, () -> {
            Placement placement = catalog.require(namespace);
            ShardKey key = placement.row().key();
            byte[] from = key.encodeBound(min);
            byte[] to = key.encodeBound(max);
            if (Arrays.compareUnsigned(from, to) >= 0) {
                throw BAD_VALUE.because(
                        "The lower bound %s must be below the upper bound %s", min.toJson(), max.toJson());
            }
            List<ChunkRow> old = placement.in(new KeyRange(from, to));
            if (!Arrays.equals(old.getFirst().range().min(), from)
                    || !Arrays.equals(old.getLast().range().max(), to)) {
                throw BAD_VALUE.because(
                        "%s and %s must be bounds of chunks of '%s'", min.toJson(), max.toJson(), namespace);
            }
            ShardId owner = old.getFirst().shard();
            if (old.stream().anyMatch(chunk -> !chunk.shard().equals(owner))) {
                throw BAD_VALUE.because(
                        "The chunks from %s to %s are not all on one shard", min.toJson(), max.toJson());
            }
            if (old.size() == 1) {
                return old.getFirst();
            }
            ChunkRow merged = old.getFirst()
                    .part(
                            old.getFirst().id(),
                            key,
                            min,
                            max,
                            placement.highest().asLong() + 1);
            catalog.replace(
                    placement,
                    old,
                    List.of(merged),
                    List.of(catalog.changelog()
                            .change(
                                    "merge",
                                    namespace.toString(),
                                    new BsonDocument("merged", merged.brief())
                                            .append("numChunks", new BsonInt32(old.size()))
                                            .append("owningShard", new BsonString(owner.name())))));
            return merged;
        });
    }

    /** Marks a chunk as jumbo, or not; the version stays, for no document is anywhere else. */
    public void markJumbo(Namespace namespace, BsonDocument min, boolean jumbo) {
        catalog.locked(namespace, () -> {
            Placement placement = catalog.require(namespace);
            ChunkRow old = placement.at(placement.row().key().encodeBound(min));
            if (old.jumbo() != jumbo) {
                catalog.replace(placement, List.of(old), List.of(old.jumbo(jumbo)), List.of());
            }
            return null;
        });
    }
}
