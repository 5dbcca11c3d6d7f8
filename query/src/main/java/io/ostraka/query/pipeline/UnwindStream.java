package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.run.DocumentStream;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One document per element of an array. What is no array counts as its only element. */
final class UnwindStream implements DocumentStream {
    private final Stage.Unwind unwind;
    private final DocumentStream input;
    private RawDocument document;
    private RawCursor elements;
    private long position;
    private int arrayBytes;

    UnwindStream(Stage.Unwind unwind, DocumentStream input) {
        this.unwind = unwind;
        this.input = input;
    }

    @Override
    public RawDocument next() {
        while (true) {
            if (elements != null) {
                if (elements.next()) {
                    return numbered(replaced(document, 0, elements), new BsonInt64(position++));
                }
                elements = null;
            }
            document = input.next();
            if (document == null) {
                return null;
            }
            RawCursor found = unwind.path().find(document);
            arrayBytes = found == null ? 0 : found.valueSize();
            if (found == null || found.typeByte() == 0x0A || found.typeByte() == 0x06) {
                if (unwind.keepsEmpty()) {
                    return numbered(document, BsonNull.VALUE);
                }
            } else if (!found.isArray()) {
                return numbered(document, BsonNull.VALUE);
            } else if (!found.document().isEmpty()) {
                elements = found.document().cursor();
                position = 0;
            } else if (unwind.keepsEmpty()) {
                return numbered(replaced(document, 0, null), BsonNull.VALUE);
            }
        }
    }

    /** The document with the array replaced by one element, or without it. */
    private RawDocument replaced(RawDocument level, int part, RawCursor element) {
        // Not the size of the level: each element of a large array would take as much memory as all of them.
        RawBuilder builder = new RawBuilder(level.size() - arrayBytes + (element == null ? 0 : element.valueSize()));
        FieldPath path = unwind.path();
        RawCursor field = level.cursor();
        while (field.next()) {
            if (!field.nameEquals(path.part(part))) {
                builder.element(field);
            } else if (part < path.length() - 1) {
                builder.put(path.part(part), replaced(field.document(), part + 1, element));
            } else if (element != null) {
                builder.value(path.last(), element);
            }
        }
        return builder.build();
    }

    private RawDocument numbered(RawDocument result, BsonValue index) {
        return unwind.indexField().isPresent()
                ? with(result, unwind.indexField().get(), 0, index)
                : result;
    }

    private static RawDocument with(RawDocument level, FieldPath path, int part, BsonValue value) {
        RawBuilder builder = new RawBuilder(level.size() + 32);
        RawCursor field = level.cursor();
        boolean done = false;
        while (field.next()) {
            if (!field.nameEquals(path.part(part))) {
                builder.element(field);
                continue;
            }
            done = true;
            put(builder, field.isDocument() ? field.document() : RawDocument.EMPTY, path, part, value);
        }
        if (!done) {
            put(builder, RawDocument.EMPTY, path, part, value);
        }
        return builder.build();
    }

    private static void put(RawBuilder builder, RawDocument below, FieldPath path, int part, BsonValue value) {
        if (part == path.length() - 1) {
            builder.put(path.last(), value);
        } else {
            builder.put(path.part(part), with(below, path, part + 1, value));
        }
    }

    @Override
    public void close() {
        input.close();
    }
}
