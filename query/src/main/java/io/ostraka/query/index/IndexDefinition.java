package io.ostraka.query.index;

import static io.ostraka.core.error.ErrorCode.CANNOT_CREATE_INDEX;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.HASHED_INDEX_SEVERAL;
import static io.ostraka.core.error.ErrorCode.HASHED_INDEX_UNIQUE;
import static io.ostraka.core.error.ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonValue;

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
        Collation collation) {
    /** The index every collection has. */
    public static final IndexDefinition ID = parse(new RawBuilder()
            .openDocument("key")
            .put("_id", 1)
            .close()
            .put("name", "_id_")
            .build());

    private static final int FIELDS_MAX = 32;

    /** Options that are taken and mean nothing here. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("background", "ns", "v", "clustered", "dropDups", "prepareUnique", "storageEngine");

    private static final Set<String> OF_OTHER_KINDS = Set.of(
            "weights",
            "default_language",
            "language_override",
            "textIndexVersion",
            "2dsphereIndexVersion",
            "bits",
            "min",
            "max",
            "wildcardProjection");

    public IndexDefinition {
        fields = List.copyOf(fields);
    }

    public boolean isId() {
        return fields.size() == 1
                && fields.getFirst().path().text().equals("_id")
                && !fields.getFirst().isHashed();
    }

    /** Whether every document has a key in it. */
    public boolean isComplete() {
        return !sparse && partialFilter.isEmpty();
    }

    public Optional<Filter> partial() {
        return partialFilter.map(FilterParser::parse);
    }

    /** Directions of the fields, as {@link io.ostraka.core.key.KeyString#decode} takes them. */
    public boolean[] descending() {
        boolean[] descending = new boolean[fields.size()];
        for (int i = 0; i < descending.length; i++) {
            descending[i] = fields.get(i).isDescending();
        }
        return descending;
    }

    /** The fields of a key pattern: of an index or, as far as it allows them, of a shard key. */
    public static List<IndexField> fields(RawDocument pattern) {
        List<IndexField> fields = new ArrayList<>();
        RawCursor cursor = pattern.cursor();
        while (cursor.next()) {
            FieldPath path = FieldPath.of(cursor.name());
            if (path.hasEmptyPart()) {
                throw CANNOT_CREATE_INDEX.because("Index keys cannot contain an empty field: '%s'", path);
            }
            for (int i = 0; i < path.length(); i++) {
                if (path.part(i).startsWith("$")) {
                    throw CANNOT_CREATE_INDEX.because(
                            path.part(i).equals("$**")
                                    ? "wildcard indexes are not supported yet; index the fields by name"
                                    : "Index key contains an illegal field name: field name starts with '$'.");
                }
            }
            if (fields.stream().anyMatch(field -> field.path().equals(path))) {
                throw io.ostraka.core.error.ErrorCode.BAD_VALUE.because(
                        "The field '%s' appears twice in the key", path);
            }
            fields.add(new IndexField(path, kind(cursor.value())));
        }
        if (fields.isEmpty()) {
            throw CANNOT_CREATE_INDEX.because("Index keys cannot be an empty field");
        }
        if (fields.size() > FIELDS_MAX) {
            throw io.ostraka.core.error.ErrorCode.TOO_MANY_INDEX_FIELDS.because("too many compound keys");
        }
        if (fields.stream().filter(IndexField::isHashed).count() > 1) {
            throw HASHED_INDEX_SEVERAL.because("A maximum of one index field is allowed to be hashed");
        }
        return fields;
    }

    private static IndexField.Kind kind(BsonValue value) {
        if (Values.isNumber(value)) {
            double number = Values.toDouble(value);
            if (number == 0 || Double.isNaN(number)) {
                throw CANNOT_CREATE_INDEX.because(
                        "Values in the index key pattern cannot be 0. Use 1 for ascending and -1 for descending.");
            }
            return number > 0 ? IndexField.Kind.ASCENDING : IndexField.Kind.DESCENDING;
        }
        if (!value.isString()) {
            throw CANNOT_CREATE_INDEX.because(
                    "Values in v:2 index key pattern cannot be of type %s. Only numbers > 0, numbers < 0, and strings"
                            + " are allowed.",
                    Values.typeName(value));
        }
        if (value.asString().getValue().equals("hashed")) {
            return IndexField.Kind.HASHED;
        }
        throw CANNOT_CREATE_INDEX.because(
                "Unknown index plugin '%s'", value.asString().getValue());
    }

    /** Reads one entry of {@code createIndexes}. */
    public static IndexDefinition parse(RawDocument spec) {
        RawCursor key = spec.find("key");
        if (key == null) {
            throw FAILED_TO_PARSE.because("The 'key' field is a required property of an index specification");
        }
        if (!key.isDocument()) {
            throw TYPE_MISMATCH.because("The field 'key' must be an object, but got %s", Values.typeName(key.value()));
        }
        RawDocument pattern = key.document().compact();
        List<IndexField> fields = fields(pattern);
        String name = null;
        boolean unique = false;
        boolean sparse = false;
        boolean hidden = false;
        OptionalLong expire = OptionalLong.empty();
        Optional<RawDocument> partial = Optional.empty();
        Collation collation = Collation.SIMPLE;
        RawCursor option = spec.cursor();
        while (option.next()) {
            BsonValue value = option.value();
            String text = option.name();
            switch (text) {
                case "key" -> {}
                case "name" -> name = name(value);
                case "unique" -> unique = flag(text, value);
                case "sparse" -> sparse = flag(text, value);
                case "hidden" -> hidden = flag(text, value);
                case "expireAfterSeconds" -> expire = OptionalLong.of(expire(value, fields));
                case "partialFilterExpression" -> partial = Optional.of(partial(option));
                case "collation" -> collation = collation(value);
                default -> {
                    if (!WITHOUT_EFFECT.contains(text)) {
                        throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                                OF_OTHER_KINDS.contains(text)
                                        ? "The field '%s' belongs to an index kind that is not supported yet"
                                        : "The field '%s' is not valid for an index specification.",
                                text);
                    }
                }
            }
        }
        if (name == null) {
            throw FAILED_TO_PARSE.because("The 'name' field is a required property of an index specification");
        }
        return checked(new IndexDefinition(name, pattern, fields, unique, sparse, hidden, expire, partial, collation));
    }

    private static IndexDefinition checked(IndexDefinition index) {
        if (index.unique && index.fields.stream().anyMatch(IndexField::isHashed)) {
            throw HASHED_INDEX_UNIQUE.because(
                    "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
        }
        if (index.isId()) {
            if (index.sparse
                    || index.partialFilter.isPresent()
                    || index.hidden
                    || index.expireAfterSeconds.isPresent()) {
                throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                        "The _id index cannot be sparse, partial, hidden or expire documents");
            }
            return new IndexDefinition(
                    "_id_",
                    index.keyPattern,
                    index.fields,
                    false,
                    false,
                    false,
                    OptionalLong.empty(),
                    Optional.empty(),
                    index.collation);
        }
        if (index.name.equals("_id_")) {
            throw io.ostraka.core.error.ErrorCode.BAD_VALUE.because(
                    "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}");
        }
        if (index.sparse && index.partialFilter.isPresent()) {
            throw CANNOT_CREATE_INDEX.because("cannot mix \"partialFilterExpression\" and \"sparse\" options");
        }
        return index;
    }

    private static String name(BsonValue value) {
        if (!value.isString()) {
            throw TYPE_MISMATCH.because("The field 'name' must be a string, but got %s", Values.typeName(value));
        }
        String name = value.asString().getValue();
        if (name.isEmpty() || name.equals("*") || name.indexOf('\0') >= 0) {
            throw io.ostraka.core.error.ErrorCode.BAD_VALUE.because("The index name '%s' is not valid.", name);
        }
        return name;
    }

    private static boolean flag(String name, BsonValue value) {
        if (!value.isBoolean() && !Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "The field '%s' has value %s, which is not convertible to bool", name, Values.show(value));
        }
        return Values.isTrue(value);
    }

    private static long expire(BsonValue value, List<IndexField> fields) {
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "The field 'expireAfterSeconds' must be a number, but got %s", Values.typeName(value));
        }
        if (fields.size() > 1) {
            throw CANNOT_CREATE_INDEX.because(
                    "TTL indexes are single-field indexes, compound indexes do not support TTL");
        }
        double seconds = Values.toDouble(value);
        if (!(seconds >= 0 && seconds <= Integer.MAX_VALUE)) {
            throw CANNOT_CREATE_INDEX.because(
                    "TTL index 'expireAfterSeconds' option must be within an acceptable range, 0 to %d seconds",
                    Integer.MAX_VALUE);
        }
        return (long) seconds;
    }

    private static RawDocument partial(RawCursor option) {
        if (!option.isDocument()) {
            throw TYPE_MISMATCH.because("The field 'partialFilterExpression' must be an object");
        }
        Filter filter = FilterParser.parse(option.document());
        if (!PartialFilters.isAllowed(filter)) {
            throw CANNOT_CREATE_INDEX.because(
                    "unsupported expression in partial index: use equality, comparison, $exists: true, $type, $and,"
                            + " $or and $in");
        }
        return option.document().compact();
    }

    private static Collation collation(BsonValue value) {
        if (!value.isDocument() || value.asDocument().isEmpty()) {
            throw TYPE_MISMATCH.because("The field 'collation' must be a non-empty object");
        }
        return Collation.parse(value.asDocument());
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
        return document.build();
    }

    /** The same index, where strings are told apart by these rules. */
    public IndexDefinition withCollation(Collation rules) {
        return new IndexDefinition(
                name, keyPattern, fields, unique, sparse, hidden, expireAfterSeconds, partialFilter, rules);
    }

    /** The same index, hidden from the planner or not. */
    public IndexDefinition withHidden(boolean nowHidden) {
        return new IndexDefinition(
                name, keyPattern, fields, unique, sparse, nowHidden, expireAfterSeconds, partialFilter, collation);
    }

    /** The same index whose documents expire, after so many seconds, or do not. */
    public IndexDefinition withExpireAfterSeconds(OptionalLong seconds) {
        return new IndexDefinition(name, keyPattern, fields, unique, sparse, hidden, seconds, partialFilter, collation);
    }

    /** Whether two definitions are the same index apart from the name. */
    public boolean isSameIndex(IndexDefinition other) {
        return fields.equals(other.fields)
                && unique == other.unique
                && sparse == other.sparse
                && collation.equals(other.collation)
                && expireAfterSeconds.equals(other.expireAfterSeconds)
                && partialFilter.equals(other.partialFilter);
    }
}
