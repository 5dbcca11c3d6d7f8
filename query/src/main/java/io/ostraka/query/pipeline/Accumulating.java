package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.RunContext;
import org.bson.BsonValue;

/** How accumulated fields are begun and fed, for all that accumulate. */
final class Accumulating {
    private Accumulating() {}

    /** @param id the group's, which the number of values wanted may depend on */
    static Accumulator make(Stage.Accumulated field, BsonValue id, RunContext context) {
        RawDocument group = new RawBuilder().put("_id", id).build();
        return field.kind().make(Evaluator.evaluate(field.parameter(), new Scope(group, context)), context.collation());
    }

    static void add(Stage.Accumulated field, Accumulator accumulator, RawDocument document, Scope scope) {
        BsonValue value = Evaluator.evaluate(field.input(), scope);
        accumulator.add(
                field.order().isEmpty()
                        ? value
                        : RankingAccumulator.pair(
                                field.order()
                                        .keyOf(document, scope.context().collation())
                                        .bytes(),
                                value));
    }
}
