package io.ostraka.wire.command;

import java.util.List;

/**
 * A command that does something before or after another, and is in all else the same: under its name, with its needs and its
 * grammar.
 *
 * @param <R> the request
 */
public interface CommandAround<R> extends Command<R> {
    /** The other. */
    Command<R> inner();

    @Override
    default String name() {
        return inner().name();
    }

    @Override
    default List<String> aliases() {
        return inner().aliases();
    }

    @Override
    default Needs needs() {
        return inner().needs();
    }

    @Override
    default boolean inTransactions() {
        return inner().inTransactions();
    }

    @Override
    default R parse(Fields fields) {
        return inner().parse(fields);
    }
}
