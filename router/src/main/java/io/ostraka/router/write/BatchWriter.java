package io.ostraka.router.write;

import static io.ostraka.core.error.ErrorCode.WRITE_CONFLICT;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.ShardAnswer;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.gather.StaleRetry;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.RetryLabels;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Sends one write command's statements to their shards until each is done or has failed. One thread, once. */
public final class BatchWriter {
    /** How often a document is picked for one statement when others take it away each time. */
    private static final int PICKS = 100;

    private final ClusterServices services;
    private final Namespace namespace;
    private final Statements statements;
    private final boolean ordered;
    private final Operation operation;
    private final BatchResult result;
    private final TreeSet<Integer> pending = new TreeSet<>();
    private Routing routing;
    private CommandException stale;
    private int staleInARow;
    private int picks;
    private int refreshes;

    /** @param counts whether the answer tells {@code nModified} */
    public BatchWriter(
            ClusterServices services,
            Namespace namespace,
            Statements statements,
            boolean ordered,
            boolean counts,
            Operation operation) {
        this.services = services;
        this.namespace = namespace;
        this.statements = statements;
        this.ordered = ordered;
        this.operation = operation;
        this.result = new BatchResult(counts);
        for (int i = 0; i < statements.size(); i++) {
            pending.add(i);
        }
    }

    public RawDocument run() {
        routing = located(services.cache().get(namespace, operation));
        while (!pending.isEmpty()) {
            operation.checkAlive();
            stale = null;
            int before = pending.size();
            if (ordered) {
                next();
            } else {
                all();
            }
            if (stale != null) {
                refresh(pending.size() < before);
            }
        }
        return result.toReply();
    }

    private void refresh(boolean progress) {
        staleInARow = progress ? 1 : staleInARow + 1;
        if (staleInARow > StaleRetry.ATTEMPTS) {
            if (result.isUntouched()) {
                throw stale;
            }
            pending.forEach(index -> result.error(index, stale));
            pending.clear();
            return;
        }
        routing = located(services.retry().newer(routing, staleInARow, operation));
        refreshes++;
    }

    /** A database may be dropped at any time; what makes documents makes it again. */
    private Routing located(Routing found) {
        return statements.create() ? services.cache().orCreated(found, operation) : found;
    }

    /** Sends the next run of statements that go to the same shard. */
    private void next() {
        int first = pending.first();
        switch (route(first)) {
            case Route.One one -> {
                ShardBatch run = new ShardBatch(one.shard());
                boolean goesOn = run.add(first, one.statement());
                for (Integer index = pending.higher(first); index != null && goesOn; index = pending.higher(index)) {
                    goesOn = route(index) instanceof Route.One more
                            && more.shard().equals(one.shard())
                            && run.add(index, more.statement());
                }
                send(List.of(run));
            }
            case Route.Picked picked -> sendPicked(first, picked);
            case Route.Many many -> sendToMany(first, many);
            case Route.Nothing nothing -> pending.remove(first);
            case Route.Again again -> stale = again.stale();
            case Route.Refused refused -> fail(first, refused.error());
        }
    }

    /** Sends all statements, those of one shard each at once. */
    private void all() {
        Map<ShardId, ShardBatch> batches = new LinkedHashMap<>();
        int begun = refreshes;
        for (int index : List.copyOf(pending)) {
            switch (route(index)) {
                case Route.One one ->
                    // What does not fit goes in the next round.
                    batches.computeIfAbsent(one.shard(), ShardBatch::new).add(index, one.statement());
                case Route.Picked picked -> sendPicked(index, picked);
                case Route.Many many -> sendToMany(index, many);
                case Route.Nothing nothing -> pending.remove(index);
                case Route.Again again -> stale = again.stale();
                case Route.Refused refused -> fail(index, refused.error());
            }
            if (refreshes != begun) {
                return; // the batches were made by an older routing than they would be sent with
            }
        }
        if (!batches.isEmpty()) {
            send(List.copyOf(batches.values()));
        }
    }

    private Route route(int index) {
        try {
            return statements.route(index, routing);
        } catch (CommandException wrong) {
            return StaleRetry.isStale(wrong) ? new Route.Again(wrong) : new Route.Refused(wrong);
        }
    }

    private void send(List<ShardBatch> batches) {
        List<ShardRequest> requests = batches.stream()
                .map(batch -> batch.request(statements.field(), routing, operation))
                .toList();
        operation.proposes();
        List<ShardAnswer> answers = services.gather().ask(namespace.database(), requests, operation);
        for (int i = 0; i < batches.size(); i++) {
            if (answers.get(i) instanceof ShardAnswer.Done done) {
                took(batches.get(i), done.reply().toBson());
            }
        }
        // After what was done: an error that ends the command must know whether anything was.
        for (int i = 0; i < batches.size(); i++) {
            if (answers.get(i) instanceof ShardAnswer.Failed failed) {
                failed(batches.get(i).indexes(), failed.error(), batches.size());
            }
        }
    }

