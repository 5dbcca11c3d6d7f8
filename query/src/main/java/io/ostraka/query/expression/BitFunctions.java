package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.query.value.Values;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** Functions of the bits of int32 and int64. Null or missing gives null; one int64 makes the result one. */
final class BitFunctions {
    static final List<Function> ALL = List.of(
            all("$bitAnd", -1, (one, other) -> one & other),
            Function.unary("$bitNot", BitFunctions::not),
            all("$bitOr", 0, (one, other) -> one | other),
            all("$bitXor", 0, (one, other) -> one ^ other));

    private BitFunctions() {}

    private static Function all(String name, int ofNothing, LongBinaryOperator operator) {
        return Function.of(name, 0, Integer.MAX_VALUE, (arguments, _) -> {
            long bits = ofNothing;
            boolean isLong = false;
            boolean isNull = false;
            for (BsonValue value : arguments) {
                if (Values.isNullish(value)) {
                    isNull = true;
                    continue;
                }
                bits = operator.applyAsLong(bits, bits(name, value));
                isLong |= value.isInt64();
            }
            if (isNull) {
                return BsonNull.VALUE;
            }
            return isLong ? new BsonInt64(bits) : new BsonInt32((int) bits);
        });
    }

    private static BsonValue not(BsonValue value) {
        if (Values.isNullish(value)) {
            return BsonNull.VALUE;
        }
        long bits = ~bits("$bitNot", value);
        return value.isInt64() ? new BsonInt64(bits) : new BsonInt32((int) bits);
    }

    private static long bits(String name, BsonValue value) {
        if (!value.isInt32() && !value.isInt64()) {
            throw TYPE_MISMATCH.because("%s only supports int and long operands, not %s", name, Values.typeName(value));
        }
        return value.asNumber().longValue();
    }
}
