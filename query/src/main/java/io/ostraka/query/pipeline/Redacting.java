package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.REDACT_INVALID;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import org.bson.BsonValue;

/** {@code $redact} on one document: it is kept, pruned, or the same is asked of each document in it. */
final class Redacting {
    private final Stage.Redact stage;
    private final RunContext context;
    private final RawDocument top;

    Redacting(Stage.Redact stage, RunContext context, RawDocument top) {
        this.stage = stage;
        this.context = context;
        this.top = top;
    }

    /** What is left of the document, or null. */
    RawDocument result() {
        return document(top);
    }

    private RawDocument document(RawDocument document) {
        BsonValue decision = Evaluator.evaluate(stage.decision(), new Scope(document, top, context));
        return switch (decision.isString() ? decision.asString().getValue() : "") {
            case "keep" -> document;
            case "prune" -> null;
            case "descend" -> descend(document, new RawBuilder(document.size()), false);
            default ->
                throw REDACT_INVALID.because(
                        "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND,"
                                + " and $$PRUNE, but returned %s",
                        Values.show(decision));
        };
    }

    private RawDocument descend(RawDocument container, RawBuilder builder, boolean array) {
        RawCursor element = container.cursor();
        int at = 0;
        while (element.next()) {
            String name = array ? Integer.toString(at) : element.name();
            if (element.isArray()) {
                builder.putArray(name, descend(element.document(), new RawBuilder(), true));
            } else if (element.isDocument()) {
                RawDocument left = document(element.document());
                if (left == null) {
                    continue;
                }
                builder.put(name, left);
            } else {
                builder.value(name, element);
            }
            at++;
        }
        return builder.build();
    }
}
