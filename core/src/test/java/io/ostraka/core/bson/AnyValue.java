package io.ostraka.core.bson;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Values of every BSON type, close to each other so that they collide and differ by little. */
public final class AnyValue {
    private AnyValue() {}

    public static Arbitrary<BsonValue> value() {
        return value(2);
    }

    private static Arbitrary<BsonValue> value(int depth) {
        Arbitrary<BsonValue> scalar =
                Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(4, number()), net.jqwik.api.Tuple.of(3, other()));
        if (depth == 0) {
            return scalar;
        }
        Arbitrary<BsonValue> array = value(depth - 1).list().ofMaxSize(3).map(BsonArray::new);
        Arbitrary<BsonValue> document = Combinators.combine(name(), value(depth - 1), name(), value(depth - 1))
                .as((a, x, b, y) -> new BsonDocument(a, x).append(b, y));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(6, scalar),
                net.jqwik.api.Tuple.of(1, array),
                net.jqwik.api.Tuple.of(1, document),
                net.jqwik.api.Tuple.of(1, Arbitraries.just(new BsonDocument())));
    }

    private static Arbitrary<String> name() {
        return Arbitraries.of("a", "b", "aa", "é", "");
    }

    public static Arbitrary<BsonValue> number() {
        Arbitrary<Long> longs = Arbitraries.oneOf(
                Arbitraries.longs().between(-3, 3),
                Arbitraries.longs(),
                Arbitraries.of(
                        Long.MIN_VALUE,
                        Long.MIN_VALUE + 1,
                        Long.MAX_VALUE,
                        (1L << 53) + 1,
                        (1L << 53),
                        -(1L << 53) - 1,
                        255L,
                        256L,
                        127L,
                        128L));
        Arbitrary<Double> doubles = Arbitraries.oneOf(
                longs.map(Long::doubleValue),
                Arbitraries.doubles(),
                Arbitraries.longs().map(Double::longBitsToDouble),
                Arbitraries.of(
                        0.0,
                        -0.0,
                        Double.NaN,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        Double.MAX_VALUE,
                        Double.MIN_VALUE,
                        -Double.MIN_VALUE,
                        0.1,
                        0.5,
                        1.5,
                        -1.5,
                        0x1p63,
                        -0x1p63));
        Arbitrary<Decimal128> decimals = Arbitraries.oneOf(
                longs.map(Decimal128::new),
                Combinators.combine(
                                Arbitraries.bigIntegers()
                                        .between(
                                                BigInteger.TEN.pow(34).negate().add(BigInteger.ONE),
                                                BigInteger.TEN.pow(34).subtract(BigInteger.ONE)),
                                Arbitraries.integers().between(-6176, 6111))
                        .as((digits, exponent) -> new Decimal128(new BigDecimal(digits, -exponent))),
                Combinators.combine(longs, Arbitraries.integers().between(-20, 3))
                        .as((digits, exponent) ->
                                new Decimal128(new BigDecimal(BigInteger.valueOf(digits), -exponent))),
                Arbitraries.of(
                                "0.1",
                                "1.0",
                                "1.00",
                                "0.5",
                                "-1.5",
                                "-0",
                                "0E+3",
                                "-0E-5",
                                "NaN",
                                "Infinity",
                                "-Infinity",
                                "9223372036854775808",
                                "9223372036854775807.5",
                                "9223372036854775807",
                                "1E-6176")
                        .map(Decimal128::parse));
        return Arbitraries.oneOf(
                longs.map(l -> new BsonInt32(l.intValue())),
                longs.map(BsonInt64::new),
                doubles.map(BsonDouble::new),
                decimals.map(BsonDecimal128::new));
    }

    private static Arbitrary<BsonValue> other() {
        Arbitrary<String> text = Arbitraries.of("", "a", "ab", "a\0", "a\0b", "b", "é", "\uFFFD", "😀", "\uE000");
        return Arbitraries.oneOf(
                text.map(BsonString::new),
                text.map(BsonSymbol::new),
                text.map(BsonJavaScript::new),
                text.map(t -> new BsonJavaScriptWithScope(t, new BsonDocument("a", new BsonInt32(1)))),
                Arbitraries.of(true, false).map(BsonBoolean::valueOf),
                Arbitraries.longs().map(BsonDateTime::new),
                Arbitraries.longs().map(BsonTimestamp::new),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(3).map(BsonBinary::new),
                Arbitraries.bytes().array(byte[].class).ofSize(12).map(b -> new BsonObjectId(new ObjectId(b))),
                Arbitraries.of("a", "b", "ab").map(p -> new BsonRegularExpression(p, p.substring(1))),
                Arbitraries.of("a", "b", "ab").map(n -> new BsonDbPointer(n, new ObjectId(new byte[12]))),
                Arbitraries.of(new BsonMinKey(), new BsonMaxKey(), BsonNull.VALUE, new BsonUndefined()));
    }
}
