package io.ostraka.router.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.GeoTests;
import io.ostraka.query.filter.ValueTest;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.MergeOrder;
import io.ostraka.router.gather.MergedCursor;
import io.ostraka.router.gather.OpenOnShards;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.FindRequest;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonBoolean;

/**
 * {@code find} on a cluster.
 *
 * <p>One shard gets the client's command whole. Several get it without skip, with a limit of skip and limit together,
 * and, where the answers must be merged by a sort, without the projection, which may take away what is sorted by; it is
 * then done here.
 */
final class FindOnCluster implements Command<FindRequest> {
    private final ClusterServices services;
    private final ConfigPassage config;
    private final OpenOnShards opener;
    private final AggregateOnCluster aggregate;

    /** @param aggregate reads views */
    FindOnCluster(ClusterServices services, AggregateOnCluster aggregate) {
        this.aggregate = aggregate;
        this.services = services;
        this.config = new ConfigPassage(services);
        this.opener = new OpenOnShards(services.gather(), services.shards(), services.threads(), services.clock());
    }

    @Override
    public String name() {
        return "find";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public FindRequest parse(Fields fields) {
        return FindRequest.parse(fields);
    }

    @Override
    public RawDocument run(FindRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.open(operation, request.namespace(), request.firstBatch(), request.singleBatch());
        }
        return ShownView.reading(
                () -> ofCollection(request, operation),
                view -> aggregate.overView(AggregateRequest.of(request), view, request.singleBatch(), operation));
    }

    private RawDocument ofCollection(FindRequest request, Operation operation) {
        Namespace namespace = new Namespace(request.database(), request.collection());
        Variables variables = Variables.of(request.let(), services.context(operation));
        Filter filter = FilterParser.parse(request.filter().toBson(), variables);
        BatchReply batch = BatchReply.first(request.namespace(), request.firstBatch());
        MergedCursor cursor =
                services.retry().run(namespace, operation, routing -> open(request, filter, routing, batch, operation));
        return services.cursors()
                .open(cursor, request.namespace(), batch, request.singleBatch(), request.noCursorTimeout(), operation);
    }

    private MergedCursor open(
            FindRequest request, Filter filter, Routing routing, BatchReply batch, Operation operation) {
        Target target = Targeter.of(routing, filter, request.collation());
        boolean several = target.shards().size() > 1;
        OpenOnShards.Opened opened = opener.open(
                request.database(),
                target.shards(),
                shard -> command(request, filter, routing, shard, several, operation),
                request.allowPartialResults(),
                operation);
        if (opened.partial()) {
            batch.with("partialResultsReturned", BsonBoolean.TRUE);
        }
        MergedCursor.Shape shape = several
                ? merged(request, filter, routing.collation(request.collation()), operation)
                : new MergedCursor.Shape(Optional.empty(), 0, 0, UnaryOperator.identity(), request.tailable());
        return new MergedCursor(opened.cursors(), shape, services.threads(), services.clock());
    }

    private MergedCursor.Shape merged(FindRequest request, Filter filter, Collation collation, Operation operation) {
        UnaryOperator<RawDocument> last = metadata(request).isEmpty() ? UnaryOperator.identity() : Metadata::without;
        if (projectsHere(request, filter)) {
            Projector projector = Projector.of(
                    Projection.parseFind(
                            request.projection(), Variables.of(request.let(), services.context(operation))),
                    filter,
                    services.context(operation).with(collation));
            last = document -> Metadata.without(projector.apply(document));
        }
        return new MergedCursor.Shape(
                order(request, filter, collation), request.skip(), request.limit(), last, request.tailable());
    }

    private static Optional<MergeOrder> order(FindRequest request, Filter filter, Collation collation) {
        SortPattern sort = SortPattern.parse(request.sort());
        if (!sort.isEmpty()) {
            return Optional.of(MergeOrder.by(sort, collation));
        }
        return GeoTests.near(filter)
                .map(field -> MergeOrder.byDistance(field.path(), ((ValueTest.IsNear) field.test()).near()));
    }

    /** Whether what orders the documents may not be in what is left of them. */
    private static boolean projectsHere(FindRequest request, Filter filter) {
        return !request.projection().isEmpty()
                && (!request.sort().isEmpty()
                        || GeoTests.near(filter).isPresent()
                        || !metadata(request).isEmpty());
    }

    /** What the shards' documents must tell beside what is in them. */
    private static Set<Metadata> metadata(FindRequest request) {
        Set<Metadata> all = Metadata.named(request.projection().toBson());
        all.addAll(Metadata.named(request.sort().toBson()));
        return all;
    }

    /** A projection that keeps all, and tells more. */
    private static RawDocument telling(Set<Metadata> metadata) {
        RawBuilder told = new RawBuilder();
        metadata.forEach(each ->
                told.openDocument(each.field()).put("$meta", each.word()).close());
        return told.build();
    }

    /** The command for one shard. */
    static RawDocument command(
            FindRequest request, Filter filter, Routing routing, ShardId shard, boolean several, Operation operation) {
        return routing.addVersions(body(request, filter, several, operation.request()), shard)
                .build();
    }

    /** The command for a shard, without versions. */
    static RawBuilder body(FindRequest request, Filter filter, boolean several, RawDocument sent) {
        if (!several) {
            return Forward.without(sent, Set.of());
        }
        RawBuilder body = Forward.without(
                sent,
                projectsHere(request, filter)
                        ? Set.of("skip", "limit", "ntoreturn", "singleBatch", "allowPartialResults", "projection")
                        : Set.of("skip", "limit", "ntoreturn", "singleBatch", "allowPartialResults"));
        Set<Metadata> told = metadata(request);
        if (!told.isEmpty()) {
            body.put("projection", telling(told));
        }
        if (request.limit() > 0) {
            long most = request.limit() + request.skip();
            body.put("limit", most > 0 ? most : Long.MAX_VALUE);
        }
        return body;
    }
}
