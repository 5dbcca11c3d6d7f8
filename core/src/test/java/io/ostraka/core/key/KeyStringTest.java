package io.ostraka.core.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.AnyValue;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.ValueOrder;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonString;
import org.bson.BsonValue;

class KeyStringTest {
    @Provide
    Arbitrary<BsonValue> values() {
        return AnyValue.value();
    }

    @Provide
    Arbitrary<BsonValue> numbers() {
        return AnyValue.number();
    }

    @Property(tries = 20_000)
    void sortsAsValuesDo(@ForAll("values") BsonValue one, @ForAll("values") BsonValue other) {
        assertThat(Integer.signum(KeyString.of(one).compareTo(KeyString.of(other))))
                .isEqualTo(Integer.signum(ValueOrder.ORDER.compare(one, other)));
    }

    @Property(tries = 20_000)
    void sortsNumbersAsValuesDo(@ForAll("numbers") BsonValue one, @ForAll("numbers") BsonValue other) {
        int order = Integer.signum(ValueOrder.ORDER.compare(one, other));
        assertThat(Integer.signum(KeyString.of(one).compareTo(KeyString.of(other))))
                .isEqualTo(order);
        assertThat(Integer.signum(KeyString.of(other).compareTo(KeyString.of(one))))
                .isEqualTo(-order);
    }

    @Property(tries = 5_000)
    void rawOrderIsDecodedOrder(@ForAll("values") BsonValue one, @ForAll("values") BsonValue other) {
        assertThat(Integer.signum(ValueOrder.compare(RawCursor.of(one), RawCursor.of(other))))
                .isEqualTo(Integer.signum(ValueOrder.ORDER.compare(one, other)));
    }

    @Property(tries = 10_000)
    void sortsFieldByFieldInEitherDirection(
            @ForAll("values") BsonValue a,
            @ForAll("values") BsonValue b,
            @ForAll("values") BsonValue c,
            @ForAll boolean downFirst,
            @ForAll boolean downSecond) {
        int expected = downFirst ? ValueOrder.ORDER.compare(b, a) : ValueOrder.ORDER.compare(a, b);
        if (expected == 0) {
            expected = downSecond ? ValueOrder.ORDER.compare(c, b) : ValueOrder.ORDER.compare(b, c);
        }
        KeyString left =
                KeyString.builder().add(a, downFirst).add(b, downSecond).build();
        KeyString right =
                KeyString.builder().add(b, downFirst).add(c, downSecond).build();
        assertThat(Integer.signum(left.compareTo(right))).isEqualTo(Integer.signum(expected));
    }

    @Property(tries = 20_000)
    void restoresTheExactValues(@ForAll("values") BsonValue a, @ForAll("numbers") BsonValue b, @ForAll boolean down) {
        List<BsonValue> restored =
                KeyString.builder().add(a, down).add(b, !down).build().decode(down, !down);
        assertThat(restored).isEqualTo(List.of(a, b));
    }

    @Property(tries = 5_000)
    void boundsEncloseExactlyWhatBeginsAlike(
            @ForAll("values") BsonValue a, @ForAll("values") BsonValue b, @ForAll("values") BsonValue c) {
        KeyString key = KeyString.builder().add(a, false).add(c, true).build();
        KeyStringBuilder prefix = KeyString.builder().add(b, false);
        int order = ValueOrder.ORDER.compare(a, b);
        assertThat(Arrays.compareUnsigned(key.bytes(), prefix.before()) > 0).isEqualTo(order >= 0);
        assertThat(Arrays.compareUnsigned(key.bytes(), prefix.after()) < 0).isEqualTo(order <= 0);
    }

    @Property(tries = 5_000)
    void noKeyIsAPrefixOfAnother(@ForAll("values") BsonValue a, @ForAll("values") BsonValue b) {
        byte[] one = KeyString.of(a).bytes();
        byte[] other = KeyString.of(b).bytes();
        if (one.length < other.length) {
            assertThat(Arrays.equals(one, Arrays.copyOf(other, one.length))).isFalse();
        }
    }

    @org.junit.jupiter.api.Test
    void commonKeysAreShort() {
        assertThat(KeyString.of(new org.bson.BsonInt32(42)).bytes()).hasSize(3);
        assertThat(KeyString.of(new BsonString("abc")).typeBits()).isEmpty();
    }
}
