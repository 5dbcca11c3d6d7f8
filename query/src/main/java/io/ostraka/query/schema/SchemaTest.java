package io.ostraka.query.schema;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.regex.Pattern;
import io.ostraka.query.schema.Schema.End;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Whether values meet schemas, on raw bytes. Keeps no state. */
public final class SchemaTest {
    private static final byte DOCUMENT = 0x03;
    private static final byte ARRAY = 0x04;
    private static final byte STRING = 0x02;
    private static final byte BINARY = 0x05;
    private static final byte ENCRYPTED = 6;

    private SchemaTest() {}

    /** What rules are asked of: a value in a document, or the whole document. */
    record Subject(RawCursor cursor, RawDocument whole) {
        static Subject of(RawCursor cursor) {
            return new Subject(cursor, null);
        }

        static Subject of(RawDocument whole) {
            return new Subject(null, whole);
        }

        byte type() {
            return cursor == null ? DOCUMENT : cursor.typeByte();
        }

        boolean isObject() {
            return type() == DOCUMENT;
        }

        boolean isArray() {
            return type() == ARRAY;
        }

        boolean isString() {
            return type() == STRING;
        }

        boolean isNumber() {
            return cursor != null && cursor.isNumber();
        }

        /** The object or array. */
        RawDocument document() {
            return cursor == null ? whole : cursor.document();
        }

        BsonValue value() {
            return cursor == null ? whole.toBson() : cursor.value();
        }
    }

    /** A value by which {@code enum} and {@code uniqueItems} compare: fields of objects in any order. */
    record Value(KeyString key) {
        static Value of(BsonValue value) {
            return new Value(KeyString.of(inOrder(value)));
        }

        private static BsonValue inOrder(BsonValue value) {
            if (value.isArray()) {
                return new BsonArray(
                        value.asArray().stream().map(Value::inOrder).toList());
            }
            if (!value.isDocument()) {
                return value;
            }
            TreeMap<String, BsonValue> fields = new TreeMap<>();
            value.asDocument().forEach((name, field) -> fields.put(name, inOrder(field)));
            BsonDocument sorted = new BsonDocument();
            sorted.putAll(fields);
            return sorted;
        }
    }

    /** Whether a document meets a schema. */
    public static boolean meets(Schema schema, RawDocument document) {
        return meets(schema, Subject.of(document));
    }

    static boolean meets(Schema schema, Subject subject) {
        for (Schema.Rule rule : schema.rules()) {
            if (!meets(rule, subject)) {
                return false;
            }
        }
        return true;
    }

    static boolean meets(Schema.Rule rule, Subject subject) {
        return switch (rule) {
            case Schema.TypeIs(var unused, var types, var source) -> types.contains((int) subject.type());
            case Schema.Among(var values) -> {
                Value own = Value.of(subject.value());
                yield values.stream().anyMatch(value -> Value.of(value).equals(own));
            }
            case Schema.Bound bound -> !subject.isNumber() || isWithin(bound, subject.value());
            case Schema.MultipleOf(var divisor) -> !subject.isNumber() || isMultiple(subject.value(), divisor);
            case Schema.Size size -> isSized(size, subject);
            case Schema.Matches(var unused, var pattern) -> !subject.isString() || pattern.find(subject.cursor());
            case Schema.Required(var names) -> !subject.isObject() || hasAll(subject.document(), names);
            case Schema.Properties(var schemas) ->
                !subject.isObject()
                        || schemas.entrySet().stream().allMatch(each -> {
                            RawCursor found = subject.document().find(each.getKey());
                            return found == null || meets(each.getValue(), Subject.of(found));
                        });
            case Schema.PatternProperties(var named) -> !subject.isObject() || eachNamed(named, subject.document());
            case Schema.AdditionalProperties additional ->
                !subject.isObject() || additional(additional, subject.document());
            case Schema.Dependencies(var byField) ->
                !subject.isObject()
                        || byField.entrySet().stream()
                                .allMatch(each -> subject.document().find(each.getKey()) == null
                                        || meets(each.getValue(), subject));
            case Schema.UniqueItems() -> !subject.isArray() || isUnique(subject.document());
            case Schema.Items(var schema) -> !subject.isArray() || itemsFrom(0, schema, subject.document());
            case Schema.ItemsAt(var schemas) -> !subject.isArray() || itemsAt(schemas, subject.document());
            case Schema.AdditionalItems(var from, var schema) ->
                !subject.isArray()
                        || schema.map(each -> itemsFrom(from, each, subject.document()))
                                .orElseGet(() -> size(subject.document()) <= from);
            case Schema.AllOf(var schemas) -> schemas.stream().allMatch(schema -> meets(schema, subject));
            case Schema.AnyOf(var schemas) -> schemas.stream().anyMatch(schema -> meets(schema, subject));
            case Schema.OneOf(var schemas) ->
                schemas.stream().filter(schema -> meets(schema, subject)).count() == 1;
            case Schema.Not(var schema) -> !meets(schema, subject);
            case Schema.Encrypted() ->
                subject.type() == BINARY && subject.value().asBinary().getType() == ENCRYPTED;
        };
    }

