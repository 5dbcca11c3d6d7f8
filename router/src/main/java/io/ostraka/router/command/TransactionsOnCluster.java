package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.NO_SUCH_TRANSACTION;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.RoutedTransactions;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code commitTransaction} and {@code abortTransaction} on a cluster: on the shard the transaction has gone to. Another
 * router than that of its statements learns it from the {@code recoveryToken}. One that touched no shard has nothing to end.
 */
public final class TransactionsOnCluster {
    private final ClusterServices services;

    public TransactionsOnCluster(ClusterServices services) {
        this.services = services;
    }

    public List<Command<?>> all() {
        return List.of(new End("commitTransaction"), new End("abortTransaction"));
    }

    private final class End implements Command<Optional<RawDocument>> {
        private final String name;

        End(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Needs needs() {
            return new Needs("none", Needs.Scope.NONE, true, false, Needs.Kind.CONTROL);
        }

        @Override
        public boolean inTransactions() {
            return true;
        }

        @Override
        public Optional<RawDocument> parse(Fields fields) {
            return fields.document("recoveryToken");
        }

        @Override
        public RawDocument run(Optional<RawDocument> token, Operation operation) {
            if (operation.options().transaction() != Operation.InTransaction.CONTINUES) {
                throw INVALID_OPTIONS.because(
                        "'%s' must be run within a transaction: with lsid, txnNumber and autocommit: false", name);
            }
            RoutedTransactions transactions = services.gather().transactions();
            Optional<ShardId> shard = transactions.shard(operation).or(() -> named(token));
            if (shard.isEmpty()) {
                if (transactions.isKnown(operation)) {
                    return RawDocument.EMPTY;
                }
                throw NO_SUCH_TRANSACTION.because(
                        "Transaction with { txnNumber: %d } is not known to this router; begin it anew",
                        operation.options().txnNumber().orElseThrow());
            }
            RawBuilder command = Forward.without(operation.request(), Set.of("recoveryToken"));
            RoutedTransactions.addFields(command, operation);
            operation.proposes();
            return Forward.reply(services.shards()
                    .get(shard.get(), operation)
                    .run("admin", command.build(), Map.of(), true, operation));
        }

        private static Optional<ShardId> named(Optional<RawDocument> token) {
            RawCursor shard = token.map(given -> given.find("recoveryShardId")).orElse(null);
            return shard == null ? Optional.empty() : Optional.of(new ShardId(shard.string()));
        }
    }
}
