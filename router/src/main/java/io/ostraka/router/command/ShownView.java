package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW;
import static io.ostraka.core.error.ErrorCode.COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD;
import static io.ostraka.core.error.ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.wire.request.AggregateRequest;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/**
 * A view, as its database's primary shard has resolved it for a router: the collection it shows may be on other shards.
 *
 * @param source the collection
 * @param pipeline what is done to its documents
 * @param collation how strings compare in the view
 */
record ShownView(Namespace source, List<RawDocument> pipeline, Collation collation) {
    /**
     * Runs a command as if its name were a collection's; if a shard says that it is a view, runs it over that.
     *
     * @param asCollection must have answered nothing when it throws
     */
    static <T> T reading(Supplier<T> asCollection, Function<ShownView, T> asView) {
        ShownView view;
        try {
            return asCollection.get();
        } catch (CommandException e) {
            if (e.code() != COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD
                    || !e.extra().isDocument("resolvedView")) {
                throw e;
            }
            view = of(e.extra().getDocument("resolvedView"));
        }
        return asView.apply(view);
    }

    private static ShownView of(BsonDocument resolved) {
        return new ShownView(
                Namespace.parse(resolved.getString("ns").getValue()),
                resolved.getArray("pipeline").stream()
                        .map(stage -> RawDocument.of(stage.asDocument()))
                        .toList(),
                Collation.parse(resolved.getDocument("collation")));
    }

    /**
     * The request over the collection.
     *
     * @throws CommandException 166 where it begins with documents of a collection's own
     */
    AggregateRequest under(AggregateRequest request) {
        if (Pipeline.bringsDocuments(request.pipeline())) {
            throw COMMAND_NOT_SUPPORTED_ON_VIEW.because(
                    "Namespace %s is a view, not a collection, which %s needs",
                    request.namespace(), request.pipeline().getFirst().firstName());
        }
        if (request.collation().isPresent()
                && !Collation.of(request.collation()).equals(collation)) {
            throw OPTION_NOT_SUPPORTED_ON_VIEW.because(
                    "Cannot override a view's default collation: %s has %s", request.namespace(), collation);
        }
        return request.over(source.collection(), pipeline, RawDocument.of(collation.toDocument()));
    }
}
