package io.ostraka.wire.common;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code getParameter} and {@code setParameter}.
 *
 * <pre>
 * { getParameter: 1, name: 1, … } or "*" or {allParameters: true, showDetails: b}  →  { name: value, … }
 * { setParameter: 1, name: value }  →  { was: value }
 * </pre>
 */
final class ParameterCommands {
    private final Parameters parameters;

    ParameterCommands(Parameters parameters) {
        this.parameters = parameters;
    }

    List<Command<?>> all() {
        return List.of(
                new Small(
                        "getParameter", Needs.admin("getParameter", Needs.Kind.STATELESS), (fields, _) -> get(fields)),
                new Small("setParameter", Needs.admin("setParameter", Needs.Kind.CONTROL), (fields, _) -> set(fields)));
    }

    private BsonDocument get(Fields fields) {
        BsonValue own = fields.own();
        boolean details = own.isDocument()
                && own.asDocument().getBoolean("showDetails", BsonBoolean.FALSE).getValue();
        boolean all = own.equals(new BsonString("*"))
                || own.isDocument()
                        && own.asDocument()
                                .getBoolean("allParameters", BsonBoolean.FALSE)
                                .getValue();
        BsonDocument reply = new BsonDocument();
        if (all) {
            parameters
                    .all()
                    .forEach(each -> reply.put(each.name(), shown(each.get().get(), details)));
            return reply;
        }
        for (String name : named(fields)) {
            reply.put(name, shown(parameters.get(name), details));
        }
        if (reply.isEmpty()) {
            throw INVALID_OPTIONS.because("no option found to get");
        }
        return reply;
    }

    private static BsonValue shown(BsonValue value, boolean details) {
        return details
                ? new BsonDocument("value", value)
                        .append("settableAtRuntime", BsonBoolean.TRUE)
                        .append("settableAtStartup", BsonBoolean.TRUE)
                : value;
    }

    private BsonDocument set(Fields fields) {
        BsonDocument reply = new BsonDocument();
        for (String name : named(fields)) {
            BsonValue value = fields.body().get(name);
            reply.putIfAbsent("was", parameters.set(name, value));
        }
        if (reply.isEmpty()) {
            throw INVALID_OPTIONS.because("no option found to set, use help:true to see options ");
        }
        return reply;
    }

    /** The fields that name parameters: all but the first and those every command may carry. */
    private static List<String> named(Fields fields) {
        List<String> names = new ArrayList<>();
        RawCursor cursor = fields.body().cursor();
        cursor.next();
        while (cursor.next()) {
            String name = cursor.name();
            if (!Fields.isGeneric(name)) {
                names.add(name);
            }
        }
        return names;
    }
}
