package io.ostraka.router.write;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.ShardId;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.wire.command.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Statements that go to one shard in one command, with their places in the client's. */
final class ShardBatch {
    /** Bytes of statements in one command; leaves room for the rest of the message. */
    private static final int MAX_BYTES = 40_000_000;

    private final ShardId shard;
    private final List<Integer> indexes = new ArrayList<>();
    private final List<RawDocument> statements = new ArrayList<>();
    private long bytes;

    ShardBatch(ShardId shard) {
        this.shard = shard;
    }

    ShardId shard() {
        return shard;
    }

    List<Integer> indexes() {
        return indexes;
    }

    /** Takes a statement, unless the command would become too large. */
    boolean add(int index, RawDocument statement) {
        if (!indexes.isEmpty() && bytes + statement.size() > MAX_BYTES) {
            return false;
        }
        bytes += statement.size();
        indexes.add(index);
        statements.add(statement);
        return true;
    }

    /** The command: the client's own words around these statements. */
    ShardRequest request(String field, Routing routing, Operation operation) {
        RawBuilder command = routing.addVersions(Forward.without(operation.request(), Set.of(field)), shard);
        addSession(command, indexes, operation);
        boolean numbered = operation.options().txnNumber().isPresent();
        return new ShardRequest(shard, command.build(), Map.of(field, statements), numbered);
    }

    /** Adds the numbers by which a shard recognises statements it has run. */
    static void addSession(RawBuilder command, List<Integer> indexes, Operation operation) {
        Operation.Options options = operation.options();
        if (options.txnNumber().isEmpty() || options.lsid().isEmpty() || operation.isInTransaction()) {
            return;
        }
        command.put("lsid", options.lsid().get())
                .put("txnNumber", options.txnNumber().getAsLong())
                .openArray("stmtIds");
        for (int i = 0; i < indexes.size(); i++) {
            command.put(Integer.toString(i), options.statement(indexes.get(i)));
        }
        command.close();
    }
}
