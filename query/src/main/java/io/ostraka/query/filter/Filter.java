package io.ostraka.query.filter;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.text.TextQuery;
import io.ostraka.query.text.TextRules;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/** A query filter: a closed set of records, immutable and valid. */
public sealed interface Filter {
    /** Matches every document. */
    Filter EVERYTHING = new And(List.of());

    /** Every one matches; also when there is none. */
    record And(List<Filter> all) implements Filter {
        public And {
            all = List.copyOf(all);
        }
    }

    record Or(List<Filter> any) implements Filter {
        public Or {
            any = List.copyOf(any);
        }
    }

    record Nor(List<Filter> none) implements Filter {
        public Nor {
            none = List.copyOf(none);
        }
    }

    /** A condition on the values at a path. */
    record Field(FieldPath path, ValueTest test) implements Filter {}

    /**
     * {@code $expr}.
     *
     * @param source as the client wrote it
     */
    record Expr(Expression expression, BsonValue source) implements Filter {}

    /**
     * {@code $jsonSchema}.
     *
     * @param source as the client wrote it
     */
    record Schema(io.ostraka.query.schema.Schema schema, BsonValue source) implements Filter {}

    /**
     * {@code $text}.
     *
     * @param rules of the collection's text index, once that is known
     * @param source as the client wrote it
     */
    record Text(TextQuery query, Optional<TextRules> rules, BsonValue source) implements Filter {}

    /** {@code $alwaysTrue} and {@code $alwaysFalse}. */
    record Always(boolean matches) implements Filter {}

    /** Whether this is known to match every document. */
    default boolean isEverything() {
        return this instanceof And(var all) && all.stream().allMatch(Filter::isEverything);
    }
}
