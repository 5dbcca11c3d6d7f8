package io.ostraka.query.index;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an index is: its fields and its options. Parsed from what {@code createIndexes} is given, and shown as
 * {@code listIndexes} shows it; the key pattern stays as it was written.
 */
public record IndexDefinition(
        String name,
        RawDocument keyPattern,
        List<IndexField> fields,
        boolean unique,
        boolean sparse,
        boolean hidden,
        OptionalLong expireAfterSeconds,
        Optional<RawDocument> partialFilter,
        Collation collation,
        AccessMethod method) {
    /** The index every collection has. */
    public static final IndexDefinition ID = parse(new RawBuilder()
            .openDocument("key")
            .put("_id", 1)
            .close()
            .put("name", "_id_")
            .build());

    public IndexDefinition {
        fields = List.copyOf(fields);
    }

    public boolean isId() {
        return fields.size() == 1
                && fields.getFirst().path().text().equals("_id")
                && fields.getFirst().isValue();
    }

    /** Whether every document has a key in it. */
    public boolean isComplete() {
        return !sparse && partialFilter.isEmpty() && isOrdered();
    }

    /** Whether its keys are the values of its fields, so that it orders documents and holds ranges of a shard key. */
    public boolean isOrdered() {
        return method instanceof AccessMethod.Ordered;
    }

    public Optional<Filter> partial() {
        return partialFilter.map(FilterParser::parse);
    }

    /** Directions of a key's parts, as {@link io.ostraka.core.key.KeyString#decode} takes them: of a wildcard the path and the value. */
    public boolean[] descending() {
        List<Boolean> each = new ArrayList<>();
        for (IndexField field : fields) {
            if (field.isWildcard()) {
                each.add(false);
            }
            each.add(field.isDescending());
        }
        boolean[] descending = new boolean[each.size()];
        for (int i = 0; i < descending.length; i++) {
            descending[i] = each.get(i);
        }
        return descending;
    }

    /** The fields of a key pattern: of an index or, as far as it allows them, of a shard key. */
    public static List<IndexField> fields(RawDocument pattern) {
        return IndexParser.fields(pattern);
    }

    /** Reads one entry of {@code createIndexes}. */
    public static IndexDefinition parse(RawDocument spec) {
        return IndexParser.parse(spec);
    }

    /** The document {@code listIndexes} shows, and the catalog stores. */
    public RawDocument toDocument() {
        RawBuilder document =
                new RawBuilder().put("v", 2).put("key", keyPattern).put("name", name);
        if (unique) {
            document.put("unique", true);
        }
        if (sparse) {
            document.put("sparse", true);
        }
        if (hidden) {
            document.put("hidden", true);
        }
        expireAfterSeconds.ifPresent(seconds -> document.put("expireAfterSeconds", (int) seconds));
        partialFilter.ifPresent(filter -> document.put("partialFilterExpression", filter));
        if (!collation.isSimple()) {
            document.put("collation", RawDocument.of(collation.toDocument()));
        }
        method.addTo(document);
        return document.build();
    }

    /** The same index, where strings are told apart by these rules. */
    public IndexDefinition withCollation(Collation rules) {
        IndexDefinition collated = new IndexDefinition(
                name, keyPattern, fields, unique, sparse, hidden, expireAfterSeconds, partialFilter, rules, method);
        AccessMethodParser.checkOptions(collated);
        return collated;
    }

    /** The same index, hidden from the planner or not. */
    public IndexDefinition withHidden(boolean nowHidden) {
        return new IndexDefinition(
                name,
                keyPattern,
                fields,
                unique,
                sparse,
                nowHidden,
                expireAfterSeconds,
                partialFilter,
                collation,
                method);
    }

    /** The same index whose documents expire, after so many seconds, or do not. */
    public IndexDefinition withExpireAfterSeconds(OptionalLong seconds) {
        return new IndexDefinition(
                name, keyPattern, fields, unique, sparse, hidden, seconds, partialFilter, collation, method);
    }

    /** Whether two definitions are the same index apart from the name. */
    public boolean isSameIndex(IndexDefinition other) {
        return fields.equals(other.fields)
                && unique == other.unique
                && sparse == other.sparse
                && collation.equals(other.collation)
                && expireAfterSeconds.equals(other.expireAfterSeconds)
                && partialFilter.equals(other.partialFilter)
                && method.equals(other.method);
    }
}
