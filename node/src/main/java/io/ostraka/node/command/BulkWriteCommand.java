package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.BulkWriteRequest;
import io.ostraka.wire.request.BulkWriteResults;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.UpdateRequest;

/**
 * {@code bulkWrite}: inserts, updates and deletes of several collections.
 *
 * <pre>
 * { bulkWrite: 1, ops: [ { insert|update|delete: which of nsInfo, … } ], nsInfo: [ { ns } ], ordered?, errorsOnly?, cursor? }
 *   →  { cursor: { firstBatch: [ { ok, idx, n, nModified?, upserted?, code?, errmsg? } ], … }, nErrors, nInserted, … }
 * </pre>
 */
final class BulkWriteCommand implements Command<BulkWriteRequest> {
    private final InsertCommand insert;
    private final UpdateCommand update;
    private final DeleteCommand delete;
    private final CursorRegistry cursors;

    BulkWriteCommand(InsertCommand insert, UpdateCommand update, DeleteCommand delete, CursorRegistry cursors) {
        this.insert = insert;
        this.update = update;
        this.delete = delete;
        this.cursors = cursors;
    }

    @Override
    public String name() {
        return "bulkWrite";
    }

    @Override
    public Needs needs() {
        return Needs.admin("bulkWrite", Needs.Kind.WRITE);
    }

    @Override
    public BulkWriteRequest parse(Fields fields) {
        return BulkWriteRequest.parse(fields);
    }

    @Override
    public RawDocument run(BulkWriteRequest request, Operation operation) {
        BulkWriteResults results = BulkWriteResults.of(request, this::run, operation);
        return results.withTotals(
                FirstBatch.of(results.rows(), BulkWriteRequest.NAMESPACE, request.batchSize(), cursors, operation));
    }

    private RawDocument run(BulkWriteRequest.Kind kind, Fields fields, Operation part) {
        return switch (kind) {
            case INSERT -> insert.run(InsertRequest.parse(fields), part);
            case UPDATE -> update.run(UpdateRequest.parse(fields), part);
            case DELETE -> delete.run(DeleteRequest.parse(fields), part);
        };
    }
}
