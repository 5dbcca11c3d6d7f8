package io.ostraka.wire.cursor;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.IDL_FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * {@code killCursors}: ends cursors of one collection.
 *
 * <pre>{ killCursors: name, cursors: [long, …] }
 *   →  { cursorsKilled, cursorsNotFound, cursorsAlive, cursorsUnknown }</pre>
 */
public final class KillCursorsCommand implements Command<KillCursorsCommand.Request> {
    /** @param ids the cursors' ids, at least one */
    public record Request(String namespace, List<Long> ids) {}

    private final CursorRegistry cursors;

    public KillCursorsCommand(CursorRegistry cursors) {
        this.cursors = cursors;
    }

    @Override
    public String name() {
        return "killCursors";
    }

    @Override
    public Needs needs() {
        return new Needs("killCursors", Needs.Scope.COLLECTION, false, false, Needs.Kind.CONTROL);
    }

    @Override
    public Request parse(Fields fields) {
        if (!fields.has("cursors")) {
            throw IDL_FAILED_TO_PARSE.because("BSON field 'killCursors.cursors' is missing but a required field");
        }
        List<BsonValue> ids = fields.array("cursors");
        if (ids.isEmpty()) {
            throw BAD_VALUE.because("Must specify at least one cursor id in: killCursors");
        }
        for (BsonValue id : ids) {
            if (!id.isInt64()) {
                throw TYPE_MISMATCH.because("BSON field 'killCursors.cursors' holds a value that is no 'long'");
            }
        }
        return new Request(
                fields.database() + "." + fields.ownString(),
                ids.stream().map(id -> id.asInt64().getValue()).toList());
    }

    @Override
    public RawDocument run(Request request, Operation operation) {
        BsonArray killed = new BsonArray();
        BsonArray notFound = new BsonArray();
        for (long id : request.ids()) {
            (cursors.kill(id, request.namespace()) ? killed : notFound).add(new BsonInt64(id));
        }
        return RawDocument.of(new BsonDocument("cursorsKilled", killed)
                .append("cursorsNotFound", notFound)
                .append("cursorsAlive", new BsonArray())
                .append("cursorsUnknown", new BsonArray()));
    }
}
