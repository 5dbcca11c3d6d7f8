package io.ostraka.core.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Builds a {@link RawDocument} field by field, copying raw elements where there are any. One thread; {@link #build}
 * ends its use.
 */
public final class RawBuilder {
    static final byte OLD_BINARY = 2;

    private byte[] bytes;
    private int length;
    /** Where what is open begins. */
    private int[] open = new int[4];

    private int depth;

    public RawBuilder() {
        this(256);
    }

    /** @param expectedSize a guess, in bytes */
    public RawBuilder(int expectedSize) {
        bytes = new byte[Math.max(16, expectedSize)];
        begin();
    }

    private void begin() {
        if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
        }
        open[depth++] = length;
        reserve(4);
        length += 4;
    }

    private void end() {
        reserve(1);
        bytes[length++] = 0;
        int at = open[--depth];
        Bytes.putInt(bytes, at, length - at);
    }

    /** Makes room for so many further bytes at once, where that is known. */
    public void expect(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, length + more);
        }
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    private void header(byte type, String name) {
        reserve(name.length() + 2);
        bytes[length++] = type;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80) {
                rest(name.substring(i).getBytes(StandardCharsets.UTF_8));
                break;
            }
            bytes[length++] = (byte) c;
        }
        bytes[length++] = 0;
    }

    /** Of a name that is not all ASCII. */
    private void rest(byte[] utf8) {
        reserve(utf8.length + 1);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
    }

    /** Copies an element as it is, name and value. */
    public RawBuilder element(RawCursor from) {
        reserve(from.elementSize());
        System.arraycopy(from.array(), from.elementOffset(), bytes, length, from.elementSize());
        length += from.elementSize();
        return this;
    }

    /** Copies an element's value under another name. */
    public RawBuilder value(String name, RawCursor from) {
        header(from.typeByte(), name);
        reserve(from.valueSize());
        System.arraycopy(from.array(), from.valueOffset(), bytes, length, from.valueSize());
        length += from.valueSize();
        return this;
    }

    /** Copies all elements of a document, in order. */
    public RawBuilder elements(RawDocument document) {
        int size = document.size() - 5;
        reserve(size);
        System.arraycopy(document.array(), document.offset() + 4, bytes, length, size);
        length += size;
        return this;
    }

    public RawBuilder put(String name, RawDocument document) {
        return nested((byte) 0x03, name, document);
    }

    /** Puts bytes of an array, as {@link RawCursor#document} gives them. */
    public RawBuilder putArray(String name, RawDocument array) {
        return nested((byte) 0x04, name, array);
    }

    private RawBuilder nested(byte type, String name, RawDocument document) {
        header(type, name);
        int size = document.size();
        reserve(size);
        System.arraycopy(document.array(), document.offset(), bytes, length, size);
        length += size;
        return this;
    }

    public RawBuilder put(String name, String value) {
        header((byte) 0x02, name);
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        reserve(utf8.length + 5);
        Bytes.putInt(bytes, length, utf8.length + 1);
        System.arraycopy(utf8, 0, bytes, length + 4, utf8.length);
        length += utf8.length + 5;
        bytes[length - 1] = 0;
        return this;
    }

    public RawBuilder put(String name, int value) {
        header((byte) 0x10, name);
        reserve(4);
        Bytes.putInt(bytes, length, value);
        length += 4;
        return this;
    }

    public RawBuilder put(String name, long value) {
        return eight((byte) 0x12, name, value);
    }

    public RawBuilder put(String name, double value) {
        return eight((byte) 0x01, name, Double.doubleToRawLongBits(value));
    }

    private RawBuilder eight(byte type, String name, long value) {
        header(type, name);
        reserve(8);
        Bytes.putLong(bytes, length, value);
        length += 8;
        return this;
    }

    public RawBuilder put(String name, boolean value) {
        header((byte) 0x08, name);
        reserve(1);
        bytes[length++] = (byte) (value ? 1 : 0);
        return this;
    }

    /** Puts any decoded value. */
    public RawBuilder put(String name, BsonValue value) {
        switch (value.getBsonType()) {
            case STRING -> put(name, value.asString().getValue());
            case INT32 -> put(name, value.asInt32().getValue());
            case INT64 -> put(name, value.asInt64().getValue());
            case DOUBLE -> put(name, value.asDouble().getValue());
            case BOOLEAN -> put(name, value.asBoolean().getValue());
            case DATE_TIME -> eight((byte) 0x09, name, value.asDateTime().getValue());
            case TIMESTAMP -> eight((byte) 0x11, name, value.asTimestamp().getValue());
            case OBJECT_ID ->
                bytes((byte) 0x07, name, value.asObjectId().getValue().toByteArray());
            case BINARY -> binary(name, value.asBinary());
            default -> elements(RawDocument.of(new BsonDocument(name, value)));
        }
        return this;
    }

    private void bytes(byte type, String name, byte[] value) {
        header(type, name);
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    private void binary(String name, BsonBinary value) {
        if (value.getType() == OLD_BINARY) {
            // Its length stands there twice; the library knows.
            elements(RawDocument.of(new BsonDocument(name, value)));
            return;
        }
        byte[] data = value.getData();
        header((byte) 0x05, name);
        reserve(data.length + 5);
        Bytes.putInt(bytes, length, data.length);
        bytes[length + 4] = value.getType();
        System.arraycopy(data, 0, bytes, length + 5, data.length);
        length += data.length + 5;
    }

    /** Opens a document; what follows goes into it until {@link #close}. */
    public RawBuilder openDocument(String name) {
        header((byte) 0x03, name);
        begin();
        return this;
    }

    /** Opens an array; its elements' names are "0", "1" and so on, given by the caller. */
    public RawBuilder openArray(String name) {
        header((byte) 0x04, name);
        begin();
        return this;
    }

    /** Closes what was opened last. */
    public RawBuilder close() {
        end();
        return this;
    }

    /** Bytes written so far. */
    public int size() {
        return length;
    }

    /** Closes everything. The builder must not be used afterwards. */
    public RawDocument build() {
        RawDocument document = buildShortLived();
        return bytes.length == length ? document : RawDocument.of(Arrays.copyOf(bytes, length));
    }

    /** The same without a copy, for what is not kept: the array may be longer than the document. */
    public RawDocument buildShortLived() {
        while (depth > 0) {
            end();
        }
        return RawDocument.of(bytes);
    }
}
