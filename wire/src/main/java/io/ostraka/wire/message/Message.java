package io.ostraka.wire.message;

import io.ostraka.core.bson.RawDocument;
import java.util.List;
import java.util.Map;

/**
 * One OP_MSG, already checked: the body, and the document sequences that came beside it by field name. The documents
 * are views into the frame's bytes.
 *
 * @param requestId the sender's number of this message
 * @param responseTo the request this answers, or 0
 * @param flags the flag bits of OP_MSG, see {@link #MORE_TO_COME}
 * @param body the kind-0 section
 * @param sequences the kind-1 sections
 */
public record Message(
        int requestId, int responseTo, int flags, RawDocument body, Map<String, List<RawDocument>> sequences) {
    /** A CRC-32C follows the sections. */
    public static final int CHECKSUM_PRESENT = 1;
    /** The sender expects no answer, or will send another message without being asked. */
    public static final int MORE_TO_COME = 1 << 1;
    /** The client takes several answers to this request. */
    public static final int EXHAUST_ALLOWED = 1 << 16;

    public Message {
        sequences = Map.copyOf(sequences);
    }

    /** A message of a body alone. */
    public static Message of(int requestId, RawDocument body) {
        return new Message(requestId, 0, 0, body, Map.of());
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
