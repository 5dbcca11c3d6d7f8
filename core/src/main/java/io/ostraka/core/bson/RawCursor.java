package io.ostraka.core.bson;

import java.nio.charset.StandardCharsets;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * Walks the elements of a {@link RawDocument} without decoding them. One thread at a time; {@link #next} first.
 */
public final class RawCursor {
    private final byte[] bytes;
    private final int end;
    private int nameAt;
    private int valueAt;
    private int nextAt;
    private byte type;

    RawCursor(byte[] bytes, int documentAt) {
        this.bytes = bytes;
        this.end = documentAt + Bytes.getInt(bytes, documentAt) - 1;
        this.nextAt = documentAt + 4;
    }

    private RawCursor(RawCursor other) {
        bytes = other.bytes;
        end = other.end;
        nameAt = other.nameAt;
        valueAt = other.valueAt;
        nextAt = other.nextAt;
        type = other.type;
    }

    /** A cursor that stands on a value of its own, named "". */
    public static RawCursor of(BsonValue value) {
        RawCursor cursor = new RawBuilder(32).put("", value).build().cursor();
        cursor.next();
        return cursor;
    }

    /** Another cursor at the same place; moving one does not move the other. */
    public RawCursor copy() {
        return new RawCursor(this);
    }

    /** Moves to the next element; false at the end. */
    public boolean next() {
        if (nextAt >= end) {
            return false;
        }
        type = bytes[nextAt];
        nameAt = nextAt + 1;
        int at = nameAt;
        while (bytes[at] != 0) {
            at++;
        }
        valueAt = at + 1;
        nextAt = valueAt + BsonCheck.valueSize(bytes, type, valueAt);
        return true;
    }

    /** The type byte of the BSON specification; MinKey is -1. */
    public byte typeByte() {
        return type;
    }

    public BsonType type() {
        return BsonType.findByValue(type & 0xFF);
    }

    public String name() {
        return new String(bytes, nameAt, valueAt - 1 - nameAt, StandardCharsets.UTF_8);
    }

    /** Compares the name without decoding it where it is ASCII. */
    public boolean nameEquals(String name) {
        int length = valueAt - 1 - nameAt;
        if (name.length() > length) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80) {
                return name.equals(name());
            }
            if (c != bytes[nameAt + i]) {
                return false;
            }
        }
        return length == name.length();
    }

    /** Where the name's UTF-8 bytes begin in {@link #array}. */
    public int nameOffset() {
        return nameAt;
    }

    public int nameLength() {
        return valueAt - 1 - nameAt;
    }

    public byte[] array() {
        return bytes;
    }

    /** Where the value's bytes begin in {@link #array}. */
    public int valueOffset() {
        return valueAt;
    }

    public int valueSize() {
        return nextAt - valueAt;
    }

    /** Where the element begins: its type byte. */
    public int elementOffset() {
        return nameAt - 1;
    }

    /** Bytes of the element: type, name, zero and value. */
    public int elementSize() {
        return nextAt - nameAt + 1;
    }

    public boolean isNumber() {
        return type == 0x01 || type == 0x10 || type == 0x12 || type == 0x13;
    }

    public boolean isDocument() {
        return type == 0x03;
    }

    public boolean isArray() {
        return type == 0x04;
    }

    /** A document's or an array's value as a view. Only where {@link #isDocument} or {@link #isArray}. */
    public RawDocument document() {
        return RawDocument.at(bytes, valueAt);
    }

    /** A string's value. Only of type string, symbol or code. */
    public String string() {
        return new String(bytes, valueAt + 4, Bytes.getInt(bytes, valueAt) - 1, StandardCharsets.UTF_8);
    }

    public int int32() {
        return Bytes.getInt(bytes, valueAt);
    }

    public long int64() {
        return Bytes.getLong(bytes, valueAt);
    }

    public double float64() {
        return Bytes.getDouble(bytes, valueAt);
    }

    /** The value, decoded. */
    public BsonValue value() {
        return RawValues.decode(bytes, type, valueAt, valueSize());
    }
}
