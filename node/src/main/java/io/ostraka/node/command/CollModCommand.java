package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.AMBIGUOUS_INDEX_KEY_PATTERN;
import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.INDEX_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.IndexEntry;
import io.ostraka.node.catalog.ResolvedView;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.CollModRequest;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * {@code collMod}: changes what a collection demands of its documents, hides an index from plans, or sets when it lets
 * documents expire; or what a view shows.
 *
 * <pre>
 * { collMod: name, validator?, validationLevel?, validationAction?, index: { name | keyPattern, hidden?, expireAfterSeconds? }? }
 * { collMod: view, viewOn: name, pipeline: [ … ] }
 *   →  { hidden_old?, hidden_new?, expireAfterSeconds_old?, expireAfterSeconds_new? }
 * </pre>
 *
 * Documents that are there are not looked at again.
 */
final class CollModCommand implements Command<CollModRequest> {
    private final Member member;

    CollModCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "collMod";
    }

    @Override
    public Needs needs() {
        return Needs.write("collMod");
    }

    @Override
    public CollModRequest parse(Fields fields) {
        return CollModRequest.parse(fields);
    }

    @Override
    public RawDocument run(CollModRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        CollectionWriter.Modification modification = new CollectionWriter.Modification(
                entry -> options(request, entry),
                request.index()
                        .map(change -> new CollectionWriter.IndexChange(
                                entry -> find(entry, change), definition -> changed(definition, change))));
        Optional<CollectionWriter.ModifiedIndex> modified =
                member.collections().modify(namespace, modification, command(operation), operation);
        RawBuilder reply = new RawBuilder();
        modified.ifPresent(index -> show(reply, request.index().orElseThrow(), index));
        return reply.build();
    }

    private BsonDocument options(CollModRequest request, CollectionEntry entry) {
        boolean changesView = request.viewOn().isPresent() || request.pipeline().isPresent();
        if (entry.isView() != changesView) {
            throw INVALID_OPTIONS.because(
                    changesView
                            ? "option not supported on a collection: 'viewOn' and 'pipeline' are of views"
                            : "option not supported on a view: name 'viewOn' and 'pipeline' instead");
        }
        if (!changesView) {
            return CollectionOptions.validated(
                    entry.options(),
                    request.database(),
                    request.validator(),
                    request.validationLevel(),
                    request.validationAction());
        }
        if (request.viewOn().isEmpty() || request.pipeline().isEmpty()) {
            throw INVALID_OPTIONS.because("Must specify both 'viewOn' and 'pipeline' when modifying a view");
        }
        BsonDocument options = CollectionOptions.view(
                entry.options(), entry.namespace(), request.viewOn().get(), request.pipeline());
        ResolvedView.check(member.views().catalog(), entry.namespace(), options);
        return options;
    }

    private static BsonDocument command(Operation operation) {
        BsonDocument command = operation.request().toBson();
        command.keySet().removeIf(Fields::isGeneric);
        return command;
    }

    private static IndexEntry find(CollectionEntry entry, CollModRequest.Index wanted) {
        if (wanted.name().isPresent()) {
            return entry.index(wanted.name().get())
                    .orElseThrow(() -> INDEX_NOT_FOUND.because(
                            "cannot find index %s for ns %s", wanted.name().get(), entry.namespace()));
        }
        RawDocument pattern = wanted.keyPattern().orElseThrow();
        List<IndexField> fields = IndexDefinition.fields(pattern);
        List<IndexEntry> found = entry.indexes().stream()
                .filter(index -> index.definition().fields().equals(fields))
                .toList();
        if (found.isEmpty()) {
            throw INDEX_NOT_FOUND.because("cannot find index %s for ns %s", pattern, entry.namespace());
        }
        if (found.size() > 1) {
            throw AMBIGUOUS_INDEX_KEY_PATTERN.because(
                    "index keyPattern %s matches %d indexes, must use index name", pattern, found.size());
        }
        return found.getFirst();
    }

    private static IndexDefinition changed(IndexDefinition before, CollModRequest.Index change) {
        IndexDefinition after = before;
        if (change.hidden().isPresent()) {
            if (change.hidden().get() && before.isId()) {
                throw BAD_VALUE.because("can't hide _id index");
            }
            after = after.withHidden(change.hidden().get());
        }
        if (change.expireAfterSeconds().isPresent()) {
            long seconds = change.expireAfterSeconds().getAsLong();
            if (before.isId() || before.fields().size() > 1) {
                throw INVALID_OPTIONS.because(
                        "TTL indexes are single-field indexes on another field than _id, not %s", before.keyPattern());
            }
            if (seconds < 0 || seconds > Integer.MAX_VALUE) {
                throw INVALID_OPTIONS.because(
                        "TTL index 'expireAfterSeconds' option must be within an acceptable range, 0 to %d seconds",
                        Integer.MAX_VALUE);
            }
            after = after.withExpireAfterSeconds(change.expireAfterSeconds());
        }
        return after;
    }

    private static void show(RawBuilder reply, CollModRequest.Index change, CollectionWriter.ModifiedIndex index) {
        change.hidden()
                .ifPresent(hidden ->
                        reply.put("hidden_old", index.before().hidden()).put("hidden_new", hidden));
        change.expireAfterSeconds().ifPresent(seconds -> {
            index.before().expireAfterSeconds().ifPresent(before -> reply.put("expireAfterSeconds_old", before));
            reply.put("expireAfterSeconds_new", seconds);
        });
    }
}
