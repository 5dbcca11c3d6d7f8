package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.BSON_OBJECT_TOO_LARGE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.execute.DistinctValues;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.DistinctRequest;
import io.ostraka.wire.request.RequestLimits;
import java.util.List;
import java.util.TreeSet;
import org.bson.BsonValue;

/** {@code distinct} on a cluster: the union of the shards' values, each once, in the order of values. */
final class DistinctOnCluster implements Command<DistinctRequest> {
    private final ClusterServices services;
    private final ConfigPassage config;
    private final AggregateOnCluster aggregate;

    /** @param aggregate reads views */
    DistinctOnCluster(ClusterServices services, AggregateOnCluster aggregate) {
        this.aggregate = aggregate;
        this.services = services;
        this.config = new ConfigPassage(services);
    }

    @Override
    public String name() {
        return "distinct";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public DistinctRequest parse(Fields fields) {
        return DistinctRequest.parse(fields);
    }

    @Override
    public RawDocument run(DistinctRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, true);
        }
        return ShownView.reading(() -> ofCollection(request, operation), view -> ofView(request, view, operation));
    }

    private RawDocument ofView(DistinctRequest request, ShownView view, Operation operation) {
        DistinctValues values = new DistinctValues(FieldPath.of(request.key()), view.collation());
        try (DocumentStream shown = aggregate.documents(AggregateRequest.of(request), view, operation)) {
            for (RawDocument document = shown.next(); document != null; document = shown.next()) {
                values.add(document);
            }
        }
        return new RawBuilder().put("values", values.values()).build();
    }

    private RawDocument ofCollection(DistinctRequest request, Operation operation) {
        Filter filter = FilterParser.parse(request.query());
        return services.retry()
                .run(
                        new Namespace(request.database(), request.collection()),
                        operation,
                        routing -> values(request, filter, routing, operation));
    }

    private RawDocument values(DistinctRequest request, Filter filter, Routing routing, Operation operation) {
        List<ShardRequest> requests = Targeter.of(routing, filter, request.collation()).shards().stream()
                .map(shard -> ShardRequest.read(
                        shard, routing.addVersions(Forward.of(operation), shard).build()))
                .toList();
        TreeSet<BsonValue> union =
                new TreeSet<>(routing.collation(request.collation()).order());
        for (RawDocument reply : services.gather().replies(request.database(), requests, operation)) {
            RawCursor value = reply.find("values").document().cursor();
            while (value.next()) {
                union.add(value.value());
            }
        }
        RawBuilder all = new RawBuilder().openArray("values");
        int place = 0;
        for (BsonValue value : union) {
            all.put(Integer.toString(place++), value);
            if (all.size() > RequestLimits.DOCUMENT_BYTES) {
                throw BSON_OBJECT_TOO_LARGE.because("distinct too big, 16mb cap");
            }
        }
        return all.close().build();
    }
}
