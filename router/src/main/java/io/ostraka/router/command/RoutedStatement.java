package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.RoutedTransactions;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.CommandAround;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A command that may be a statement of a transaction on a cluster. Replies tell which shard has it, so that the commit may
 * come through another router.
 *
 * @param <R> the request
 */
public final class RoutedStatement<R> implements CommandAround<R> {
    private static final Set<String> ALLOWED = Set.of(
            "aggregate",
            "bulkWrite",
            "delete",
            "distinct",
            "find",
            "findAndModify",
            "getMore",
            "insert",
            "killCursors",
            "update");

    private final RoutedTransactions transactions;
    private final Command<R> inner;

    private RoutedStatement(RoutedTransactions transactions, Command<R> inner) {
        this.transactions = transactions;
        this.inner = inner;
    }

    /** The same commands; those that are allowed in transactions run in them. */
    public static List<Command<?>> wrap(RoutedTransactions transactions, List<Command<?>> commands) {
        return commands.stream()
                .<Command<?>>map(command -> wrap(transactions, command))
                .toList();
    }

    private static <R> Command<R> wrap(RoutedTransactions transactions, Command<R> command) {
        return ALLOWED.contains(command.name()) ? new RoutedStatement<>(transactions, command) : command;
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
        if (ConfigPassage.concerns(operation.database()) && !name().equals("bulkWrite")) {
            throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION.because(
                    "Cannot perform operations on the collections of '%s' in a transaction", operation.database());
        }
        transactions.arrive(operation);
        RawDocument reply = inner.run(request, operation);
        Optional<ShardId> shard = transactions.shard(operation);
        return shard.isEmpty()
                ? reply
                : new RawBuilder(reply.size() + 64)
                        .elements(reply)
                        .openDocument("recoveryToken")
                        .put("recoveryShardId", shard.get().name())
                        .close()
                        .build();
    }
}
