package io.ostraka.wire.message;

import io.ostraka.core.error.CommandException;
import java.util.Optional;

/** What a frame turned out to be. */
public sealed interface Incoming {
    /** The sender's number of the message. */
    int requestId();

    /**
     * A message of today's kind.
     *
     * @param compressor what the sender compressed with, and wants the answer compressed with
     */
    record Msg(Message message, Optional<Compressor> compressor) implements Incoming {
        @Override
        public int requestId() {
            return message.requestId();
        }
    }

    /** A legacy query against {@code <database>.$cmd}: the way old and cautious clients say hello. */
    record LegacyCommand(int requestId, Message message) implements Incoming {}

    /**
     * A frame of right length whose content is wrong. The connection can go on, after an error reply.
     *
     * @param legacy whether the reply must be an OP_REPLY
     * @param fatal whether the connection must be closed after it
     */
    record Wrong(int requestId, CommandException error, boolean legacy, boolean fatal) implements Incoming {}
}
