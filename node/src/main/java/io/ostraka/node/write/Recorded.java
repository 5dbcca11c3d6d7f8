package io.ostraka.node.write;

import io.ostraka.core.bson.RawDocument;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * How what a write does is recorded in its own proposal, so that a retry of it is answered with the first result.
 *
 * @param session held by the caller
 * @param numbers the statement's number by its place among what the writer was given
 * @param answer what is recorded of an outcome
 */
public record Recorded(HeldSession session, IntUnaryOperator numbers, Function<Editor.Outcome, RawDocument> answer) {
    /** Of a write that is no retryable one. */
    public static final Recorded NOT = new Recorded(HeldSession.NONE, place -> place, _ -> RawDocument.EMPTY);

    /** One statement alone. */
    public static Recorded one(HeldSession session, int number, Function<Editor.Outcome, RawDocument> answer) {
        return new Recorded(session, _ -> number, answer);
    }

    /** The changes that follow are of the statement at a place. */
    void under(int place, ChangeList changes) {
        if (session.isNumbered()) {
            changes.under(session.statement(numbers.applyAsInt(place)));
        }
    }

    /** The statement at a place has changed something, and this is how. */
    void did(int place, Editor.Outcome outcome) {
        if (session.isNumbered()) {
            session.did(numbers.applyAsInt(place), answer.apply(outcome));
        }
    }
}
