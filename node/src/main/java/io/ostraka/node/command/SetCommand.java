package io.ostraka.node.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * A command about a replica set, from its grammar and its rule.
 *
 * @param <R> the request
 */
record SetCommand<R>(String name, Needs needs, Function<Fields, R> grammar, BiFunction<R, Operation, BsonDocument> rule)
        implements Command<R> {
    static <R> SetCommand<R> admin(
            String name, Needs.Kind kind, Function<Fields, R> grammar, BiFunction<R, Operation, BsonDocument> rule) {
        return new SetCommand<>(name, Needs.admin(name, kind), grammar, rule);
    }

    static <R> SetCommand<R> internal(
            String name, Function<Fields, R> grammar, BiFunction<R, Operation, BsonDocument> rule) {
        return new SetCommand<>(name, Needs.internal(Needs.Kind.CONTROL), grammar, rule);
    }

    @Override
    public R parse(Fields fields) {
        return grammar.apply(fields);
    }

    @Override
    public RawDocument run(R request, Operation operation) {
        return RawDocument.of(rule.apply(request, operation));
    }
}
