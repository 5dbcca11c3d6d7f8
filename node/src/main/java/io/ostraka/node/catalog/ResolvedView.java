package io.ostraka.node.catalog;

import static io.ostraka.core.error.ErrorCode.COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD;
import static io.ostraka.core.error.ErrorCode.GRAPH_CONTAINS_CYCLE;
import static io.ostraka.core.error.ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW;
import static io.ostraka.core.error.ErrorCode.VIEW_DEPTH_LIMIT_EXCEEDED;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.wire.request.AggregateRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A user's view, followed through the views below it to the collection it shows.
 *
 * @param source the collection; it need not exist
 * @param pipeline what is done to its documents
 * @param collation how strings compare in the view
 */
public record ResolvedView(Namespace source, List<RawDocument> pipeline, Collation collation) {
    /** Views over views. */
    public static final int DEPTH_MAX = 20;

    public ResolvedView {
        pipeline = List.copyOf(pipeline);
    }

    /**
     * What a name stands for, if it is a view's.
     *
     * @throws CommandException 165 ViewDepthLimitExceeded
     */
    public static Optional<ResolvedView> of(Catalog catalog, Namespace namespace) {
        Optional<CollectionEntry> entry = catalog.find(namespace).filter(CollectionEntry::isView);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        Collation collation = entry.get().collation();
        Namespace source = namespace;
        List<RawDocument> pipeline = List.of();
        for (int depth = 1; entry.isPresent(); depth++) {
            if (depth > DEPTH_MAX) {
                throw tooDeep();
            }
            List<RawDocument> all = new ArrayList<>(pipeline(entry.get().options()));
            all.addAll(pipeline);
            pipeline = all;
            source = source(entry.get());
            entry = catalog.find(source).filter(CollectionEntry::isView);
        }
        return Optional.of(new ResolvedView(source, pipeline, collation));
    }

    private static CommandException tooDeep() {
        return VIEW_DEPTH_LIMIT_EXCEEDED.because("View depth limit exceeded; maximum depth is %d", DEPTH_MAX);
    }

    private static Namespace source(CollectionEntry view) {
        return new Namespace(
                view.namespace().database(), view.options().getString("viewOn").getValue());
    }

    private static List<RawDocument> pipeline(BsonDocument options) {
        List<RawDocument> stages = new ArrayList<>();
        options.getArray("pipeline", new BsonArray()).forEach(stage -> stages.add(RawDocument.of(stage.asDocument())));
        return stages;
    }

    /**
     * Checks that a view would not show itself, and how deep it would stand.
     *
     * @throws CommandException 5 GraphContainsCycle or 165 ViewDepthLimitExceeded
     */
    public static void check(Catalog catalog, Namespace view, BsonDocument options) {
        new Graph(catalog, view).visit(options, 1);
    }

    /** The views below a view that is about to be made. One thread, used once. */
    private record Graph(Catalog catalog, Namespace root, Set<Namespace> seen) {
        Graph(Catalog catalog, Namespace root) {
            this(catalog, root, new HashSet<>());
        }

        void visit(BsonDocument options, int depth) {
            if (depth > DEPTH_MAX) {
                throw tooDeep();
            }
            List<String> below = new ArrayList<>(Pipeline.collectionsNamed(pipeline(options)));
            below.add(options.getString("viewOn").getValue());
            for (String name : below) {
                Namespace namespace = new Namespace(root.database(), name);
                if (namespace.equals(root)) {
                    throw GRAPH_CONTAINS_CYCLE.because("View cycle detected: %s shows itself", root);
                }
                Optional<CollectionEntry> entry = catalog.find(namespace).filter(CollectionEntry::isView);
                if (entry.isPresent() && seen.add(namespace)) {
                    visit(entry.get().options(), depth + 1);
                }
            }
        }
    }

    /**
     * An aggregate over the view, as one over the collection.
     *
     * @throws CommandException 167 OptionNotSupportedOnView for another collation than the view's
     */
    public AggregateRequest under(AggregateRequest request) {
        checkCollation(request, collation);
        return request.over(source.collection(), pipeline, RawDocument.of(collation.toDocument()));
    }

    /** @throws CommandException 167 OptionNotSupportedOnView for another collation than the view's */
    public static void checkCollation(AggregateRequest request, Collation ofView) {
        if (request.collation().isPresent()
                && !Collation.of(request.collation()).equals(ofView)) {
            throw OPTION_NOT_SUPPORTED_ON_VIEW.because(
                    "Cannot override a view's default collation: %s has %s", request.namespace(), ofView);
        }
    }

    /** What a shard answers a router that asks it for a view: only the router can read what may be on several shards. */
    public CommandException forRouter(Namespace view) {
        BsonArray stages = new BsonArray();
        pipeline.forEach(stage -> stages.add(stage.toBson()));
        return COMMAND_ON_SHARDED_VIEW_NOT_SUPPORTED_ON_MONGOD
                .because("%s is a view; the router reads %s", view, source)
                .with(new BsonDocument(
                        "resolvedView",
                        new BsonDocument("ns", new BsonString(source.toString()))
                                .append("pipeline", stages)
                                .append("collation", collation.toDocument())));
    }
}
