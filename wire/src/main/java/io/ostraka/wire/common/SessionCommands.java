package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.time.Ids;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.session.SessionEnds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
 * { killAllSessions: [ { user, db }, … ] }  →  { }
 * { killAllSessionsByPattern: [ { lsid: { id: uuid } } | { uid: digest } | { users: [ … ] } | { roles: [ … ] }, … ] }  →  { }
 * </pre>
 *
 * Ending a session closes its cursors and aborts its transaction; killing it also ends its operations. An empty list means all; without users, one of users or roles means none.
 */
final class SessionCommands {
    private final SessionEnds ends;
    private final Consumer<Operation> killedHere;
    private final Ids ids;

    /** @param killedHere told of each kill command that was carried out in this process */
    SessionCommands(SessionEnds ends, Consumer<Operation> killedHere, Ids ids) {
        this.ends = ends;
        this.killedHere = killedHere;
        this.ids = ids;
    }

    List<Command<?>> all() {
        Needs anybody = new Needs("none", Needs.Scope.NONE, false, false, Needs.Kind.CONTROL);
        Needs killer = new Needs("killAnySession", Needs.Scope.CLUSTER, false, false, Needs.Kind.CONTROL);
        return List.of(
                new Small("startSession", anybody, (_, _) -> start()),
                new Small("refreshSessions", anybody, (fields, _) -> each(fields, ends.sessions()::used)),
                new Small("endSessions", anybody, (fields, _) -> each(fields, ends::end)),
                new Small("killSessions", killer, this::kill),
                new Small("killAllSessions", killer, this::killAll),
                new Small("killAllSessionsByPattern", killer, this::killByPattern));
    }

    private BsonDocument start() {
        BsonDocument id = new BsonDocument("id", new BsonBinary(ids.uuid()));
        ends.sessions().used(RawDocument.of(id));
        return new BsonDocument("id", id).append("timeoutMinutes", new BsonInt32((int)
                ends.sessions().timeout().toMinutes()));
    }

    private static BsonDocument each(Fields fields, Consumer<RawDocument> act) {
        List<RawDocument> all = new ArrayList<>();
        for (BsonValue session : list(fields, "session ids")) {
            if (!session.isDocument() || !session.asDocument().isBinary("id")) {
                throw TYPE_MISMATCH.because("a session id has the form {id: UUID}");
            }
            all.add(RawDocument.of(session.asDocument()));
        }
        all.forEach(act);
        return new BsonDocument();
    }

    private static List<BsonValue> list(Fields fields, String of) {
        if (!fields.own().isArray()) {
            throw TYPE_MISMATCH.because("the command's value must be an array of %s", of);
        }
        return fields.own().asArray();
    }

    private BsonDocument kill(Fields fields, Operation operation) {
        BsonDocument reply = each(fields, lsid -> ends.kill(lsid, operation));
        killedHere.accept(operation);
        return reply;
    }

    private BsonDocument killAll(Fields fields, Operation operation) {
        boolean everybody = list(fields, "users").isEmpty();
        ends.killIf(_ -> everybody, operation);
        killedHere.accept(operation);
        return new BsonDocument();
    }

    private BsonDocument killByPattern(Fields fields, Operation operation) {
        List<Predicate<RawDocument>> patterns = new ArrayList<>();
        for (BsonValue pattern : list(fields, "patterns")) {
            if (!pattern.isDocument()) {
                throw TYPE_MISMATCH.because("a pattern is a document: {lsid: {id: UUID}}, or {uid: digest}");
            }
            patterns.add(pattern(pattern.asDocument()));
        }
        ends.killIf(lsid -> patterns.isEmpty() || patterns.stream().anyMatch(each -> each.test(lsid)), operation);
        killedHere.accept(operation);
        return new BsonDocument();
    }

    private static Predicate<RawDocument> pattern(BsonDocument pattern) {
        if (pattern.isDocument("lsid")) {
            BsonValue id = pattern.getDocument("lsid").get("id");
            return lsid -> lsid.get("id").equals(id);
        }
        if (pattern.containsKey("uid")) {
            BsonValue user = pattern.get("uid");
            return lsid -> {
                RawCursor own = lsid.find("uid");
                return own != null && own.value().equals(user);
            };
        }
        return _ -> pattern.isEmpty();
    }
}
