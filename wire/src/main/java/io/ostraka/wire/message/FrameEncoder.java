package io.ostraka.wire.message;

import io.ostraka.core.bson.Bytes;
import io.ostraka.core.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes frames. */
public final class FrameEncoder {
    private static final int HEADER = FrameDecoder.HEADER;
    /** An OP_REPLY with one document: flags, cursor id, starting from, number returned. */
    private static final int REPLY_HEADER = 20;
    /** AwaitCapable, as every server since 2009 sets. */
    private static final int REPLY_FLAGS = 8;

    private FrameEncoder() {}

    /** An OP_MSG. With {@link Message#CHECKSUM_PRESENT} its checksum is added. */
    public static byte[] encode(Message message) {
        RawDocument body = message.body();
        boolean checksum = message.has(Message.CHECKSUM_PRESENT);
        long size = HEADER + 4 + 1 + (long) body.size() + (checksum ? 4 : 0);
        for (Map.Entry<String, List<RawDocument>> sequence : message.sequences().entrySet()) {
            size += 1 + sequenceSize(sequence);
        }
        byte[] frame = new byte[Math.toIntExact(size)];
        header(frame, message.requestId(), message.responseTo(), OpCode.MSG);
        Bytes.putInt(frame, HEADER, message.flags());
        int at = HEADER + 4;
        frame[at++] = 0;
        at = copy(body, frame, at);
        for (Map.Entry<String, List<RawDocument>> sequence : message.sequences().entrySet()) {
            frame[at++] = 1;
            Bytes.putInt(frame, at, Math.toIntExact(sequenceSize(sequence)));
            at += 4;
            byte[] name = sequence.getKey().getBytes(StandardCharsets.UTF_8);
            System.arraycopy(name, 0, frame, at, name.length);
            at += name.length + 1;
            for (RawDocument document : sequence.getValue()) {
                at = copy(document, frame, at);
            }
        }
        if (checksum) {
            Bytes.putInt(frame, at, FrameDecoder.checksum(frame, at));
        }
        return frame;
    }

    /** An OP_MSG that answers, without a checksum. */
    public static byte[] encode(int requestId, int responseTo, int flags, Reply reply) {
        RawDocument said = reply.said();
        RawDocument added = reply.added();
        byte[] frame = new byte[Math.addExact(HEADER + 4 + 1, reply.size())];
        header(frame, requestId, responseTo, OpCode.MSG);
        Bytes.putInt(frame, HEADER, flags);
        int at = HEADER + 4 + 1;
        int end = copy(said, frame, at) - 1; // its closing zero is where the others begin
        System.arraycopy(added.array(), added.offset() + 4, frame, end, added.size() - 4);
        Bytes.putInt(frame, at, reply.size());
        return frame;
    }

    private static long sequenceSize(Map.Entry<String, List<RawDocument>> sequence) {
        long size = 5L + sequence.getKey().getBytes(StandardCharsets.UTF_8).length;
        for (RawDocument document : sequence.getValue()) {
            size += document.size();
        }
        return size;
    }

    /** The same message as an OP_COMPRESSED. */
    public static byte[] compress(byte[] frame, Compressor compressor) {
        byte[] packed = compressor.compress(frame, HEADER, frame.length - HEADER);
        byte[] all = new byte[HEADER + 9 + packed.length];
        header(all, Bytes.getInt(frame, 4), Bytes.getInt(frame, 8), OpCode.COMPRESSED);
        Bytes.putInt(all, HEADER, Bytes.getInt(frame, 12));
        Bytes.putInt(all, HEADER + 4, frame.length - HEADER);
        all[HEADER + 8] = (byte) compressor.id();
        System.arraycopy(packed, 0, all, HEADER + 9, packed.length);
        return all;
    }

    /** An OP_REPLY, the answer to an OP_QUERY. */
    public static byte[] legacyReply(int requestId, int responseTo, RawDocument body) {
        byte[] frame = new byte[HEADER + REPLY_HEADER + body.size()];
        header(frame, requestId, responseTo, OpCode.REPLY);
        Bytes.putInt(frame, HEADER, REPLY_FLAGS);
        Bytes.putInt(frame, HEADER + 16, 1);
        copy(body, frame, HEADER + REPLY_HEADER);
        return frame;
    }

    private static void header(byte[] frame, int requestId, int responseTo, int opCode) {
        Bytes.putInt(frame, 0, frame.length);
        Bytes.putInt(frame, 4, requestId);
        Bytes.putInt(frame, 8, responseTo);
        Bytes.putInt(frame, 12, opCode);
    }

    private static int copy(RawDocument document, byte[] frame, int at) {
        int size = document.size();
        System.arraycopy(document.array(), document.offset(), frame, at, size);
        return at + size;
    }
}
