package io.ostraka.query.expression;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Variables with values known before anything is read: {@code let} of a command, or of a stage for one document.
 * Expressions are read with them and have their values in place of their names.
 */
public record Variables(Map<String, BsonValue> values) {
    public static final Variables NONE = new Variables(Map.of());

    public Variables {
        values = Collections.unmodifiableMap(new HashMap<>(values));
    }

    /**
     * Evaluates {@code let}; each may only use constants and what every expression has.
     *
     * @throws io.ostraka.core.error.CommandException 9 for a bad name
     */
    public static Variables of(BsonDocument let, RunContext context) {
        Map<String, BsonValue> values = new HashMap<>();
        let.forEach((name, value) -> {
            checkName(name);
            Scope scope = new Scope(RawDocument.EMPTY, context);
            values.put(name, Evaluator.evaluate(ExpressionParser.parse(value), scope));
        });
        return new Variables(values);
    }

    /** Evaluates a command's {@code let}, if it has one. */
    public static Variables of(Optional<RawDocument> let, RunContext context) {
        return let.map(document -> of(document.toBson(), context)).orElse(NONE);
    }

    /** Refuses what a user may not call a variable. */
    public static void checkName(String name) {
        ExpressionParser.checkName(name, false);
    }

    /** These and more, of which the newer ones hide those of the same name. */
    public Variables with(Map<String, BsonValue> more) {
        Map<String, BsonValue> all = new HashMap<>(values);
        all.putAll(more);
        return new Variables(all);
    }

    public Expression expression(BsonValue value) {
        return ExpressionParser.parse(value, this);
    }

    /** As {@code let} of another command, which gives these values again. */
    public BsonDocument toLet() {
        BsonDocument let = new BsonDocument();
        values.forEach((name, value) -> let.put(
                name,
                Values.isMissing(value) ? new org.bson.BsonString("$$REMOVE") : new BsonDocument("$literal", value)));
        return let;
    }
}