    /** What a shard has done with a batch. */
    private void took(ShardBatch batch, BsonDocument reply) {
        List<Integer> indexes = batch.indexes();
        result.add(reply);
        for (BsonValue upsert : array(reply, "upserted")) {
            int at = upsert.asDocument().getNumber("index").intValue();
            result.upserted(indexes.get(at), upsert.asDocument().get("_id"));
        }
        Set<Integer> left = new HashSet<>();
        boolean stopped = false;
        for (BsonValue value : array(reply, "writeErrors")) {
            BsonDocument error = value.asDocument();
            int at = error.getNumber("index").intValue();
            CommandException asException = CommandException.fromReply(error);
            if (StaleRetry.isStale(asException)) {
                stale = asException;
                left.add(indexes.get(at));
            } else {
                result.error(indexes.get(at), error);
                stopped = ordered;
            }
            if (ordered) {
                left.addAll(indexes.subList(Math.min(at + (stopped ? 1 : 0), indexes.size()), indexes.size()));
            }
        }
        indexes.stream().filter(index -> !left.contains(index)).forEach(pending::remove);
        if (stopped) {
            pending.clear();
        }
    }

    private static BsonArray array(BsonDocument reply, String name) {
        return reply.getArray(name, new BsonArray());
    }

    /** A shard answered with an error alone: it did nothing, or nobody knows. */
    private void failed(List<Integer> indexes, CommandException error, int batches) {
        if (StaleRetry.isStale(error)) {
            stale = error;
            return;
        }
        if (operation.isInTransaction() || batches == 1 && result.isUntouched()) {
            throw error;
        }
        if (operation.options().txnNumber().isPresent() && RetryLabels.isRetryable(error.code())) {
            // Drivers look for this on the whole command only, and then send it again with the same numbers. Built
            // anew:
            // the shard may say that nothing was written, but only it can know that of itself.
            throw error.code().because("%s", error.getMessage());
        }
        for (int index : indexes) {
            fail(index, error);
            if (ordered) {
                return;
            }
        }
    }

    private void fail(int index, CommandException error) {
        result.error(index, error);
        pending.remove(index);
        if (ordered) {
            pending.clear();
        }
    }

    private void sendPicked(int index, Route.Picked picked) {
        ShardBatch alone = new ShardBatch(picked.shard());
        if (!alone.add(index, picked.statement())) {
            throw new IllegalStateException("a batch takes its first statement");
        }
        operation.proposes();
        ShardAnswer answer = services.gather()
                .ask(namespace.database(), List.of(alone.request(statements.field(), routing, operation)), operation)
                .getFirst();
        switch (answer) {
            case ShardAnswer.Done done -> {
                BsonDocument reply = done.reply().toBson();
                boolean gone = reply.getNumber("n").longValue() == 0
                        && array(reply, "writeErrors").isEmpty();
                if (!gone) {
                    took(alone, reply);
                } else if (++picks > PICKS) {
                    fail(index, WRITE_CONFLICT.because("the documents that match are changed by others all the time"));
                }
            }
            case ShardAnswer.Failed failed -> failed(List.of(index), failed.error(), 1);
        }
    }

    /**
     * Sends one statement to several shards. What a stale shard owned by the table of the time is looked up again and
     * sent, alone and held to these ranges, to whoever owns it now: so each document that stays with its key is reached
     * once, however ranges move meanwhile.
     */
    private void sendToMany(int index, Route.Many many) {
        ManyShards todo = ManyShards.of(routing, many);
        boolean begun = false;
        for (int tried = 1; ; tried++) {
            List<ShardBatch> batches = todo.batches(index);
            Set<ShardId> done = new HashSet<>();
            CommandException staleHere = ask(index, batches, done);
            if (staleHere == null || result.hasError(index)) {
                break;
            }
            if (tried > StaleRetry.ATTEMPTS) {
                fail(index, staleHere);
                return;
            }
            routing = services.retry().newer(routing, tried, operation);
            refreshes++;
            begun |= !done.isEmpty();
            Optional<ManyShards> left = todo.left(done, routing);
            if (left.isEmpty()) {
                if (begun && todo.isSameCollection(routing)) {
                    fail(index, staleHere); // its documents have another name by now; which were reached is not known
                } else {
                    stale = staleHere; // another collection of this name: begins anew
                }
                return;
            }
            todo = left.get();
        }
        pending.remove(index);
        if (ordered && result.hasError(index)) {
            pending.clear();
        }
    }

    /** @return the word of a shard that did nothing because it is stale, or null */
    private CommandException ask(int index, List<ShardBatch> batches, Set<ShardId> done) {
        List<ShardRequest> requests = batches.stream()
                .map(batch -> batch.request(statements.field(), routing, operation))
                .toList();
        CommandException staleHere = null;
        operation.proposes();
        for (ShardAnswer answer : services.gather().ask(namespace.database(), requests, operation)) {
            switch (answer) {
                case ShardAnswer.Done reply -> {
                    BsonDocument said = reply.reply().toBson();
                    CommandException error = firstError(said);
                    if (error != null && StaleRetry.isStale(error)) {
                        staleHere = error;
                        continue;
                    }
                    result.add(said);
                    if (error != null) {
                        result.error(index, error);
                    }
                    for (BsonValue upsert : array(said, "upserted")) {
                        result.upserted(index, upsert.asDocument().get("_id"));
                    }
                    done.add(reply.shard());
                }
                case ShardAnswer.Failed failed -> {
                    if (StaleRetry.isStale(failed.error())) {
                        staleHere = failed.error();
                    } else {
                        result.error(index, failed.error());
                    }
                }
            }
        }
        return staleHere;
    }

    private static CommandException firstError(BsonDocument reply) {
        BsonArray errors = array(reply, "writeErrors");
        return errors.isEmpty()
                ? null
                : CommandException.fromReply(errors.getFirst().asDocument());
    }
}
