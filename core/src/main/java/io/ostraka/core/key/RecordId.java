package io.ostraka.core.key;

import static io.ostraka.core.check.Check.that;

import java.util.Arrays;

/**
 * What a record is stored under within its collection. Ordinary collections number their records: a rising 64-bit
 * number given by the leader, so that natural order is insertion order. Collections clustered by a key use that key's
 * bytes instead.
 */
public final class RecordId implements Comparable<RecordId> {
    /** Bytes of a numbered id. */
    public static final int NUMBER_SIZE = 8;

    private final byte[] bytes;

    private RecordId(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The id of a number, which is positive. */
    public static RecordId of(long number) {
        that(number > 0, "a record's number is positive");
        byte[] bytes = new byte[NUMBER_SIZE];
        for (int i = 0; i < NUMBER_SIZE; i++) {
            bytes[i] = (byte) (number >>> (56 - 8 * i));
        }
        return new RecordId(bytes);
    }

    /** The id with these bytes, which are copied. Eight bytes are a number's big-endian form. */
    public static RecordId of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    /** The id with bytes {@code from} to {@code to} (exclusive), which are copied. */
    public static RecordId of(byte[] bytes, int from, int to) {
        that(to > from, "a record id has bytes");
        return new RecordId(Arrays.copyOfRange(bytes, from, to));
    }

    /** The number of a numbered id. */
    public long number() {
        that(bytes.length == NUMBER_SIZE, "this record id is a number");
        long number = 0;
        for (byte b : bytes) {
            number = number << 8 | b & 0xFF;
        }
        return number;
    }

    /** The bytes, which sort as the ids do. Not to be written to. */
    public byte[] toByteArray() {
        return bytes;
    }

    @Override
    public int compareTo(RecordId other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length == NUMBER_SIZE
                ? Long.toString(number())
                : java.util.HexFormat.of().formatHex(bytes);
    }
}
