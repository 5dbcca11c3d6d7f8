package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.catalog.ResolvedView;
import io.ostraka.node.member.Member;
import io.ostraka.node.write.CollectionWriter;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.CreateRequest;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * {@code create}: makes a collection or a view.
 *
 * <pre>
 * { create: name, capped?, size?, max?, validator?, validationLevel?, validationAction? }  →  { }
 * { create: name, timeseries: { timeField, metaField?, granularity? }, expireAfterSeconds? }  →  { }
 * { create: name, clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds? }  →  { }
 * { create: name, viewOn: name, pipeline?: [ … ] }  →  { }
 * </pre>
 *
 * One that is there already with the same options is left as it is; with others the answer is 48. A time series is kept
 * document by document, as any collection.
 */
final class CreateCommand implements Command<CreateRequest> {
    private static final Set<String> OF_VIEWS = Set.of("viewOn", "pipeline", "collation");

    private final Member member;

    CreateCommand(Member member) {
        this.member = member;
    }

    @Override
    public String name() {
        return "create";
    }

    @Override
    public Needs needs() {
        return Needs.write("createCollection");
    }

    @Override
    public CreateRequest parse(Fields fields) {
        return CreateRequest.parse(fields);
    }

    @Override
    public RawDocument run(CreateRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        member.settings().guard().arrive(operation, namespace);
        BsonDocument options = options(request);
        if (request.viewOn().isPresent()) {
            ResolvedView.check(member.views().catalog(), namespace, options);
        }
        CollectionWriter.Definition definition = new CollectionWriter.Definition(
                Optional.empty(), options, capped(request), KindOptions.indexes(options), Optional.empty());
        boolean unused = member.collections().create(namespace, definition, operation);
        return RawDocument.EMPTY;
    }

    /** The options that are kept, after those that cannot be have been refused. */
    static BsonDocument options(CreateRequest request) {
        if (request.viewOn().isPresent()) {
            return view(request, request.viewOn().get());
        }
        if (request.pipeline().isPresent()) {
            throw INVALID_OPTIONS.because("'pipeline' requires 'viewOn' to also be specified");
        }
        return CollectionOptions.validated(
                KindOptions.checked(CollectionOptions.collated(request.options().toBson()), request),
                request.database(),
                request.validator(),
                request.validationLevel(),
                request.validationAction());
    }

    private static BsonDocument view(CreateRequest request, String viewOn) {
        BsonDocument options = CollectionOptions.collated(request.options().toBson());
        for (String name : options.keySet()) {
            if (!OF_VIEWS.contains(name)) {
                throw INVALID_OPTIONS.because("option not supported on a view: '%s'", name);
            }
        }
        Namespace namespace = new Namespace(request.database(), request.collection());
        return CollectionOptions.view(options, namespace, viewOn, request.pipeline());
    }

    static Optional<CollectionEntry.Capped> capped(CreateRequest request) {
        if (!request.capped()) {
            return Optional.empty();
        }
        if (request.size().isEmpty() || request.size().getAsLong() == 0) {
            throw INVALID_OPTIONS.because("the 'size' field is required when 'capped' is true");
        }
        long bytes = Math.max(4096, request.size().getAsLong() + 255 & ~255L);
        return Optional.of(new CollectionEntry.Capped(bytes, request.max().orElse(0)));
    }
}
