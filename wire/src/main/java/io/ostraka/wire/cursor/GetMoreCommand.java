package io.ostraka.wire.cursor;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.OptionalInt;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * {@code getMore}: the next batch of a cursor.
 *
 * <pre>{ getMore: long, collection: name, batchSize: n?, maxTimeMS: n? }  →  { cursor: { nextBatch, id, ns } }</pre>
 *
 * Without a batch size, as much as fits into 16 MB.
 */
public final class GetMoreCommand implements Command<GetMoreCommand.Request> {
    /** @param batchSize documents at most */
    public record Request(long id, String namespace, OptionalInt batchSize) {}

    private final CursorRegistry cursors;

    public GetMoreCommand(CursorRegistry cursors) {
        this.cursors = cursors;
    }

    @Override
    public String name() {
        return "getMore";
    }

    @Override
    public Needs needs() {
        return new Needs("find", Needs.Scope.DATABASE, false, false, Needs.Kind.READ);
    }

    @Override
    public Request parse(Fields fields) {
        BsonValue id = fields.own();
        if (!(id instanceof BsonInt64)) {
            throw io.ostraka.core.error.ErrorCode.TYPE_MISMATCH.because(
                    "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
        }
        String collection = fields.requiredString("collection");
        if (collection.isEmpty()) {
            throw io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE.because("Collection names cannot be empty");
        }
        OptionalInt batchSize = fields.count("batchSize");
        if (batchSize.isPresent() && batchSize.getAsInt() == 0) {
            throw BAD_VALUE.because("Batch size for getMore must be positive, but received: 0");
        }
        fields.raw("term");
        fields.raw("lastKnownCommittedOpTime");
        return new Request(id.asInt64().getValue(), fields.database() + "." + collection, batchSize);
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        return cursors.next(
                request.id(), request.namespace(), request.batchSize().orElse(Integer.MAX_VALUE), operation);
    }
}
