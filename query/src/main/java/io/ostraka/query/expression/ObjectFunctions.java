package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.ARRAY_TO_OBJECT_INVALID;
import static io.ostraka.core.error.ErrorCode.BINARY_SIZE_INVALID;
import static io.ostraka.core.error.ErrorCode.BSON_SIZE_NEEDS_OBJECT;
import static io.ostraka.core.error.ErrorCode.GET_FIELD_INVALID;
import static io.ostraka.core.error.ErrorCode.MERGE_OBJECTS_NEEDS_OBJECT;
import static io.ostraka.core.error.ErrorCode.OBJECT_TO_ARRAY_NEEDS_OBJECT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.HashedValue;
import io.ostraka.query.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Functions of documents, and of values as they are stored. */
final class ObjectFunctions {
    static final List<Function> ALL = List.of(
            Function.unary("$arrayToObject", ObjectFunctions::toObject),
            Function.unary("$binarySize", ObjectFunctions::binarySize),
            Function.unary("$bsonSize", ObjectFunctions::bsonSize),
            Function.of("$mergeObjects", 0, Integer.MAX_VALUE, (arguments, _) -> merge(operands(arguments))),
            Function.unary("$objectToArray", ObjectFunctions::toArray),
            Function.named("$setField", 3, List.of("field", "input", "value"), (arguments, _) -> setField(arguments)),
            Function.unary(
                    "$toHashedIndexKey",
                    value -> new BsonInt64(Values.isMissing(value) ? HashedValue.MISSING : HashedValue.of(value))),
            Function.named(
                    "$unsetField",
                    2,
                    List.of("field", "input"),
                    (arguments, _) -> setField(new BsonValue[] {arguments[0], arguments[1], Values.MISSING})));

    private ObjectFunctions() {}

    static BsonValue getField(BsonValue field, BsonValue input) {
        if (!field.isString()) {
            throw GET_FIELD_INVALID.because(
                    "$getField requires 'field' to evaluate to type String, but got %s", Values.typeName(field));
        }
        if (Values.isNullish(input)) {
            return input;
        }
        BsonValue value =
                input.isDocument() ? input.asDocument().get(field.asString().getValue()) : null;
        return value == null ? Values.MISSING : value;
    }

    private static BsonValue setField(BsonValue[] arguments) {
        if (!arguments[0].isString()) {
            throw GET_FIELD_INVALID.because(
                    "$setField requires 'field' to evaluate to type String, but got %s", Values.typeName(arguments[0]));
        }
        if (Values.isNullish(arguments[1])) {
            return BsonNull.VALUE;
        }
        if (!arguments[1].isDocument()) {
            throw GET_FIELD_INVALID.because(
                    "$setField requires 'input' to evaluate to type Object, but got %s", Values.typeName(arguments[1]));
        }
        BsonDocument changed = new BsonDocument();
        changed.putAll(arguments[1].asDocument());
        if (Values.isMissing(arguments[2])) {
            changed.remove(arguments[0].asString().getValue());
        } else {
            changed.put(arguments[0].asString().getValue(), arguments[2]);
        }
        return changed;
    }

    private static BsonValue toArray(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        if (!value.isDocument()) {
            throw OBJECT_TO_ARRAY_NEEDS_OBJECT.because(
                    "$objectToArray requires a document input, found: %s", Values.typeName(value));
        }
        BsonArray pairs = new BsonArray();
        value.asDocument()
                .forEach((name, each) -> pairs.add(new BsonDocument("k", new BsonString(name)).append("v", each)));
        return pairs;
    }

    private static BsonValue toObject(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        if (!value.isArray()) {
            throw ARRAY_TO_OBJECT_INVALID.because(
                    "$arrayToObject requires an array input, found: %s", Values.typeName(value));
        }
        BsonDocument object = new BsonDocument();
        for (BsonValue pair : value.asArray()) {
            BsonValue name = BsonNull.VALUE;
            BsonValue of = BsonNull.VALUE;
            if (pair.isArray() && pair.asArray().size() == 2) {
                name = pair.asArray().get(0);
                of = pair.asArray().get(1);
            } else if (pair.isDocument()
                    && pair.asDocument().size() == 2
                    && pair.asDocument().containsKey("k")
                    && pair.asDocument().containsKey("v")) {
                name = pair.asDocument().get("k");
                of = pair.asDocument().get("v");
            }
            if (!name.isString() || name.asString().getValue().indexOf('\0') >= 0) {
                throw ARRAY_TO_OBJECT_INVALID.because(
                        "$arrayToObject requires pairs [name, value] or {k: name, v: value}, found: %s",
                        Values.show(pair));
            }
            object.put(name.asString().getValue(), of);
        }
        return object;
    }

    /** A single array stands for its elements. */
    private static List<BsonValue> operands(BsonValue[] arguments) {
        return arguments.length == 1 && arguments[0].isArray()
                ? arguments[0].asArray().getValues()
                : List.of(arguments);
    }

    private static BsonValue merge(List<BsonValue> operands) {
        BsonDocument merged = new BsonDocument();
        for (BsonValue value : operands) {
            if (Values.isNullish(value)) {
                continue;
            }
            if (!value.isDocument()) {
                throw MERGE_OBJECTS_NEEDS_OBJECT.because(
                        "$mergeObjects requires object inputs, but input %s is of type %s",
                        Values.show(value), Values.typeName(value));
            }
            merged.putAll(value.asDocument());
        }
        return merged;
    }

    private static BsonValue binarySize(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        if (value.isString()) {
            return new BsonInt32(value.asString().getValue().getBytes(StandardCharsets.UTF_8).length);
        }
        if (!value.isBinary()) {
            throw BINARY_SIZE_INVALID.because(
                    "$binarySize requires a string or BinData argument, found: %s", Values.typeName(value));
        }
        return new BsonInt32(value.asBinary().getData().length);
    }

    private static BsonValue bsonSize(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        if (!value.isDocument()) {
            throw BSON_SIZE_NEEDS_OBJECT.because(
                    "$bsonSize requires a document input, found: %s", Values.typeName(value));
        }
        return new BsonInt32(RawDocument.of(value.asDocument()).size());
    }
}
