package io.ostraka.sharding.command;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * A command only processes of the same cluster may send, from its grammar and its rule.
 *
 * @param <R> the request
 */
public record InternalCommand<R>(
        String name,
        List<String> aliases,
        Needs.Kind kind,
        Function<Fields, R> grammar,
        BiFunction<R, Operation, BsonDocument> rule)
        implements Command<R> {

    /** A command of one name. */
    public static <R> InternalCommand<R> of(
            String name, Needs.Kind kind, Function<Fields, R> grammar, BiFunction<R, Operation, BsonDocument> rule) {
        return new InternalCommand<>(name, List.of(), kind, grammar, rule);
    }

    /** A command whose older spelling is all in lower case. */
    public static <R> InternalCommand<R> spelled(
            String name, Needs.Kind kind, Function<Fields, R> grammar, BiFunction<R, Operation, BsonDocument> rule) {
        return new InternalCommand<>(name, List.of(name.toLowerCase(Locale.ROOT)), kind, grammar, rule);
    }

    @Override
    public Needs needs() {
        return Needs.internal(kind);
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
