package io.ostraka.wire.cursor;

import io.ostraka.wire.command.Operation;

/**
 * What a client's cursor stands on. Used by one thread at a time, though not always the same; the registry sees to
 * it.
 */
public interface OpenCursor extends AutoCloseable {
    /**
     * Puts the next documents into the batch until it {@linkplain BatchReply#add refuses one} (which the cursor then
     * keeps for the next batch), {@linkplain BatchReply#isFull is full}, or there is nothing more for now.
     *
     * @return whether the cursor has ended: nothing will ever follow
     * @throws io.ostraka.core.error.CommandException if it cannot go on; the registry then closes it
     */
    boolean fill(BatchReply batch, Operation operation);

    /** Lets go of everything it holds. Called once. */
    @Override
    void close();
}
