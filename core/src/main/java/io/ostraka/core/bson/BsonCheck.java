package io.ostraka.core.bson;

import static io.ostraka.core.error.ErrorCode.INVALID_BSON;
import static io.ostraka.core.error.ErrorCode.OVERFLOW;

/**
 * Checks BSON from outside before anything looks at it: lengths, terminators, known types, and depth. After this,
 * {@link RawDocument} and {@link RawCursor} never read outside the document.
 */
public final class BsonCheck {
    /** Levels of documents and arrays within each other that a stored document may have, itself among them. */
    public static final int MAX_DEPTH = 180;

    /** The same of a message: what commands, batches and replies put around the deepest document fits in. */
    public static final int MAX_MESSAGE_DEPTH = 200;

    /** The same of a document that is answered: a stored one and some room for what a stage puts around it. */
    public static final int MAX_ANSWER_DEPTH = 190;

    /** Bytes that each further level takes at the least: a type, an empty name, a length and a closing zero. */
    private static final int LEVEL_BYTES = 7;

    private BsonCheck() {}

    /**
     * Checks one document.
     *
     * @param bytes where it lies
     * @param at where it begins
     * @param limit the first byte that is not its own
     * @return its size
     * @throws io.ostraka.core.error.CommandException 22 InvalidBSON, or 15 Overflow past {@link #MAX_MESSAGE_DEPTH}
     */
    public static int document(byte[] bytes, int at, int limit) {
        return document(bytes, at, limit, 1);
    }

    /**
     * Refuses a document that is nested too deeply. Costs nothing for one that is too small to
     * be, and for a larger one only a walk over what is large in it.
     *
     * @param document checked before
     * @param max levels it may have
     * @throws io.ostraka.core.error.CommandException 15 Overflow if it has more
     */
    public static void depth(RawDocument document, int max) {
        depth(document, max, max);
    }

    private static void depth(RawDocument document, int left, int max) {
        if (left == 0) {
            throw OVERFLOW.because("The document is nested deeper than %d levels; keep a part of it elsewhere", max);
        }
        if (document.size() < 5 + LEVEL_BYTES * left) {
            return;
        }
        RawCursor field = document.cursor();
        while (field.next()) {
            if (field.isDocument() || field.isArray()) {
                depth(field.document(), left - 1, max);
            }
        }
    }

    private static int document(byte[] bytes, int at, int limit, int depth) {
        if (depth > MAX_MESSAGE_DEPTH) {
            throw OVERFLOW.because("BSON nesting exceeds the limit of %d levels", MAX_MESSAGE_DEPTH);
        }
        if (limit - at < 5) {
            throw INVALID_BSON.because("BSON ends where a document should begin");
        }
        int size = Bytes.getInt(bytes, at);
        if (size < 5 || size > limit - at) {
            throw INVALID_BSON.because("BSON document has length %d where at most %d bytes are left", size, limit - at);
        }
        int end = at + size - 1;
        if (bytes[end] != 0) {
            throw INVALID_BSON.because("BSON document does not end with a zero byte");
        }
        int next = at + 4;
        while (next < end) {
            next = element(bytes, next, end, depth);
        }
        return size;
    }

    private static int element(byte[] bytes, int at, int end, int depth) {
        byte type = bytes[at];
        int valueAt = cstring(bytes, at + 1, end);
        int size = checkedSize(bytes, type, valueAt, end, depth);
        if (size < 0 || size > end - valueAt) {
            throw INVALID_BSON.because("BSON value of type 0x%02x runs past the end of its document", type & 0xFF);
        }
        return valueAt + size;
    }

    private static int checkedSize(byte[] bytes, byte type, int at, int end, int depth) {
        int fixed = fixedSize(type);
        if (fixed >= 0) {
            if (type == 0x08 && at < end && (bytes[at] & 0xFE) != 0) {
                throw INVALID_BSON.because("BSON boolean is neither 0 nor 1");
            }
            return fixed;
        }
        switch (type) {
            case 0x02, 0x0D, 0x0E:
                return string(bytes, at, end);
            case 0x03, 0x04:
                return document(bytes, at, end, depth + 1);
            case 0x05:
                need(at, 5, end);
                int length = Bytes.getInt(bytes, at);
                if (length < 0 || length > end - at - 5) {
                    throw INVALID_BSON.because("BSON binary has length %d", length);
                }
                return 5 + length;
            case 0x0B:
                return cstring(bytes, cstring(bytes, at, end), end) - at;
            case 0x0C:
                return string(bytes, at, end) + 12;
            case 0x0F:
                need(at, 4, end);
                int all = Bytes.getInt(bytes, at);
                if (all < 14 || all > end - at) {
                    throw INVALID_BSON.because("BSON code with scope has length %d", all);
                }
                int code = string(bytes, at + 4, at + all);
                if (4 + code + document(bytes, at + 4 + code, at + all, depth + 1) != all) {
                    throw INVALID_BSON.because("BSON code with scope does not fill its length");
                }
                return all;
            default:
                throw INVALID_BSON.because("BSON has unknown type 0x%02x", type & 0xFF);
        }
    }

    private static int string(byte[] bytes, int at, int end) {
        need(at, 5, end);
        int length = Bytes.getInt(bytes, at);
        if (length < 1 || length > end - at - 4 || bytes[at + 4 + length - 1] != 0) {
            throw INVALID_BSON.because("BSON string has a wrong length or no closing zero");
        }
        return 4 + length;
    }

    private static void need(int at, int size, int end) {
        if (end - at < size) {
            throw INVALID_BSON.because("BSON value runs past the end of its document");
        }
    }

    /** The first byte after a zero-terminated string. */
    private static int cstring(byte[] bytes, int at, int end) {
        for (int i = at; i < end; i++) {
            if (bytes[i] == 0) {
                return i + 1;
            }
        }
        throw INVALID_BSON.because("BSON name has no closing zero");
    }

    private static int fixedSize(byte type) {
        return switch (type) {
            case 0x06, 0x0A, -1, 0x7F -> 0;
            case 0x08 -> 1;
            case 0x10 -> 4;
            case 0x01, 0x09, 0x11, 0x12 -> 8;
            case 0x07 -> 12;
            case 0x13 -> 16;
            default -> -1;
        };
    }

    /** Bytes of a value that was checked before. */
    static int valueSize(byte[] bytes, byte type, int at) {
        int fixed = fixedSize(type);
        if (fixed >= 0) {
            return fixed;
        }
        return switch (type) {
            case 0x02, 0x0D, 0x0E -> 4 + Bytes.getInt(bytes, at);
            case 0x03, 0x04, 0x0F -> Bytes.getInt(bytes, at);
            case 0x05 -> 5 + Bytes.getInt(bytes, at);
            case 0x0B -> {
                int end = at;
                for (int zeros = 0; zeros < 2; end++) {
                    if (bytes[end] == 0) {
                        zeros++;
                    }
                }
                yield end - at;
            }
            case 0x0C -> 16 + Bytes.getInt(bytes, at);
            default -> throw new IllegalStateException("BSON type " + type + " passed the check");
        };
    }
}
