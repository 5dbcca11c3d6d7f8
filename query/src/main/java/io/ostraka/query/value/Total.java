package io.ostraka.query.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A sum whose whole numbers are exact, whose doubles carry their rounding error along, and whose type is the
 * widest of what came. One thread.
 */
public final class Total {
    private BigInteger whole = BigInteger.ZERO;
    private boolean anyLong;
    private double real;
    private double error;
    private boolean anyDouble;
    private BigDecimal decimal = BigDecimal.ZERO;
    private BsonValue special;
    private boolean anyDecimal;

    /** Takes in one number. */
    public void add(BsonValue number) {
        switch (number.getBsonType()) {
            case INT32 -> whole = whole.add(BigInteger.valueOf(number.asInt32().getValue()));
            case INT64 -> {
                anyLong = true;
                whole = whole.add(BigInteger.valueOf(number.asInt64().getValue()));
            }
            case DOUBLE -> {
                anyDouble = true;
                addDouble(number.asDouble().getValue());
            }
            default -> {
                anyDecimal = true;
                if (Arithmetic.isFinite(number)) {
                    decimal = decimal.add(Arithmetic.toBigDecimal(number), Arithmetic.DECIMAL);
                } else {
                    special = special == null ? number : Arithmetic.add(special, number);
                }
            }
        }
    }

    private void addDouble(double value) {
        double sum = real + value;
        if (!Double.isInfinite(sum) && !Double.isNaN(sum)) {
            error += Math.abs(real) >= Math.abs(value) ? real - sum + value : value - sum + real;
        }
        real = sum;
    }

    /** The sum so far; int32 zero of nothing. */
    public BsonValue value() {
        if (anyDecimal) {
            BsonValue doubles = Arithmetic.toDecimal(real + error);
            BsonValue finite = Arithmetic.toDecimal(decimal.add(new BigDecimal(whole), Arithmetic.DECIMAL));
            BsonValue sum = anyDouble ? Arithmetic.add(finite, doubles) : finite;
            return special == null ? sum : Arithmetic.add(sum, special);
        }
        if (anyDouble) {
            return new BsonDouble(whole.doubleValue() + real + error);
        }
        if (whole.bitLength() > 63) {
            return new BsonDouble(whole.doubleValue());
        }
        return anyLong ? new BsonInt64(whole.longValue()) : Values.integer(whole.longValue());
    }

    /** What it has gathered, for another one to combine. */
    public BsonDocument toBson() {
        return new BsonDocument("w", new BsonString(whole.toString()))
                .append("l", BsonBoolean.valueOf(anyLong))
                .append("r", new BsonDouble(real))
                .append("e", new BsonDouble(error))
                .append("d", BsonBoolean.valueOf(anyDouble))
                .append("m", Arithmetic.toDecimal(decimal))
                .append("n", BsonBoolean.valueOf(anyDecimal))
                .append("s", special == null ? BsonNull.VALUE : special);
    }

    public void combine(BsonDocument other) {
        whole = whole.add(new BigInteger(other.getString("w").getValue()));
        anyLong |= other.getBoolean("l").getValue();
        anyDouble |= other.getBoolean("d").getValue();
        addDouble(other.getDouble("r").getValue());
        error += other.getDouble("e").getValue();
        anyDecimal |= other.getBoolean("n").getValue();
        decimal = decimal.add(Arithmetic.toBigDecimal(other.get("m")), Arithmetic.DECIMAL);
        if (!other.get("s").isNull()) {
            special = special == null ? other.get("s") : Arithmetic.add(special, other.get("s"));
        }
    }
}
