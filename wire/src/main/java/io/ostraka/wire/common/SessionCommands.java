package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operations;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.session.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * {@code startSession}, {@code refreshSessions}, {@code endSessions} and the kill commands.
 *
 * <pre>
 * { startSession: 1 }  →  { id: { id: uuid }, timeoutMinutes: 30 }
 * { refreshSessions | endSessions | killSessions: [ { id: uuid }, … ] }  →  { }
 * { killAllSessions: [ … ] } and { killAllSessionsByPattern: [ … ] }  →  { }
 * </pre>
 *
 * Ending a session closes its cursors; killing it also ends its operations. Without users, every pattern means all.
 */
final class SessionCommands {
    private final Sessions sessions;
    private final Consumer<RawDocument> ended;
    private final CursorRegistry cursors;
    private final Operations operations;
    private final Ids ids;

    SessionCommands(
            Sessions sessions, Consumer<RawDocument> ended, CursorRegistry cursors, Operations operations, Ids ids) {
        this.sessions = sessions;
        this.ended = ended;
        this.cursors = cursors;
        this.operations = operations;
        this.ids = ids;
    }

    List<Command<?>> all() {
        Needs anybody = new Needs("none", Needs.Scope.NONE, false, false, Needs.Kind.CONTROL);
        Needs killer = new Needs("killAnySession", Needs.Scope.CLUSTER, false, false, Needs.Kind.CONTROL);
        return List.of(
                new Small("startSession", anybody, (_, _) -> start()),
                new Small("refreshSessions", anybody, (fields, _) -> each(fields, sessions::used)),
                new Small("endSessions", anybody, (fields, _) -> each(fields, this::end)),
                new Small("killSessions", killer, (fields, _) -> each(fields, this::kill)),
                new Small("killAllSessions", killer, (_, _) -> killAll()),
                new Small("killAllSessionsByPattern", killer, (_, _) -> killAll()));
    }

    private BsonDocument start() {
        BsonDocument id = new BsonDocument("id", new BsonBinary(ids.uuid()));
        sessions.used(RawDocument.of(id));
        return new BsonDocument("id", id).append("timeoutMinutes", new BsonInt32(30));
    }

    private static BsonDocument each(Fields fields, Consumer<RawDocument> act) {
        List<RawDocument> all = new ArrayList<>();
        if (!fields.own().isArray()) {
            throw TYPE_MISMATCH.because("the command's value must be an array of session ids");
        }
        for (BsonValue session : fields.own().asArray()) {
            if (!session.isDocument() || !session.asDocument().isBinary("id")) {
                throw TYPE_MISMATCH.because("a session id has the form {id: UUID}");
            }
            all.add(RawDocument.of(session.asDocument()));
        }
        all.forEach(act);
        return new BsonDocument();
    }

    private void end(RawDocument lsid) {
        sessions.end(lsid);
        ended.accept(lsid);
        cursors.killSession(lsid);
    }

    private void kill(RawDocument lsid) {
        operations.killSession(lsid);
        end(lsid);
    }

    private BsonDocument killAll() {
        sessions.all().forEach(this::kill);
        return new BsonDocument();
    }
}
