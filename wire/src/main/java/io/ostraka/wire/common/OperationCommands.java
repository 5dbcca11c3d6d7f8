package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operations;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code currentOp} and {@code killOp} of one process.
 *
 * <pre>
 * { currentOp: 1, $all: b?, $ownOps: b?, field: condition, … }  →  { inprog: [ {…}, … ] }
 * { killOp: 1, op: n }  →  { info: "attempting to kill op" }
 * </pre>
 */
final class OperationCommands {
    private static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger("COMMAND");

    private final CurrentOperations current;
    private final Operations operations;
    private final Function<RawDocument, Predicate<RawDocument>> filters;

    /** @param filters compiles a query */
    OperationCommands(
            CurrentOperations current, Operations operations, Function<RawDocument, Predicate<RawDocument>> filters) {
        this.current = current;
        this.operations = operations;
        this.filters = filters;
    }

    List<Command<?>> all() {
        return List.of(currentOp(), killOp());
    }

    Command<?> currentOp() {
        return new Small("currentOp", Needs.admin("inprog", Needs.Kind.CONTROL), (fields, _) -> inProgress(fields));
    }

    Command<?> killOp() {
        return new Small("killOp", Needs.admin("killop", Needs.Kind.CONTROL), (fields, _) -> kill(fields));
    }

    private BsonDocument inProgress(Fields fields) {
        RawBuilder conditions = new RawBuilder();
        RawCursor cursor = fields.body().cursor();
        cursor.next();
        while (cursor.next()) {
            String name = cursor.name();
            boolean option = Fields.isGeneric(name) || name.equals("$all") || name.equals("$ownOps");
            if (!option) {
                conditions.element(cursor);
            }
        }
        Predicate<RawDocument> wanted = filters.apply(conditions.build());
        BsonArray rows = new BsonArray();
        current.documents(fields.bool("$all", false)).stream().filter(wanted).forEach(row -> rows.add(row.toBson()));
        return new BsonDocument("inprog", rows);
    }

    private BsonDocument kill(Fields fields) {
        BsonValue op = fields.requiredValue("op");
        if (!op.isNumber()) {
            throw TYPE_MISMATCH.because("Did not provide \"op\" as a number: it is of type %s", op.getBsonType());
        }
        long id = op.asNumber().longValue();
        if (!operations.kill(id)) {
            LOG.debug("killOp: nothing of number {} runs any more", id);
        }
        return new BsonDocument("info", new BsonString("attempting to kill op"));
    }
}
