package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.KeyRanges;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.Selection;
import io.ostraka.node.write.Edit;
import io.ostraka.node.write.Editor;
import io.ostraka.node.write.Recorded;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.update.Update;
import io.ostraka.query.update.UpdateContext;
import io.ostraka.query.update.UpdateParser;
import io.ostraka.query.update.Updater;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.Modification;
import java.util.Optional;
import java.util.function.Supplier;

/** Compiles updates and runs them, for the commands that have some. Safe for many threads. */
final class Changing {
    private final Member member;

    Changing(Member member) {
        this.member = member;
    }

    /**
     * Updates.
     *
     * @param multi whether all matching documents are meant, which a replacement cannot be done to
     * @param supplied what an upsert stores in place of what the update makes
     * @param bypassValidation whether the collection's validator is not asked
     * @param within the shard keys an update of many is held to
     */
    Editor.Outcome update(
            Namespace namespace,
            FindQuery query,
            Modification modification,
            Optional<RawDocument> arrayFilters,
            Variables variables,
            boolean multi,
            boolean upsert,
            Optional<RawDocument> supplied,
            boolean bypassValidation,
            Optional<KeyRanges> within,
            Recorded recorded,
            Operation operation) {
        Update update = parse(modification, arrayFilters, variables);
        if (multi && update.isReplacement()) {
            throw FAILED_TO_PARSE.because("multi update is not supported for replacement-style update");
        }
        Selection selection =
                Selection.of(query, member.context(operation::checkAlive).with(query.collation()));
        Updater updater = updater(update, query.filter(), selection);
        Edit edit = Edit.of(before -> updater.apply(before).orElse(before), update.isReplacement());
        Optional<Supplier<RawDocument>> fresh =
                upsert ? Optional.of(() -> supplied.orElseGet(updater::upsert)) : Optional.empty();
        Editor editor = member.editor(bypassValidation);
        if (!multi) {
            return editor.one(namespace, selection, edit, fresh, recorded, operation);
        }
        Editor.Outcome outcome = editor.many(namespace, selection, edit, within, operation);
        return outcome.matched() == 0 && upsert
                ? editor.one(namespace, selection, edit, fresh, recorded, operation)
                : outcome;
    }

    private Updater updater(Update update, Filter filter, Selection selection) {
        return Updater.of(
                update,
                filter,
                new UpdateContext(selection.context(), member.settings().ids()::objectId));
    }

    private static Update parse(Modification modification, Optional<RawDocument> arrayFilters, Variables variables) {
        return switch (modification) {
            case Modification.Operators(var update) ->
                UpdateParser.parse(update, QueryWords.documents(arrayFilters), variables);
            case Modification.Replacement(var document) ->
                UpdateParser.parse(document, QueryWords.documents(arrayFilters), variables);
            case Modification.Pipeline(var stages) -> {
                if (arrayFilters.isPresent()) {
                    throw FAILED_TO_PARSE.because("arrayFilters may not be specified for pipeline-style updates");
                }
                yield new Update.Stages(Pipeline.parseUpdate(stages, variables));
            }
        };
    }

    /** Deletes the first matching document, or all. */
    Editor.Outcome delete(
            Namespace namespace,
            FindQuery query,
            boolean multi,
            Optional<KeyRanges> within,
            Recorded recorded,
            Operation operation) {
        Selection selection =
                Selection.of(query, member.context(operation::checkAlive).with(query.collation()));
        return multi
                ? member.editor().many(namespace, selection, Edit.DELETE, within, operation)
                : member.editor().one(namespace, selection, Edit.DELETE, Optional.empty(), recorded, operation);
    }
}
