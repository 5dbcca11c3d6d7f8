package io.ostraka.core.bson;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * A BSON document (or array) as a view over bytes. Immutable by agreement: nobody writes to an array that a
 * RawDocument looks at. Field order and duplicate fields stay as they were sent.
 *
 * <p>The bytes must have been checked by {@link BsonCheck} once, where they entered the process; nothing here checks
 * them again.
 */
public final class RawDocument {
    /** The document without fields. */
    public static final RawDocument EMPTY = new RawDocument(new byte[] {5, 0, 0, 0, 0}, 0);

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final byte[] bytes;
    private final int offset;

    private RawDocument(byte[] bytes, int offset) {
        this.bytes = bytes;
        this.offset = offset;
    }

    /** The document that begins at the array's start. The array is shared, not copied. */
    public static RawDocument of(byte[] bytes) {
        return new RawDocument(bytes, 0);
    }

    /** The document that begins at an offset; its length is read from there. The array is shared, not copied. */
    public static RawDocument at(byte[] bytes, int offset) {
        return new RawDocument(bytes, offset);
    }

    /** Encodes a decoded document. */
    public static RawDocument of(BsonDocument document) {
        BasicOutputBuffer buffer = new BasicOutputBuffer(256);
        try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
        }
        return new RawDocument(buffer.toByteArray(), 0);
    }

    /** Bytes of the whole document, with its length and its closing zero. */
    public int size() {
        return Bytes.getInt(bytes, offset);
    }

    /** The array looked at; the document begins at {@link #offset}. */
    public byte[] array() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    /** The document's bytes alone: the array itself where it holds nothing else. */
    public byte[] toByteArray() {
        int size = size();
        return offset == 0 && bytes.length == size ? bytes : Arrays.copyOfRange(bytes, offset, offset + size);
    }

    /** A view that keeps no bytes alive but its own. */
    public RawDocument compact() {
        return offset == 0 && bytes.length == size() ? this : new RawDocument(toByteArray(), 0);
    }

    public boolean isEmpty() {
        return size() == 5;
    }

    /** A cursor before the first element. */
    public RawCursor cursor() {
        return new RawCursor(bytes, offset);
    }

    /** A cursor on the first element of a name (no dots), or null. */
    public RawCursor find(String name) {
        RawCursor cursor = cursor();
        while (cursor.next()) {
            if (cursor.nameEquals(name)) {
                return cursor;
            }
        }
        return null;
    }

    /** The value of the first element of a name, decoded, or null. */
    public BsonValue get(String name) {
        RawCursor cursor = find(name);
        return cursor == null ? null : cursor.value();
    }

    /** The name of the first field, or null in an empty document. A command's name is its first field. */
    public String firstName() {
        RawCursor cursor = cursor();
        return cursor.next() ? cursor.name() : null;
    }

    /** Decodes the whole document. Of duplicate fields the last wins. */
    public BsonDocument toBson() {
        try (BsonBinaryReader reader =
                new BsonBinaryReader(ByteBuffer.wrap(bytes, offset, size()).slice())) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        }
    }

    /** The same bytes, not the same meaning: 1 and 1.0 differ. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RawDocument that
                && Arrays.equals(bytes, offset, offset + size(), that.bytes, that.offset, that.offset + that.size());
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset, end = offset + size(); i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** Relaxed Extended JSON, for logs and messages. */
    @Override
    public String toString() {
        return toBson().toJson();
    }
}
