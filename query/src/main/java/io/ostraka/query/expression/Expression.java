package io.ostraka.query.expression;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.run.Metadata;
import java.util.List;
import java.util.Optional;
import org.bson.BsonValue;

/** An aggregation expression: a closed set of records, evaluated by {@link Evaluator}. */
public sealed interface Expression {
    record Literal(BsonValue value) implements Expression {}

    /** {@code $meta}. */
    record Meta(Metadata metadata) implements Expression {}

    /** {@code "$a.b"}: through documents, and through arrays into each of their documents. */
    record Field(FieldPath path) implements Expression {}

    /** {@code "$$name"} or {@code "$$name.a.b"}. */
    record Variable(String name, Optional<FieldPath> path) implements Expression {}

    /** A name and what it is given. */
    record Entry(String name, Expression value) {}

    record ObjectOf(List<Entry> fields) implements Expression {
        public ObjectOf {
            fields = List.copyOf(fields);
        }
    }

    record ArrayOf(List<Expression> items) implements Expression {
        public ArrayOf {
            items = List.copyOf(items);
        }
    }

    /** A function of its arguments' values; arguments left out are missing. */
    record Call(Function function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** {@code $and}: evaluates no further than the first false one. */
    record All(List<Expression> parts) implements Expression {
        public All {
            parts = List.copyOf(parts);
        }
    }

    /** {@code $or}: evaluates no further than the first true one. */
    record Any(List<Expression> parts) implements Expression {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    /** {@code $ifNull}: the first that is there. */
    record FirstPresent(List<Expression> parts) implements Expression {
        public FirstPresent {
            parts = List.copyOf(parts);
        }
    }

    record Conditional(Expression test, Expression then, Expression otherwise) implements Expression {}

    record Branch(Expression test, Expression then) {}

    record Switch(List<Branch> branches, Optional<Expression> otherwise) implements Expression {
        public Switch {
            branches = List.copyOf(branches);
        }
    }

    record Let(List<Entry> variables, Expression in) implements Expression {
        public Let {
            variables = List.copyOf(variables);
        }
    }

    record MapEach(Expression input, String as, Expression in) implements Expression {}

    record FilterEach(Expression input, String as, Expression test, Optional<Expression> limit) implements Expression {}

    record Reduce(Expression input, Expression initial, Expression in) implements Expression {}
}
