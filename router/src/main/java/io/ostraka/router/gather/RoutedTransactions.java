package io.ostraka.router.gather;

import static io.ostraka.core.error.ErrorCode.NO_SUCH_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION;
import static io.ostraka.core.error.ErrorCode.TRANSACTION_TOO_OLD;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.ShardId;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.RetryLabels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which shard each client's transaction runs on: the one its first statement went to. A second one is refused until there
 * is a commit in two phases. Remembers one transaction a session; bounded, the sessions used longest ago are forgotten
 * first. Safe for many threads.
 */
public final class RoutedTransactions {
    private static final int KNOWN_MAX = 100_000;

    private static final class Routed {
        private final long number;
        private final Optional<RawDocument> readConcern;
        private ShardId shard;
        private boolean begun;

        Routed(long number, Optional<RawDocument> readConcern) {
            this.number = number;
            this.readConcern = readConcern;
        }
    }

    private final Map<RawDocument, Routed> bySession = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<RawDocument, Routed> eldest) {
            return size() > KNOWN_MAX;
        }
    };

    private static RawDocument lsid(Operation operation) {
        return operation.options().lsid().orElseThrow();
    }

    private static long number(Operation operation) {
        return operation.options().txnNumber().orElseThrow();
    }

    /**
     * A statement has arrived.
     *
     * @throws CommandException 225 or 251 where the session is not in that transaction here
     */
    public synchronized void arrive(Operation operation) {
        Routed known = bySession.get(lsid(operation));
        long number = number(operation);
        if (known != null && known.number > number) {
            throw TRANSACTION_TOO_OLD.because(
                    "Cannot go on with transaction %d: a newer one with txnNumber %d has already started",
                    number, known.number);
        }
        if (operation.options().transaction() == Operation.InTransaction.STARTS) {
            bySession.put(
                    lsid(operation), new Routed(number, operation.options().readConcern()));
        } else if (known == null || known.number != number) {
            throw NO_SUCH_TRANSACTION.because(
                    "Transaction with { txnNumber: %d } is not known to this router; begin it anew", number);
        }
    }

    /** Whether statements of the operation's transaction came through this router. */
    public synchronized boolean isKnown(Operation operation) {
        Routed known = bySession.get(lsid(operation));
        return known != null && known.number == number(operation);
    }

    /** The shard an operation's transaction has gone to, if any statement of it has. */
    public synchronized Optional<ShardId> shard(Operation operation) {
        Routed known = bySession.get(lsid(operation));
        return known == null || known.number != number(operation) ? Optional.empty() : Optional.ofNullable(known.shard);
    }

    /**
     * The requests as statements of the transaction.
     *
     * @throws CommandException 263, labelled, where they go to more than its shard
     */
    synchronized List<ShardRequest> bind(List<ShardRequest> requests, Operation operation) {
        Routed routed = bySession.get(lsid(operation));
        List<ShardRequest> bound = new ArrayList<>();
        for (ShardRequest request : requests) {
            if (routed.shard == null) {
                routed.shard = request.shard();
            }
            if (!routed.shard.equals(request.shard())) {
                if (!routed.begun) {
                    routed.shard = null;
                }
                throw OPERATION_NOT_SUPPORTED_IN_TRANSACTION
                        .because(
                                "This version runs transactions on one shard only: this one is on '%s', and the statement"
                                        + " needs '%s' too. Give what belongs together one shard, or write it without a"
                                        + " transaction",
                                routed.shard == null
                                        ? requests.getFirst().shard().name()
                                        : routed.shard.name(),
                                request.shard().name())
                        .labelled(RetryLabels.TRANSIENT);
            }
        }
        for (ShardRequest request : requests) {
            RawBuilder command = new RawBuilder(request.command().size() + 160);
            RawCursor field = request.command().cursor();
            while (field.next()) {
                if (!field.nameEquals("readConcern")) {
                    command.element(field);
                }
            }
            addFields(command, operation);
            if (!routed.begun) {
                routed.begun = true;
                command.put("startTransaction", true);
                routed.readConcern.ifPresent(concern -> command.put("readConcern", concern));
            }
            bound.add(new ShardRequest(request.shard(), command.build(), request.sequences(), false));
        }
        return bound;
    }

    /** What makes a command a later statement of the operation's transaction. */
    public static void addFields(RawBuilder command, Operation operation) {
        command.put("lsid", lsid(operation)).put("txnNumber", number(operation)).put("autocommit", false);
    }

    /** A shard was stale, which has ended the transaction there. If this is its first statement, it may begin anew. */
    synchronized void stale(Operation operation) {
        Routed routed = bySession.get(lsid(operation));
        if (routed != null && operation.options().transaction() == Operation.InTransaction.STARTS) {
            routed.shard = null;
            routed.begun = false;
        }
    }

    /** The session is over. */
    public synchronized void forget(RawDocument lsid) {
        bySession.remove(lsid);
    }
}
