package io.ostraka.wire.message;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OP_MSG_FLAG;
import static io.ostraka.core.error.ErrorCode.INVALID_LENGTH;
import static io.ostraka.core.error.ErrorCode.PROTOCOL_ERROR;

import io.ostraka.core.bson.BsonCheck;
import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.transport.FrameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Reads frames. Everything is checked here, once; what comes out can be walked without looking. */
public final class FrameDecoder {
    /** Bytes of every frame's header: length, request id, response to, kind. */
    static final int HEADER = 16;

    private static final int MAX_BYTES = 48_000_000;
    /** A little above the largest write batch, so that its own check can answer. */
    private static final int MAX_DOCUMENTS = 250_000;

    private static final int KNOWN_REQUIRED_FLAGS = Message.CHECKSUM_PRESENT | Message.MORE_TO_COME;

    private FrameDecoder() {}

    /**
     * Reads a frame.
     *
     * @throws FrameException for a kind of message nobody may send; the connection is then closed
     */
    public static Incoming decode(byte[] frame) throws FrameException {
        int opCode = Bytes.getInt(frame, 12);
        if (opCode != OpCode.COMPRESSED) {
            return decode(frame, opCode, Optional.empty());
        }
        int requestId = Bytes.getInt(frame, 4);
        if (frame.length < HEADER + 9) {
            throw new FrameException("a compressed message ends within its header");
        }
        int inner = Bytes.getInt(frame, HEADER);
        int size = Bytes.getInt(frame, HEADER + 4);
        if (inner == OpCode.COMPRESSED || size < 0 || size > MAX_BYTES - HEADER) {
            throw new FrameException("a compressed message says it holds " + size + " bytes of kind " + inner);
        }
        // A few bytes that claim to be megabytes are no message: the best ratio of all compressors here is below this.
        if ((long) size > 64 + 100_000L * (frame.length - HEADER - 9)) {
            throw new FrameException("a compressed message says it holds " + size + " bytes");
        }
        try {
            Compressor compressor = Compressor.of(frame[HEADER + 8]);
            byte[] whole = new byte[HEADER + size];
            compressor.decompress(frame, HEADER + 9, frame.length - HEADER - 9, whole, HEADER);
            Bytes.putInt(whole, 0, whole.length);
            System.arraycopy(frame, 4, whole, 4, 8);
            Bytes.putInt(whole, 12, inner);
            return decode(whole, inner, Optional.of(compressor));
        } catch (CommandException wrong) {
            return new Incoming.Wrong(requestId, wrong, false, true);
        }
    }

    private static Incoming decode(byte[] frame, int opCode, Optional<Compressor> compressor) throws FrameException {
        int requestId = Bytes.getInt(frame, 4);
        switch (opCode) {
            case OpCode.MSG:
                try {
                    return new Incoming.Msg(message(frame, compressor.isPresent()), compressor);
                } catch (CommandException wrong) {
                    return new Incoming.Wrong(requestId, wrong, false, wrong.code() == ILLEGAL_OP_MSG_FLAG);
                }
            case OpCode.QUERY:
                try {
                    return legacy(frame);
                } catch (CommandException wrong) {
                    return new Incoming.Wrong(requestId, wrong, true, true);
                }
            default:
                throw new FrameException("messages of kind " + opCode + " are not understood");
        }
    }

