package io.ostraka.query.expression;

import static io.ostraka.core.error.ErrorCode.UNDEFINED_VARIABLE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import org.bson.BsonDateTime;
import org.bson.BsonValue;

/** What an expression sees while it runs: the document, the variables around it, the query's context. Immutable. */
public final class Scope {
    private final RawDocument root;
    private final RawDocument top;
    private final RunContext context;
    private final Scope outer;
    private final String name;
    private final BsonValue value;

    /** The scope of one document. */
    public Scope(RawDocument root, RunContext context) {
        this(root, root, context, null, null, null);
    }

    /** The scope of a document within the one that {@code $$ROOT} names. */
    public Scope(RawDocument current, RawDocument top, RunContext context) {
        this(current, top, context, null, null, null);
    }

    private Scope(RawDocument root, RawDocument top, RunContext context, Scope outer, String name, BsonValue value) {
        this.root = root;
        this.top = top;
        this.context = context;
        this.outer = outer;
        this.name = name;
        this.value = value;
    }

    /** This scope with one more variable. */
    public Scope with(String variable, BsonValue given) {
        return new Scope(root, top, context, this, variable, given);
    }

    RawDocument root() {
        return root;
    }

    RawDocument top() {
        return top;
    }

    /** What it may know of the world. */
    public RunContext context() {
        return context;
    }

    BsonValue variable(String wanted) {
        for (Scope scope = this; scope.name != null; scope = scope.outer) {
            if (scope.name.equals(wanted)) {
                return scope.value;
            }
        }
        return switch (wanted) {
            case "CURRENT" -> Metadata.without(root).toBson();
            case "ROOT" -> Metadata.without(top).toBson();
            case "NOW" -> new BsonDateTime(context.nowMillis());
            case "CLUSTER_TIME" -> context.clusterTime();
            case "REMOVE" -> Values.MISSING;
            default -> throw UNDEFINED_VARIABLE.because("Use of undefined variable: %s", wanted);
        };
    }
}
