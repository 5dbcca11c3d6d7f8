package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.CONVERSION_FAILURE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.error.CommandException;
import io.ostraka.query.value.Arithmetic;
import io.ostraka.query.value.Values;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Conversion between types. Null gives null; what cannot be converted is refused with 241. */
final class Conversions {
    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    static final List<Function> ALL = List.of(
            Function.named(
                    "$convert", 2, List.of("input", "to", "onError", "onNull"), (arguments, _) -> convert(arguments)),
            Function.unary("$isNumber", value -> Values.of(Values.isNumber(value))),
            to("$toBool", "bool"),
            to("$toDate", "date"),
            to("$toDecimal", "decimal"),
            to("$toDouble", "double"),
            to("$toInt", "int"),
            to("$toLong", "long"),
            to("$toObjectId", "objectId"),
            to("$toString", "string"),
            Function.unary("$toUUID", Conversions::toUuid),
            Function.unary("$type", value -> new BsonString(Values.typeName(value))));

    private static final Set<String> TARGETS =
            Set.of("bool", "date", "decimal", "double", "int", "long", "objectId", "string");

    private Conversions() {}

    private static BsonValue toUuid(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        boolean isUuid = value.isBinary() && value.asBinary().getType() == BsonBinarySubType.UUID_STANDARD.getValue();
        if (isUuid) {
            return value;
        }
        if (!value.isString() || !UUID_TEXT.matcher(value.asString().getValue()).matches()) {
            throw CONVERSION_FAILURE.because("$toUUID needs the text of a UUID, found: %s", Values.show(value));
        }
        return new BsonBinary(UUID.fromString(value.asString().getValue()));
    }

    private static Function to(String name, String type) {
        return Function.unary(name, value -> Values.isNullish(value) ? BsonNull.VALUE : convert(value, type));
    }

    private static BsonValue convert(BsonValue[] arguments) {
        if (Values.isNullish(arguments[0])) {
            return Values.isMissing(arguments[3]) ? BsonNull.VALUE : arguments[3];
        }
        if (Values.isNullish(arguments[1])) {
            return BsonNull.VALUE;
        }
        String type = target(arguments[1]);
        try {
            return convert(arguments[0], type);
        } catch (CommandException e) {
            if (Values.isMissing(arguments[2])) {
                throw e;
            }
            return arguments[2];
        }
    }

    private static String target(BsonValue to) {
        if (to.isString()) {
            String name = to.asString().getValue();
            if (!TARGETS.contains(name)) {
                throw (Values.typeNumber(name) == 0 ? FAILED_TO_PARSE : CONVERSION_FAILURE)
                        .because("Unsupported conversion target or unknown type name: %s", name);
            }
            return name;
        }
        for (String name : TARGETS) {
            if (Values.isNumber(to) && Values.isWhole(to) && Values.typeNumber(name) == Values.toLong(to)) {
                return name;
            }
        }
        throw FAILED_TO_PARSE.because("$convert's 'to' argument must be a known type, but is %s", Values.show(to));
    }

    static BsonValue convert(BsonValue value, String type) {
        return switch (type) {
            case "bool" -> BsonBoolean.valueOf(Values.isTrue(value));
            case "string" -> string(value);
            case "int" -> {
                BsonValue whole = whole(value, type);
                long number = whole.asInt64().getValue();
                if (number != (int) number) {
                    throw failure(value, type);
                }
                yield new BsonInt32((int) number);
            }
            case "long" -> whole(value, type);
            case "double" -> real(value);
            case "decimal" -> decimal(value);
            case "date" -> date(value);
            default -> objectId(value);
        };
    }

    private static CommandException failure(BsonValue value, String type) {
        return CONVERSION_FAILURE.because(
                "Failed to convert %s of type %s to %s in $convert with no onError value",
                Values.show(value), Values.typeName(value), type);
    }

    private static BsonValue string(BsonValue value) {
        return switch (value.getBsonType()) {
            case STRING -> value;
            case BOOLEAN -> new BsonString(value.asBoolean().getValue() ? "true" : "false");
            case OBJECT_ID -> new BsonString(value.asObjectId().getValue().toHexString());
            case DATE_TIME ->
                new BsonString(DateFormat.ISO.format(value.asDateTime().getValue(), ZoneOffset.UTC));
            case INT32, INT64, DOUBLE, DECIMAL128 -> new BsonString(numberText(value));
            default -> throw failure(value, "string");
        };
    }