    /** Reads an OP_MSG. */
    private static Message message(byte[] frame, boolean wasCompressed) {
        if (frame.length < HEADER + 4 + 1 + 5) {
            throw PROTOCOL_ERROR.because("the message is too short to hold a command");
        }
        int flags = Bytes.getInt(frame, HEADER);
        if ((flags & 0xFFFF & ~KNOWN_REQUIRED_FLAGS) != 0) {
            throw ILLEGAL_OP_MSG_FLAG.because(
                    "Message contains illegal flags value: Ob%s", Integer.toBinaryString(flags));
        }
        int end = frame.length;
        if ((flags & Message.CHECKSUM_PRESENT) != 0) {
            end -= 4;
            // A compressed message's checksum was taken over bytes that never travelled; there is nothing to compare.
            if (!wasCompressed && checksum(frame, end) != Bytes.getInt(frame, end)) {
                throw PROTOCOL_ERROR.because("OP_MSG checksum does not match contents");
            }
        }
        RawDocument body = null;
        Map<String, List<RawDocument>> sequences = new HashMap<>();
        int at = HEADER + 4;
        while (at < end) {
            byte kind = frame[at++];
            if (kind == 0) {
                if (body != null) {
                    throw PROTOCOL_ERROR.because("Multiple body sections in message");
                }
                body = RawDocument.at(frame, at);
                at += BsonCheck.document(frame, at, end);
            } else if (kind == 1) {
                at = sequence(frame, at, end, sequences);
            } else {
                throw PROTOCOL_ERROR.because("Unknown section kind %d", kind);
            }
        }
        if (body == null) {
            throw PROTOCOL_ERROR.because("OP_MSG messages must have a body");
        }
        return new Message(Bytes.getInt(frame, 4), Bytes.getInt(frame, 8), flags, body, sequences);
    }

    private static int sequence(byte[] frame, int at, int end, Map<String, List<RawDocument>> into) {
        int size = end - at < 4 ? 0 : Bytes.getInt(frame, at);
        if (size < 5 || size > end - at) {
            throw PROTOCOL_ERROR.because("a document sequence has length %d", size);
        }
        int sequenceEnd = at + size;
        int nameAt = at + 4;
        int next = cstringEnd(frame, nameAt, sequenceEnd);
        String name = new String(frame, nameAt, next - 1 - nameAt, StandardCharsets.UTF_8);
        List<RawDocument> documents = new ArrayList<>();
        while (next < sequenceEnd) {
            if (documents.size() >= MAX_DOCUMENTS) {
                throw INVALID_LENGTH.because("the sequence '%s' holds more than %d documents", name, MAX_DOCUMENTS);
            }
            documents.add(RawDocument.at(frame, next));
            next += BsonCheck.document(frame, next, sequenceEnd);
        }
        if (into.put(name, documents) != null) {
            throw PROTOCOL_ERROR.because("Duplicate document sequence: %s", name);
        }
        return sequenceEnd;
    }

    private static int cstringEnd(byte[] frame, int at, int end) {
        for (int i = at; i < end; i++) {
            if (frame[i] == 0) {
                return i + 1;
            }
        }
        throw PROTOCOL_ERROR.because("a name has no closing zero");
    }

    /** Reads an OP_QUERY against a database's {@code $cmd}. */
    private static Incoming legacy(byte[] frame) {
        int requestId = Bytes.getInt(frame, 4);
        if (frame.length < HEADER + 4 + 1 + 8 + 5) {
            throw PROTOCOL_ERROR.because("the message is too short to hold a query");
        }
        int at = cstringEnd(frame, HEADER + 4, frame.length);
        String namespace = new String(frame, HEADER + 4, at - 1 - HEADER - 4, StandardCharsets.UTF_8);
        at += 8; // documents to skip and to return: without meaning for commands
        BsonCheck.document(frame, at, frame.length);
        RawDocument query = RawDocument.at(frame, at);
        RawCursor wrapped = query.find("$query");
        if (wrapped == null) {
            wrapped = query.find("query");
        }
        RawDocument body = wrapped != null && wrapped.isDocument() ? wrapped.document() : query;
        int dot = namespace.indexOf('.');
        if (dot <= 0 || !namespace.endsWith(".$cmd") || body.find("$db") != null) {
            return new Incoming.LegacyCommand(requestId, Message.of(requestId, RawDocument.EMPTY));
        }
        RawDocument withDatabase = new RawBuilder(body.size() + 32)
                .elements(body)
                .put("$db", namespace.substring(0, dot))
                .build();
        return new Incoming.LegacyCommand(requestId, Message.of(requestId, withDatabase));
    }

    static int checksum(byte[] frame, int length) {
        CRC32C crc = new CRC32C();
        crc.update(frame, 0, length);
        return (int) crc.getValue();
    }
}
