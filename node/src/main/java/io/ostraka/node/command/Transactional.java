package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandAround;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Set;

/**
 * A command that may be a statement of a transaction: it then runs in it, under its session's lock, and an error aborts it.
 *
 * @param <R> the request
 */
public final class Transactional<R> implements CommandAround<R> {
    /** What MongoDB allows in transactions, as far as it is here. */
    private static final Set<String> ALLOWED = Set.of(
            "aggregate",
            "bulkWrite",
            "create",
            "createIndexes",
            "delete",
            "distinct",
            "find",
            "findAndModify",
            "getMore",
            "insert",
            "killCursors",
            "update");

    private final Member member;
    private final Command<R> inner;
    private final Reading reading;

    private Transactional(Member member, Command<R> inner) {
        this.member = member;
        this.inner = inner;
        reading = new Reading(member);
    }

    /** The same commands; those that are allowed in transactions run in them. */
    public static List<Command<?>> wrap(Member member, List<Command<?>> commands) {
        return commands.stream()
                .<Command<?>>map(command -> wrap(member, command))
                .toList();
    }

    private static <R> Command<R> wrap(Member member, Command<R> command) {
        return ALLOWED.contains(command.name()) ? new Transactional<>(member, command) : command;
    }

    @Override
    public Command<R> inner() {
        return inner;
    }

    @Override
    public boolean inTransactions() {
        return true;
    }

    @Override
    public RawDocument run(R request, Operation operation) {
        if (!operation.isInTransaction()) {
            return inner.run(request, operation);
        }
        if (operation.options().transaction() == Operation.InTransaction.STARTS) {
            reading.awaitConcern(operation);
        }
        return member.transactions().statement(member.parts(), operation, () -> inner.run(request, operation));
    }
}
