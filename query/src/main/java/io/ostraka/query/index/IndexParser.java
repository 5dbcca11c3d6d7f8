package io.ostraka.query.index;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CANNOT_CREATE_INDEX;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.HASHED_INDEX_SEVERAL;
import static io.ostraka.core.error.ErrorCode.HASHED_INDEX_UNIQUE;
import static io.ostraka.core.error.ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION;
import static io.ostraka.core.error.ErrorCode.TOO_MANY_INDEX_FIELDS;
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
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads key patterns and entries of {@code createIndexes}; refuses what no index can be. */
final class IndexParser {
    private static final int FIELDS_MAX = 32;

    /** Options that are taken and mean nothing here. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("background", "ns", "v", "clustered", "dropDups", "prepareUnique", "storageEngine");

    /** All fields of words together, as {@code listIndexes} shows them, and what stands behind them there. */
    private static final IndexField TEXT = new IndexField(FieldPath.of("_fts"), IndexField.Kind.TEXT);

    private static final String TEXT_REST = "_ftsx";

    private IndexParser() {}

    /** The fields of a key pattern: of an index or, as far as it allows them, of a shard key. */
    static List<IndexField> fields(RawDocument pattern) {
        List<IndexField> fields = new ArrayList<>();
        RawCursor cursor = pattern.cursor();
        while (cursor.next()) {
            FieldPath path = FieldPath.of(cursor.name());
            if (path.hasEmptyPart()) {
                throw CANNOT_CREATE_INDEX.because("Index keys cannot contain an empty field: '%s'", path);
            }
            IndexField field = new IndexField(path, kind(cursor.value()));
            for (int i = 0; i < path.length(); i++) {
                boolean wildcard = i == path.length() - 1 && field.isWildcard();
                if (path.part(i).startsWith("$") && !wildcard) {
                    throw CANNOT_CREATE_INDEX.because(
                            "Index key contains an illegal field name: field name starts with '$'.");
                }
            }
            if (fields.stream().anyMatch(other -> other.path().equals(path))) {
                throw BAD_VALUE.because("The field '%s' appears twice in the key", path);
            }
            if (!continuesText(field, fields)) {
                fields.add(field);
            }
        }
        if (fields.isEmpty()) {
            throw CANNOT_CREATE_INDEX.because("Index keys cannot be an empty field");
        }
        if (fields.size() > FIELDS_MAX) {
            throw TOO_MANY_INDEX_FIELDS.because("too many compound keys");
        }
        if (fields.stream().filter(IndexField::isHashed).count() > 1) {
            throw HASHED_INDEX_SEVERAL.because("A maximum of one index field is allowed to be hashed");
        }
        AccessMethodParser.checkFields(fields);
        return fields.stream()
                .map(field -> field.kind() == IndexField.Kind.TEXT ? TEXT : field)
                .toList();
    }

    /** Whether a field adds to the words of the field before it: then both are one field of the keys. */
    private static boolean continuesText(IndexField field, List<IndexField> before) {
        boolean text = !before.isEmpty() && before.getLast().kind() == IndexField.Kind.TEXT;
        return text
                && (field.kind() == IndexField.Kind.TEXT || field.path().text().equals(TEXT_REST));
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
        String plugin = value.asString().getValue();
        return switch (plugin) {
            case "hashed" -> IndexField.Kind.HASHED;
            case "text" -> IndexField.Kind.TEXT;
            case "2d" -> IndexField.Kind.PLANAR;
            case "2dsphere" -> IndexField.Kind.SPHERE;
            default -> throw CANNOT_CREATE_INDEX.because("Unknown index plugin '%s'", plugin);
        };
    }

    /** Reads one entry of {@code createIndexes}. */
    static IndexDefinition parse(RawDocument spec) {
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
        BsonDocument ofKind = new BsonDocument();
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
                    if (AccessMethodParser.OPTIONS.contains(text)) {
                        ofKind.put(text, value);
                    } else if (!WITHOUT_EFFECT.contains(text)) {
                        throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                                "The field '%s' is not valid for an index specification.", text);
                    }
                }
            }
        }
        if (name == null) {
            throw FAILED_TO_PARSE.because("The 'name' field is a required property of an index specification");
        }
        AccessMethod method = AccessMethodParser.parse(pattern, fields, ofKind);
        RawDocument shown = method instanceof AccessMethod.Text ? withTextField(pattern) : pattern;
        return checked(
                new IndexDefinition(name, shown, fields, unique, sparse, hidden, expire, partial, collation, method));
    }

    private static RawDocument withTextField(RawDocument pattern) {
        RawBuilder shown = new RawBuilder(pattern.size() + 32);
        boolean done = false;
        RawCursor field = pattern.cursor();
        while (field.next()) {
            boolean text = field.value().isString() || field.nameEquals(TEXT_REST);
            if (text && !done) {
                shown.put(TEXT.path().text(), "text").put(TEXT_REST, 1);
                done = true;
            } else if (!text) {
                shown.element(field);
            }
        }
        return shown.build();
    }

    private static IndexDefinition checked(IndexDefinition index) {
        if (index.unique() && index.fields().stream().anyMatch(IndexField::isHashed)) {
            throw HASHED_INDEX_UNIQUE.because(
                    "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
        }
        if (index.isId()) {
            if (index.sparse()
                    || index.partialFilter().isPresent()
                    || index.hidden()
                    || index.expireAfterSeconds().isPresent()) {
                throw INVALID_INDEX_SPECIFICATION_OPTION.because(
                        "The _id index cannot be sparse, partial, hidden or expire documents");
            }
            return new IndexDefinition(
                    "_id_",
                    index.keyPattern(),
                    index.fields(),
                    false,
                    false,
                    false,
                    OptionalLong.empty(),
                    Optional.empty(),
                    index.collation(),
                    index.method());
        }
        if (index.name().equals("_id_")) {
            throw BAD_VALUE.because(
                    "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}");
        }
        if (index.sparse() && index.partialFilter().isPresent()) {
            throw CANNOT_CREATE_INDEX.because("cannot mix \"partialFilterExpression\" and \"sparse\" options");
        }
        AccessMethodParser.checkOptions(index);
        return index;
    }

    private static String name(BsonValue value) {
        if (!value.isString()) {
            throw TYPE_MISMATCH.because("The field 'name' must be a string, but got %s", Values.typeName(value));
        }
        String name = value.asString().getValue();
        if (name.isEmpty() || name.equals("*") || name.indexOf('\0') >= 0) {
            throw BAD_VALUE.because("The index name '%s' is not valid.", name);
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
}
