package io.ostraka.core.placement;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.SHARD_KEY_NOT_FOUND;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.HashedValue;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.key.KeyStringBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * A shard key's pattern, compiled: from documents and bounds to key bytes. A missing field counts as null; arrays in
 * or above a key's field are refused. Keys are whole KeyStrings; bounds sort just
 * before all keys with their values, and before all entries of supporting indexes that begin with them.
 */
public final class ShardKey {
    /** Fields of a key at the most: as many as an index may have. */
    public static final int MAX_FIELDS = 32;

    /** Above every KeyString, so that the last chunk holds documents whose key is MaxKey itself. */
    private static final byte[] HIGHEST = {(byte) 0xFF, (byte) 0xFF};

    private record Field(String name, String[] path, boolean hashed) {}

    private final BsonDocument pattern;
    private final List<Field> fields;
    private final byte[] lowest;

    private ShardKey(BsonDocument pattern, List<Field> fields) {
        this.pattern = pattern;
        this.fields = List.copyOf(fields);
        this.lowest = encode(same(new BsonMinKey())).before();
    }

    /**
     * Reads a pattern.
     *
     * @throws io.ostraka.core.error.CommandException 2 BadValue for anything but {@code {field: 1}} and {@code {field: "hashed"}} fields, at most one hashed, none within another
     */
    public static ShardKey parse(BsonDocument pattern) {
        if (pattern.isEmpty()) {
            throw BAD_VALUE.because("Shard key pattern is empty; name at least one field, as in {userId: 1}");
        }
        if (pattern.size() > MAX_FIELDS) {
            throw BAD_VALUE.because("Shard key pattern %s has more than %d fields", pattern.toJson(), MAX_FIELDS);
        }
        List<Field> fields = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        int hashed = 0;
        for (var entry : pattern.entrySet()) {
            String name = entry.getKey();
            String[] path = name.split("\\.", -1);
            for (String part : path) {
                if (part.isEmpty() || part.startsWith("$")) {
                    throw BAD_VALUE.because(
                            "Shard key field '%s' is no valid path: parts must not be empty or start with '$'", name);
                }
            }
            boolean isHashed = entry.getValue().equals(new BsonString("hashed"));
            boolean isRanged =
                    entry.getValue().isNumber() && entry.getValue().asNumber().doubleValue() == 1.0;
            if (!isHashed && !isRanged) {
                throw BAD_VALUE.because(
                        "Shard key %s: each field must be 1 or \"hashed\"; '%s' is not", pattern.toJson(), name);
            }
            if (isHashed && ++hashed > 1) {
                throw BAD_VALUE.because("Shard key %s: only one field can be hashed", pattern.toJson());
            }
            refuseCollision(pattern, seen, name);
            fields.add(new Field(name, path, isHashed));
        }
        return new ShardKey(pattern, fields);
    }

    /**
     * Reads a pattern as a client sent it, which may name a field twice.
     *
     * @throws io.ostraka.core.error.CommandException 2 BadValue
     */
    public static ShardKey parse(RawDocument pattern) {
        Set<String> seen = new HashSet<>();
        RawCursor field = pattern.cursor();
        while (field.next()) {
            if (!seen.add(field.name())) {
                throw BAD_VALUE.because("Shard key %s names '%s' twice", pattern, field.name());
            }
        }
        return parse(pattern.toBson());
    }

    /** A document and a field in it cannot both be of the key: no bound could be written down as a document. */
    private static void refuseCollision(BsonDocument pattern, Set<String> seen, String name) {
        for (String other : seen) {
            if (name.startsWith(other + ".") || other.startsWith(name + ".")) {
                throw BAD_VALUE.because(
                        "Shard key %s: '%s' and '%s' collide, one lies within the other; name only one of them",
                        pattern.toJson(), other, name);
            }
        }
        boolean ignored = seen.add(name);
    }