    static boolean meets(Schema.Dependency dependency, Subject subject) {
        return switch (dependency) {
            case Schema.NeedsFields(var names) -> hasAll(subject.document(), names);
            case Schema.NeedsSchema(var schema) -> meets(schema, subject);
        };
    }

    private static boolean isWithin(Schema.Bound bound, BsonValue number) {
        boolean isNaN = Double.isNaN(Values.toDouble(number));
        if (isNaN || Double.isNaN(Values.toDouble(bound.bound()))) {
            return isNaN && !bound.exclusive() && Double.isNaN(Values.toDouble(bound.bound()));
        }
        int order = ValueOrder.ORDER.compare(number, bound.bound());
        return order == 0 ? !bound.exclusive() : bound.end() == End.LEAST ? order > 0 : order < 0;
    }

    private static boolean isMultiple(BsonValue number, BsonValue divisor) {
        double value = Values.toDouble(number);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return false;
        }
        return exact(number).remainder(exact(divisor)).signum() == 0;
    }

    private static BigDecimal exact(BsonValue number) {
        return switch (number.getBsonType()) {
            case DECIMAL128 -> ValueOrder.exactValue(decimal(number));
            case DOUBLE -> new BigDecimal(number.asDouble().getValue());
            default -> BigDecimal.valueOf(number.asNumber().longValue());
        };
    }

    private static Decimal128 decimal(BsonValue number) {
        return number.asDecimal128().getValue();
    }

    private static boolean isSized(Schema.Size rule, Subject subject) {
        long size;
        switch (rule.count()) {
            case CHARACTERS -> {
                if (!subject.isString()) {
                    return true;
                }
                String text = subject.cursor().string();
                size = text.codePointCount(0, text.length());
            }
            case ITEMS -> {
                if (!subject.isArray()) {
                    return true;
                }
                size = size(subject.document());
            }
            case PROPERTIES -> {
                if (!subject.isObject()) {
                    return true;
                }
                size = size(subject.document());
            }
            default -> throw new IllegalStateException("counted is one of three");
        }
        return rule.end() == End.LEAST ? size >= rule.bound() : size <= rule.bound();
    }

    /** Elements of an array or fields of an object. */
    static int size(RawDocument document) {
        RawCursor each = document.cursor();
        int size = 0;
        while (each.next()) {
            size++;
        }
        return size;
    }

    private static boolean hasAll(RawDocument document, List<String> names) {
        for (String name : names) {
            if (document.find(name) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether a field's name is what a pattern asks for. */
    static boolean isNamed(Pattern pattern, RawCursor field) {
        return pattern.find(field.name().getBytes(StandardCharsets.UTF_8), 0).isPresent();
    }

    private static boolean eachNamed(List<Schema.Named> named, RawDocument document) {
        RawCursor field = document.cursor();
        while (field.next()) {
            for (Schema.Named each : named) {
                if (isNamed(each.pattern(), field) && !meets(each.schema(), Subject.of(field))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether neither a name nor a pattern speaks of a field. */
    static boolean isAdditional(Schema.AdditionalProperties rule, RawCursor field) {
        return !rule.known().contains(field.name())
                && rule.patterns().stream().noneMatch(pattern -> isNamed(pattern, field));
    }

    private static boolean additional(Schema.AdditionalProperties rule, RawDocument document) {
        RawCursor field = document.cursor();
        while (field.next()) {
            if (isAdditional(rule, field)
                    && !rule.schema()
                            .filter(schema -> meets(schema, Subject.of(field)))
                            .isPresent()) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnique(RawDocument array) {
        Set<Value> seen = new HashSet<>();
        RawCursor item = array.cursor();
        while (item.next()) {
            if (!seen.add(Value.of(item.value()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean itemsFrom(int from, Schema schema, RawDocument array) {
        RawCursor item = array.cursor();
        for (int i = 0; item.next(); i++) {
            if (i >= from && !meets(schema, Subject.of(item))) {
                return false;
            }
        }
        return true;
    }

    private static boolean itemsAt(List<Schema> schemas, RawDocument array) {
        RawCursor item = array.cursor();
        for (int i = 0; i < schemas.size() && item.next(); i++) {
            if (!meets(schemas.get(i), Subject.of(item))) {
                return false;
            }
        }
        return true;
    }
}
