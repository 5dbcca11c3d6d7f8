package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.filter.ValueTestParser;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.value.Values;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The table of update operators, each with how what stands behind a field is read. */
final class ModifierParser {
    /** The field the element stands in while {@link Modifier.PullMatching} asks its filter. */
    static final String ELEMENT = "";

    @FunctionalInterface
    interface Reader {
        Modifier read(String path, BsonValue argument);
    }

    static final Map<String, Reader> TABLE = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            Map.entry("$addToSet", ModifierParser::addToSet),
            Map.entry("$bit", ModifierParser::bit),
            Map.entry("$currentDate", ModifierParser::currentDate),
            Map.entry("$inc", (path, amount) -> new Modifier.Add(number("increment", path, amount))),
            Map.entry("$max", (_, value) -> new Modifier.Extreme(value, true)),
            Map.entry("$min", (_, value) -> new Modifier.Extreme(value, false)),
            Map.entry("$mul", (path, factor) -> new Modifier.Multiply(number("multiply", path, factor))),
            Map.entry("$pop", ModifierParser::pop),
            Map.entry("$pull", (_, condition) -> pull(condition)),
            Map.entry("$pullAll", ModifierParser::pullAll),
            Map.entry("$push", ModifierParser::push),
            Map.entry("$rename", ModifierParser::rename),
            Map.entry("$set", (_, value) -> new Modifier.Set(value, false)),
            Map.entry("$setOnInsert", (_, value) -> new Modifier.Set(value, true)),
            Map.entry("$unset", (_, _) -> new Modifier.Unset()))));

    private ModifierParser() {}

    private static BsonValue number(String verb, String path, BsonValue value) {
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because(
                    "Cannot %s with non-numeric argument: {%s: %s}", verb, path, Values.show(value));
        }
        return value;
    }

    private static Modifier rename(String path, BsonValue to) {
        if (!to.isString()) {
            throw BAD_VALUE.because("The 'to' field for $rename must be a string: %s: %s", path, Values.show(to));
        }
        FieldPath target = FieldPath.of(to.asString().getValue());
        if (target.hasEmptyPart()) {
            throw io.ostraka.core.error.ErrorCode.EMPTY_FIELD_NAME.because(
                    "The update path '%s' contains an empty field name, which is not allowed.", target);
        }
        for (int i = 0; i < target.length(); i++) {
            if (target.part(i).startsWith("$")) {
                throw BAD_VALUE.because("The destination field for $rename may not be dynamic: %s", target);
            }
        }
        if (target.text().equals(path)) {
            throw BAD_VALUE.because("The source and target field for $rename must differ: %s: \"%s\"", path, target);
        }
        return new Modifier.Rename(target.text());
    }

    private static Modifier pop(String path, BsonValue side) {
        if (!Values.isNumber(side) || Math.abs(Values.toDouble(side)) != 1) {
            throw FAILED_TO_PARSE.because("$pop expects 1 or -1, found: %s", Values.show(side));
        }
        return new Modifier.Pop(Values.toDouble(side) < 0);
    }

    private static Modifier currentDate(String path, BsonValue type) {
        if (type.isBoolean()) {
            return new Modifier.CurrentDate(false);
        }
        if (type.isDocument()
                && type.asDocument().size() == 1
                && type.asDocument().get("$type") instanceof org.bson.BsonString name
                && Set.of("date", "timestamp").contains(name.getValue())) {
            return new Modifier.CurrentDate(name.getValue().equals("timestamp"));
        }
        throw BAD_VALUE.because(
                "%s is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type:"
                        + " 'timestamp/date'}).",
                Values.typeName(type));
    }

    private static Modifier bit(String path, BsonValue argument) {
        boolean usable = argument.isDocument() && argument.asDocument().size() == 1;
        if (usable) {
            String name = argument.asDocument().getFirstKey();
            BsonValue operand = argument.asDocument().get(name);
            if (Set.of("and", "or", "xor").contains(name) && (operand.isInt32() || operand.isInt64())) {
                return new Modifier.Bit(
                        Modifier.BitOperation.valueOf(name.toUpperCase(java.util.Locale.ROOT)), operand);
            }
        }
        throw BAD_VALUE.because(
                "The $bit modifier takes a document with one of 'and', 'or', 'xor' and a 32 or 64 bit integer, not"
                        + " {%s: %s}",
                path, Values.show(argument));
    }

    private static List<BsonValue> each(String operator, BsonValue value) {
        if (!value.isArray()) {
            throw TYPE_MISMATCH.because(
                    "The argument to $each in %s must be an array but it was of type %s",
                    operator, Values.typeName(value));
        }
        return value.asArray().getValues();
    }

    private static Modifier addToSet(String path, BsonValue argument) {
        if (argument.isDocument() && argument.asDocument().containsKey("$each")) {
            if (argument.asDocument().size() > 1) {
                throw BAD_VALUE.because("Found unexpected fields after $each in $addToSet: %s", Values.show(argument));
            }
            return new Modifier.AddToSet(each("$addToSet", argument.asDocument().get("$each")));
        }
        return new Modifier.AddToSet(List.of(argument));
    }

    private static Modifier push(String path, BsonValue argument) {
        if (!argument.isDocument() || !argument.asDocument().containsKey("$each")) {
            return new Modifier.Push(List.of(argument), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
        }
        BsonDocument document = argument.asDocument();
        for (String clause : document.keySet()) {
            if (!Set.of("$each", "$position", "$slice", "$sort").contains(clause)) {
                throw BAD_VALUE.because("Unrecognized clause in $push: %s", clause);
            }
        }
        return new Modifier.Push(
                each("$push", document.get("$each")),
                whole("$position", document),
                whole("$slice", document),
                Optional.ofNullable(document.get("$sort")).map(ModifierParser::ordering));
    }

    private static OptionalLong whole(String clause, BsonDocument document) {
        BsonValue value = document.get(clause);
        if (value == null) {
            return OptionalLong.empty();
        }
        if (!Values.isNumber(value) || !Values.isWhole(value)) {
            throw BAD_VALUE.because(
                    "The value for %s must be an integer value but was given type: %s", clause, Values.typeName(value));
        }
        return OptionalLong.of(Values.toLong(value));
    }

    private static Modifier.Ordering ordering(BsonValue sort) {
        if (Values.isNumber(sort) && Math.abs(Values.toDouble(sort)) == 1) {
            return new Modifier.Ordering(true, Values.toDouble(sort) < 0, SortPattern.NATURAL);
        }
        if (sort.isDocument() && !sort.asDocument().isEmpty()) {
            return new Modifier.Ordering(false, false, SortPattern.parse(RawDocument.of(sort.asDocument())));
        }
        throw BAD_VALUE.because(
                "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields");
    }

    private static Modifier pull(BsonValue condition) {
        FieldPath array = FieldPath.of(ELEMENT);
        if (condition.isRegularExpression()) {
            ValueTest elements = new ValueTest.ElementIs(ValueTestParser.fieldValue(condition));
            return new Modifier.PullMatching(new Filter.Field(array, elements));
        }
        if (condition.isDocument()) {
            ValueTest elements = ValueTestParser.anyElement(condition.asDocument());
            return new Modifier.PullMatching(new Filter.Field(array, elements));
        }
        return new Modifier.PullValue(condition);
    }

    private static Modifier pullAll(String path, BsonValue argument) {
        if (!argument.isArray()) {
            throw BAD_VALUE.because(
                    "$pullAll requires an array argument but was given a %s", Values.typeName(argument));
        }
        return new Modifier.PullAll(argument.asArray().getValues());
    }
}
