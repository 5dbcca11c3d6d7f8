package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A command for the replicated databases and for {@code local}, which belongs to one member: it is in a store of its own, is
 * written in any state, also before there is a set, and is not replicated.
 */
record ByDatabase(Command<?> replicated, Supplier<Map<String, Command<?>>> local)
        implements Command<ByDatabase.Routed<?>> {
    static final String LOCAL = "local";

    /** A request and who runs it. */
    record Routed<R>(Command<R> command, R request) {
        static <R> Routed<R> parse(Command<R> command, Fields fields) {
            return new Routed<>(command, command.parse(fields));
        }

        RawDocument run(Operation operation) {
            return command.run(request, operation);
        }
    }

    @Override
    public String name() {
        return replicated.name();
    }

    @Override
    public List<String> aliases() {
        return replicated.aliases();
    }

    @Override
    public Needs needs() {
        return replicated.needs();
    }

    @Override
    public Routed<?> parse(Fields fields) {
        if (!fields.database().equals(LOCAL)) {
            return Routed.parse(replicated, fields);
        }
        if (name().equals("dropDatabase")) {
            throw INVALID_NAMESPACE.because("Cannot drop 'local' database while replication is active");
        }
        return Routed.parse(local.get().get(name()), fields);
    }

    @Override
    public RawDocument run(Routed<?> request, Operation operation) {
        return request.run(operation);
    }
}
