package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.FindRequest;
import java.util.List;
import java.util.OptionalInt;

/** Answers lists that are there already as cursors. */
final class FirstBatch {
    private FirstBatch() {}

    static RawDocument of(
            List<RawDocument> documents,
            String namespace,
            OptionalInt batchSize,
            CursorRegistry cursors,
            Operation operation) {
        DocumentCursor cursor =
                new DocumentCursor(DocumentStream.of(documents), () -> {}, new DocumentCursor.Puller(operation));
        BatchReply batch = BatchReply.first(namespace, batchSize.orElse(FindRequest.FIRST_BATCH));
        return cursors.open(cursor, namespace, batch, false, false, operation);
    }
}