    /** A number as text: whole doubles without a point. */
    static String numberText(BsonValue number) {
        return switch (number.getBsonType()) {
            case DOUBLE -> {
                double real = number.asDouble().getValue();
                if (Double.isInfinite(real) || Double.isNaN(real)) {
                    yield Double.isNaN(real) ? "NaN" : real > 0 ? "Infinity" : "-Infinity";
                }
                if (real == Math.rint(real) && Math.abs(real) < 1e15) {
                    yield real == 0 && 1 / real < 0 ? "-0" : Long.toString((long) real);
                }
                String text = Double.toString(real);
                int exponent = text.indexOf('E');
                yield exponent < 0 || text.charAt(exponent + 1) == '-'
                        ? text.replace("E", "e")
                        : text.replace("E", "e+").replace(".0e", "e");
            }
            case DECIMAL128 -> number.asDecimal128().getValue().toString();
            default -> Long.toString(number.asNumber().longValue());
        };
    }

    private static BsonInt64 whole(BsonValue value, String type) {
        switch (value.getBsonType()) {
            case BOOLEAN:
                return new BsonInt64(value.asBoolean().getValue() ? 1 : 0);
            case INT32, INT64:
                return new BsonInt64(value.asNumber().longValue());
            case DOUBLE, DECIMAL128:
                BigDecimal exact = Arithmetic.isFinite(value)
                        ? value.isDouble()
                                ? new BigDecimal(value.asDouble().getValue())
                                : Arithmetic.toBigDecimal(value)
                        : null;
                if (exact == null
                        || exact.precision() - exact.scale() > 20
                        || exact.toBigInteger().bitLength() > 63) {
                    throw failure(value, type);
                }
                return new BsonInt64(exact.longValue());
            case DATE_TIME:
                if (type.equals("long")) {
                    return new BsonInt64(value.asDateTime().getValue());
                }
                throw failure(value, type);
            case STRING:
                try {
                    return new BsonInt64(Long.parseLong(value.asString().getValue()));
                } catch (NumberFormatException e) {
                    throw failure(value, type);
                }
            default:
                throw failure(value, type);
        }
    }

    private static BsonValue real(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOUBLE -> value;
            case BOOLEAN -> new BsonDouble(value.asBoolean().getValue() ? 1 : 0);
            case INT32, INT64, DECIMAL128 -> new BsonDouble(Values.toDouble(value));
            case DATE_TIME -> new BsonDouble(value.asDateTime().getValue());
            case STRING -> {
                String text = value.asString().getValue();
                try {
                    // Java's own suffixes and hexadecimal forms are no numbers here.
                    if (text.isEmpty()
                            || !text.strip().equals(text)
                            || "dDfFxX".indexOf(text.charAt(text.length() - 1)) >= 0) {
                        throw failure(value, "double");
                    }
                    yield new BsonDouble(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    throw failure(value, "double");
                }
            }
            default -> throw failure(value, "double");
        };
    }

    private static BsonValue decimal(BsonValue value) {
        return switch (value.getBsonType()) {
            case DECIMAL128 -> value;
            case BOOLEAN -> new BsonDecimal128(new Decimal128(value.asBoolean().getValue() ? 1 : 0));
            case INT32, INT64 ->
                new BsonDecimal128(new Decimal128(value.asNumber().longValue()));
            case DOUBLE -> Arithmetic.toDecimal(value.asDouble().getValue());
            case DATE_TIME ->
                new BsonDecimal128(new Decimal128(value.asDateTime().getValue()));
            case STRING -> {
                try {
                    yield new BsonDecimal128(Decimal128.parse(value.asString().getValue()));
                } catch (NumberFormatException e) {
                    throw failure(value, "decimal");
                }
            }
            default -> throw failure(value, "decimal");
        };
    }

    private static BsonValue date(BsonValue value) {
        return switch (value.getBsonType()) {
            case DATE_TIME -> value;
            case INT64, DOUBLE, DECIMAL128 ->
                new BsonDateTime(whole(value, "date").getValue());
            case TIMESTAMP -> new BsonDateTime(value.asTimestamp().getTime() * 1000L);
            case OBJECT_ID ->
                new BsonDateTime(value.asObjectId().getValue().getDate().getTime());
            case STRING ->
                new BsonDateTime(DateFormat.parse(value.asString().getValue(), ZoneOffset.UTC)
                        .orElseThrow(() -> failure(value, "date")));
            default -> throw failure(value, "date");
        };
    }

    private static BsonValue objectId(BsonValue value) {
        if (value.isObjectId()) {
            return value;
        }
        if (value.isString() && ObjectId.isValid(value.asString().getValue())) {
            return new BsonObjectId(new ObjectId(value.asString().getValue()));
        }
        throw failure(value, "objectId");
    }
}
