package io.ostraka.wire.common;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import java.util.List;
import java.util.function.BiFunction;
import org.bson.BsonDocument;

/**
 * A command whose specification is one line: it takes whatever fields there are and answers with a document.
 *
 * @param name the command's name
 * @param aliases other spellings
 * @param needs what it needs
 * @param answer the rule
 */
public record Small(String name, List<String> aliases, Needs needs, BiFunction<Fields, Operation, BsonDocument> answer)
        implements Command<Fields> {
    public Small(String name, Needs needs, BiFunction<Fields, Operation, BsonDocument> answer) {
        this(name, List.of(), needs, answer);
    }

    @Override
    public Fields parse(Fields fields) {
        return fields.ignoreUnknown();
    }

    @Override
    public RawDocument run(Fields fields, Operation operation) {
        return RawDocument.of(answer.apply(fields, operation));
    }
}
