package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.ILLEGAL_OPERATION;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.member.Member;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;

/**
 * {@code dropDatabase}: takes all collections of a database away.
 *
 * <pre>{ dropDatabase: 1 }  →  { dropped: name }</pre>
 *
 * A database without collections does not exist, and dropping it answers nothing.
 */
final class DropDatabaseCommand implements Command<String> {
    private final Member member;

    DropDatabaseCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "dropDatabase";
    }

    @Override
    public Needs needs() {
        return Needs.database("dropDatabase", Needs.Kind.WRITE);
    }

    @Override
    public String parse(Fields fields) {
        String database = fields.database();
        if (database.equals("admin") || database.equals("config") || database.equals("local")) {
            throw ILLEGAL_OPERATION.because("Dropping the '%s' database is prohibited.", database);
        }
        return database;
    }

    @Override
    public RawDocument run(String database, Operation operation) {
        RawBuilder reply = new RawBuilder();
        if (member.collections().dropDatabase(database, operation) > 0) {
            reply.put("dropped", database);
        }
        return reply.build();
    }
}
