package io.ostraka.wire.command;

import io.ostraka.core.bson.RawDocument;
import java.util.List;

/**
 * One command, as its specification: {@link #parse} is the grammar, {@link #run} the rule and nothing else.
 * Authorisation, deadlines, metrics, error replies, {@code ok: 1} and the cluster's time belong to the dispatcher.
 *
 * @param <R> the request as a record that checks itself
 */
public interface Command<R> {
    /** The name as MongoDB writes it. */
    String name();

    /** Other spellings that mean the same, as {@code ismaster} for {@code isMaster}. */
    default List<String> aliases() {
        return List.of();
    }

    /** What the command needs before it may run. */
    Needs needs();

    /** Whether it may be a statement of a multi-document transaction. */
    default boolean inTransactions() {
        return false;
    }

    /**
     * Reads the request. Fields that were not asked for are refused afterwards (40415), unless
     * {@link Fields#ignoreUnknown} was called.
     *
     * @throws io.ostraka.core.error.CommandException for a missing field, a wrong type or a value out of range
     */
    R parse(Fields fields);

    /**
     * Does it, on the caller's virtual thread, and may block.
     *
     * @return the reply's body without {@code ok}
     * @throws io.ostraka.core.error.CommandException if it cannot be done
     */
    RawDocument run(R request, Operation operation);
}
