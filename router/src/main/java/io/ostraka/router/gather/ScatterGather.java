package io.ostraka.router.gather;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.router.remote.ReplicaSet;
import io.ostraka.router.remote.Shards;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Sends one request to each shard, all at once, and waits for all answers. */
public final class ScatterGather {
    private final Shards shards;
    private final Threads threads;
    private final RoutedTransactions transactions = new RoutedTransactions();

    public ScatterGather(Shards shards, Threads threads) {
        this.shards = shards;
        this.threads = threads;
    }

    /** Which transaction runs on which shard. */
    public RoutedTransactions transactions() {
        return transactions;
    }

    /** The answers in the order of the requests; errors are answers too. */
    public List<ShardAnswer> ask(String database, List<ShardRequest> asked, Operation operation) {
        List<ShardRequest> requests = operation.isInTransaction() ? transactions.bind(asked, operation) : asked;
        return threads.all(requests.stream()
                .<Callable<ShardAnswer>>map(request -> () -> one(database, request, operation))
                .toList());
    }

    /** The replies in the order of the requests; the first error is thrown, a stale one before others. */
    public List<RawDocument> replies(String database, List<ShardRequest> requests, Operation operation) {
        List<ShardAnswer> answers = ask(database, requests, operation);
        throwStale(answers);
        return answers.stream().map(ShardAnswer::replyOrThrow).toList();
    }

    /** Throws a shard's word that it knows a newer placement: then the other answers mean nothing. */
    public static void throwStale(List<ShardAnswer> answers) {
        for (ShardAnswer answer : answers) {
            if (answer instanceof ShardAnswer.Failed failed && StaleRetry.isStale(failed.error())) {
                throw failed.error();
            }
        }
    }

    private ShardAnswer one(String database, ShardRequest request, Operation operation) {
        try {
            ReplicaSet set = shards.get(request.shard(), operation);
            if (request.read()) {
                ReplicaSet.Answer answer = set.read(database, request.command(), request.sequences(), operation);
                return new ShardAnswer.Done(request.shard(), answer.host().map(set::only), answer.reply());
            }
            RawDocument reply =
                    set.run(database, request.command(), request.sequences(), request.repeatable(), operation);
            return new ShardAnswer.Done(request.shard(), Optional.empty(), reply);
        } catch (CommandException failed) {
            if (failed.code() == ErrorCode.HOST_UNREACHABLE) {
                shards.forget(request.shard());
            }
            if (operation.isInTransaction() && StaleRetry.isStale(failed)) {
                transactions.stale(operation);
            }
            return new ShardAnswer.Failed(request.shard(), failed);
        }
    }
}
