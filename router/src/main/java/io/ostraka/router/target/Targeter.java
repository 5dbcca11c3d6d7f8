package io.ostraka.router.target;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.core.placement.ShardKey;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterBounds;
import io.ostraka.query.index.IndexBounds;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.index.KeyRange;
import io.ostraka.router.routing.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Finds the shards whose chunks can hold documents a filter matches. */
public final class Targeter {
    /** Points of several fields are told apart up to this many ranges. */
    private static final int RANGES_MAX = 4_000;

    private Targeter() {}

    /** @param collation the request's; another than the simple one makes strings equal that lie in different chunks */
    public static Target of(Routing routing, Filter filter, Optional<RawDocument> collation) {
        if (routing.table().isEmpty()) {
            return new Target(routing.shards(), Optional.empty());
        }
        RoutingTable table = routing.table().get();
        if (!routing.collation(collation).isSimple()) {
            return everywhere(table, "the collation is not simple, and chunks are divided by the simple one");
        }
        IndexBounds bounds = IndexBounds.of(fields(table.key()), filter, 0, RANGES_MAX);
        if (bounds.ranges().isEmpty()) {
            // Nothing can match; one shard is asked so that its answer has the right shape.
            return new Target(Set.of(table.shards().iterator().next()), Optional.empty());
        }
        if (bounds.bounded() == 0) {
            return everywhere(table, lack(table.key(), filter));
        }
        Set<ShardId> owners = new TreeSet<>();
        for (KeyRange range : bounds.ranges()) {
            owners.addAll(table.ownersIn(range.low(), range.high(), false));
        }
        return new Target(owners, Optional.empty());
    }

    private static Target everywhere(RoutingTable table, String why) {
        return new Target(table.shards(), table.shards().size() == 1 ? Optional.empty() : Optional.of(why));
    }

    private static String lack(ShardKey key, Filter filter) {
        String first = key.fields().getFirst();
        boolean ranged = key.isHashed(0)
                && !FilterBounds.of(filter, FieldPath.of(first), true)
                        .intervals()
                        .isAll();
        if (ranged) {
            return "'" + first + "' is hashed in shard key " + key
                    + ": only equality and $in on it name shards, ranges do not";
        }
        return "the filter has no condition on '" + first + "', the first field of shard key " + key
                + "; add an equality, $in or range on it";
    }

    static List<IndexField> fields(ShardKey key) {
        List<IndexField> fields = new ArrayList<>();
        for (int i = 0; i < key.size(); i++) {
            fields.add(new IndexField(
                    FieldPath.of(key.fields().get(i)),
                    key.isHashed(i) ? IndexField.Kind.HASHED : IndexField.Kind.ASCENDING));
        }
        return fields;
    }

    /** The one owner of the key whose every field the filter demands to equal something, if it does. */
    public static Optional<ShardId> ownerByEquality(RoutingTable table, Filter filter) {
        Map<FieldPath, BsonValue> equal = FilterBounds.equalities(filter);
        BsonDocument key = new BsonDocument();
        for (String field : table.key().fields()) {
            BsonValue value = equal.get(FieldPath.of(field));
            if (value == null) {
                return Optional.empty();
            }
            key.put(field, value);
        }
        return table.key().keyOfFind(RawDocument.of(key)).map(table::ownerOf);
    }
}
