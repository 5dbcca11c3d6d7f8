package io.ostraka.wire.request;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.command.RetryLabels;
import io.ostraka.wire.request.BulkWriteRequest.Kind;
import io.ostraka.wire.request.BulkWriteRequest.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Runs the ops of a {@code bulkWrite} by the commands they are, and adds up what those answer. One thread, used once. */
public final class BulkWriteResults {
    /** Does one command: an insert, an update or a delete. */
    @FunctionalInterface
    public interface Runner {
        RawDocument run(Kind kind, Fields fields, Operation part);
    }

    private final BulkWriteRequest request;
    private final Operation operation;
    private final List<RawDocument> rows = new ArrayList<>();
    private final Map<String, Long> totals = new HashMap<>();
    private final TreeSet<Integer> retried = new TreeSet<>();
    private Optional<BsonValue> concernError = Optional.empty();
    private boolean stopped;

    private BulkWriteResults(BulkWriteRequest request, Operation operation) {
        this.request = request;
        this.operation = operation;
    }

    public static BulkWriteResults of(BulkWriteRequest request, Runner runner, Operation operation) {
        BulkWriteResults results = new BulkWriteResults(request, operation);
        for (Run run : request.runs()) {
            operation.checkAlive();
            if (results.stopped) {
                break;
            }
            results.run(run, runner);
        }
        return results;
    }

    private void run(Run run, Runner runner) {
        RawDocument words = request.words(run);
        Fields fields = new Fields(
                run.kind().command(),
                run.namespace().database(),
                words,
                Map.of(run.kind().field(), run.statements()));
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < run.statements().size(); i++) {
            numbers.add(operation.options().statement(run.first() + i));
        }
        Operation part = operation.part(
                run.kind().command(),
                words,
                operation.options().ofStatements(run.namespace().database(), numbers));
        try {
            took(run, runner.run(run.kind(), fields, part).toBson());
        } catch (CommandException failed) {
            boolean ofAll = operation.isInTransaction()
                    ? RetryLabels.isTransient(failed.code())
                    : operation.options().txnNumber().isPresent() && RetryLabels.isRetryable(failed.code());
            if (ofAll || failed.code().kind() != io.ostraka.core.error.ErrorCode.Kind.USER && rows.isEmpty()) {
                throw failed;
            }
            for (int i = 0; i < run.statements().size() && !stopped; i++) {
                BsonDocument error = failed.toReply();
                error.remove("ok");
                failed(run.first() + i, run.kind(), error);
            }
        }
    }

    private void took(Run run, BsonDocument reply) {
        Map<Integer, BsonDocument> errors = new HashMap<>();
        for (BsonValue each : reply.getArray("writeErrors", new BsonArray())) {
            errors.put(each.asDocument().getNumber("index").intValue(), each.asDocument());
        }
        Map<Integer, BsonValue> upserted = new HashMap<>();
        for (BsonValue each : reply.getArray("upserted", new BsonArray())) {
            upserted.put(
                    each.asDocument().getNumber("index").intValue(),
                    each.asDocument().get("_id"));
        }
        if (reply.containsKey("writeConcernError")) {
            concernError = Optional.of(reply.get("writeConcernError"));
        }
        for (BsonValue number : reply.getArray("retriedStmtIds", new BsonArray())) {
            retried.add(number.asNumber().intValue());
        }
        long n = number(reply, "n");
        switch (run.kind()) {
            case INSERT -> count("nInserted", n);
            case UPDATE -> {
                count("nMatched", n - upserted.size());
                count("nModified", number(reply, "nModified"));
                count("nUpserted", upserted.size());
            }
            case DELETE -> count("nDeleted", n);
        }
        for (int i = 0; i < run.statements().size() && !stopped; i++) {
            if (errors.containsKey(i)) {
                failed(run.first() + i, run.kind(), errors.get(i));
            } else if (!request.errorsOnly()) {
                done(run.first() + i, run.kind(), reply, upserted.get(i));
            }
        }
    }

    private static long number(BsonDocument reply, String name) {
        return reply.containsKey(name) ? reply.getNumber(name).longValue() : 0;
    }

    private void count(String name, long more) {
        totals.merge(name, more, Long::sum);
    }

    private void done(int index, Kind kind, BsonDocument reply, BsonValue upserted) {
        BsonDocument row = new BsonDocument("ok", new BsonDouble(1)).append("idx", new BsonInt32(index));
        // An insert is one document; the others run alone where each is told of.
        row.append("n", new BsonInt32(kind == Kind.INSERT ? 1 : (int) number(reply, "n")));
        if (kind == Kind.UPDATE) {
            row.append("nModified", new BsonInt32((int) number(reply, "nModified")));
        }
        if (upserted != null) {
            row.append("upserted", new BsonDocument("_id", upserted));
        }
        rows.add(RawDocument.of(row));
    }

    private void failed(int index, Kind kind, BsonDocument error) {
        BsonDocument row = new BsonDocument("ok", new BsonDouble(0)).append("idx", new BsonInt32(index));
        row.append("n", new BsonInt32(0));
        if (kind == Kind.UPDATE) {
            row.append("nModified", new BsonInt32(0));
        }
        error.forEach((name, value) -> {
            if (!name.equals("index")) {
                row.putIfAbsent(name, value);
            }
        });
        row.putIfAbsent("errmsg", new BsonString("no message"));
        rows.add(RawDocument.of(row));
        count("nErrors", 1);
        stopped = request.ordered();
    }

    /** What is told op by op, in the order of the ops. */
    public List<RawDocument> rows() {
        return List.copyOf(rows);
    }

    /** The reply of a cursor over the rows, with the totals beside it. */
    public RawDocument withTotals(RawDocument cursor) {
        BsonDocument reply = cursor.toBson();
        for (String name : List.of("nErrors", "nInserted", "nMatched", "nModified", "nUpserted", "nDeleted")) {
            reply.append(name, new BsonInt32((int) (long) totals.getOrDefault(name, 0L)));
        }
        if (!retried.isEmpty()) {
            reply.append(
                    "retriedStmtIds",
                    new BsonArray(retried.stream().map(BsonInt32::new).toList()));
        }
        concernError.ifPresent(error -> reply.append("writeConcernError", error));
        return RawDocument.of(reply);
    }
}