    private List<BsonValue> same(BsonValue value) {
        List<BsonValue> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            values.add(value);
        }
        return values;
    }

    private static KeyStringBuilder encode(List<BsonValue> values) {
        KeyStringBuilder builder = KeyString.builder();
        for (BsonValue value : values) {
            builder.add(value, false);
        }
        return builder;
    }

    /** The pattern as given. Not to be changed. */
    public BsonDocument pattern() {
        return pattern;
    }

    /** The fields' names in order. */
    public List<String> fields() {
        return fields.stream().map(Field::name).toList();
    }

    public int size() {
        return fields.size();
    }

    /** Whether the field at a place is hashed. */
    public boolean isHashed(int place) {
        return fields.get(place).hashed;
    }

    public boolean hasHashed() {
        return fields.stream().anyMatch(Field::hashed);
    }

    /** The lower end of the first chunk. Not to be written to. */
    public byte[] lowest() {
        return lowest;
    }

    /** The upper end of the last chunk, above every key. Not to be written to. */
    public byte[] highest() {
        return HIGHEST;
    }

    /** {@code {a: MinKey, b: MinKey}}. */
    public BsonDocument lowestBound() {
        return bound(same(new BsonMinKey()));
    }

    /** {@code {a: MaxKey, b: MaxKey}}. */
    public BsonDocument highestBound() {
        return bound(same(new BsonMaxKey()));
    }

    private BsonDocument bound(List<BsonValue> values) {
        BsonDocument bound = new BsonDocument();
        for (int i = 0; i < values.size(); i++) {
            bound.put(fields.get(i).name, values.get(i));
        }
        return bound;
    }

    /**
     * The key of a document.
     *
     * @throws io.ostraka.core.error.CommandException 61 ShardKeyNotFound where an array is at or above a field
     */
    public byte[] keyOf(RawDocument document) {
        return encode(valuesIn(document)).build().bytes();
    }

    /** The key's values in a document, hashed where the field is: what a chunk's bounds are made of. */
    public BsonDocument boundOf(RawDocument document) {
        return bound(valuesIn(document));
    }

    private List<BsonValue> valuesIn(RawDocument document) {
        List<BsonValue> values = new ArrayList<>(fields.size());
        for (Field field : fields) {
            values.add(hash(field, at(document, field)));
        }
        return values;
    }

    private static BsonValue hash(Field field, BsonValue value) {
        return field.hashed ? new BsonInt64(HashedValue.of(value)) : value;
    }

    private BsonValue at(RawDocument document, Field field) {
        RawDocument in = document;
        for (int i = 0; ; i++) {
            RawCursor cursor = in.find(field.path[i]);
            if (cursor == null) {
                return BsonNull.VALUE;
            }
            if (cursor.isArray()) {
                throw SHARD_KEY_NOT_FOUND.because(
                        "Shard key cannot contain array values or array descendants: field '%s' of key %s",
                        field.name, pattern.toJson());
            }
            if (i == field.path.length - 1) {
                BsonValue value = cursor.value();
                if (value.getBsonType() == BsonType.REGULAR_EXPRESSION) {
                    throw SHARD_KEY_NOT_FOUND.because(
                            "Shard key field '%s' cannot hold a regular expression", field.name);
                }
                return value.getBsonType() == BsonType.UNDEFINED ? BsonNull.VALUE : value;
            }
            if (!cursor.isDocument()) {
                return BsonNull.VALUE;
            }
            in = cursor.document();
        }
    }

    /**
     * Before all keys that begin with these values, and after every smaller one. Hashed fields are hashed here.
     *
     * @param values as a user names them, in the pattern's order; fewer than the key has make a prefix
     */
    public byte[] before(List<BsonValue> values) {
        return encode(hashed(values)).before();
    }

    /** After all keys that begin with these values, and before every greater one; see {@link #before}. */
    public byte[] after(List<BsonValue> values) {
        return encode(hashed(values)).after();
    }

    private List<BsonValue> hashed(List<BsonValue> values) {
        List<BsonValue> hashed = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            hashed.add(hash(fields.get(i), values.get(i)));
        }
        return hashed;
    }

    /**
     * The bytes of a chunk's bound: values as {@code config.chunks} holds them, hashed fields as hashes.
     *
     * @param bound all fields of the key in order
     * @throws io.ostraka.core.error.CommandException 2 BadValue if the fields are not those of the key
     */
    public byte[] encodeBound(BsonDocument bound) {
        if (!new ArrayList<>(bound.keySet()).equals(fields())) {
            throw BAD_VALUE.because(
                    "Bound %s does not have exactly the fields of shard key %s", bound.toJson(), pattern.toJson());
        }
        boolean top = bound.values().stream().allMatch(value -> value.getBsonType() == BsonType.MAX_KEY);
        return top ? HIGHEST : encode(new ArrayList<>(bound.values())).before();
    }

    /**
     * A user's bound made whole: a prefix gets MinKey for the rest.
     *
     * @throws io.ostraka.core.error.CommandException 2 BadValue if it is no prefix of the key, a value no key holds, as an array, or a hashed value is no long
     */
    public BsonDocument completeBound(BsonDocument prefix) {
        List<String> names = new ArrayList<>(prefix.keySet());
        if (names.isEmpty() || names.size() > fields.size() || !names.equals(fields().subList(0, names.size()))) {
            throw BAD_VALUE.because("Bound %s is not a prefix of shard key %s", prefix.toJson(), pattern.toJson());
        }
        for (var entry : prefix.entrySet()) {
            refuseImpossible(entry.getKey(), entry.getValue().getBsonType());
        }
        BsonDocument whole = lowestBound();
        whole.putAll(prefix);
        boolean top = prefix.values().stream().allMatch(value -> value.getBsonType() == BsonType.MAX_KEY);
        if (top) {
            return highestBound();
        }
        for (int i = 0; i < fields.size(); i++) {
            BsonType type = whole.get(fields.get(i).name).getBsonType();
            if (fields.get(i).hashed
                    && type != BsonType.INT64
                    && type != BsonType.MIN_KEY
                    && type != BsonType.MAX_KEY) {
                throw BAD_VALUE.because(
                        "Field '%s' is hashed: its bound must be a NumberLong, MinKey or MaxKey", fields.get(i).name);
            }
        }
        return whole;
    }

    /** Types that no document's key holds: a range or a search that names them is a mistake. */
    private void refuseImpossible(String field, BsonType type) {
        if (type == BsonType.ARRAY || type == BsonType.REGULAR_EXPRESSION || type == BsonType.UNDEFINED) {
            throw BAD_VALUE.because(
                    "Field '%s' of shard key %s cannot hold a value of type %s", field, pattern.toJson(), type);
        }
    }

    /**
     * The key's bytes from a user's {@code find} document, if it has a value for every field. Dotted names may be
     * written dotted or nested.
     *
     * @throws io.ostraka.core.error.CommandException 2 BadValue for a value no key holds, as an array
     */
    public Optional<byte[]> keyOfFind(RawDocument find) {
        List<BsonValue> values = new ArrayList<>();
        for (Field field : fields) {
            RawCursor whole = find.find(field.name);
            if (whole != null) {
                refuseImpossible(field.name, whole.value().getBsonType());
                values.add(hash(field, whole.value()));
            } else if (holds(find, field)) {
                values.add(hash(field, at(find, field)));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(encode(values).build().bytes());
    }

    private static boolean holds(RawDocument document, Field field) {
        RawDocument in = document;
        for (int i = 0; i < field.path.length; i++) {
            RawCursor cursor = in.find(field.path[i]);
            if (cursor == null || i < field.path.length - 1 && !cursor.isDocument()) {
                return false;
            }
            if (i < field.path.length - 1) {
                in = cursor.document();
            }
        }
        return true;
    }

    /** Whether an index of this pattern begins with the key: same fields, order and kinds. */
    public boolean isSupportedBy(BsonDocument indexPattern) {
        if (indexPattern.size() < fields.size()) {
            return false;
        }
        int i = 0;
        for (var entry : indexPattern.entrySet()) {
            if (i == fields.size()) {
                break;
            }
            Field field = fields.get(i++);
            boolean hashed = entry.getValue().equals(new BsonString("hashed"));
            boolean ascending =
                    entry.getValue().isNumber() && entry.getValue().asNumber().doubleValue() > 0;
            if (!entry.getKey().equals(field.name) || hashed != field.hashed || !hashed && !ascending) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardKey that
                && fields().equals(that.fields())
                && fields.stream()
                        .map(Field::hashed)
                        .toList()
                        .equals(that.fields.stream().map(Field::hashed).toList());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(lowest) + fields().hashCode();
    }

    @Override
    public String toString() {
        return pattern.toJson();
    }
}
