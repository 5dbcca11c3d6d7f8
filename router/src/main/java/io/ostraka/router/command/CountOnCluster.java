package io.ostraka.router.command;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.ShardRequest;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.CountRequest;
import java.util.List;
import java.util.Set;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * {@code count} on a cluster: the sum of the shards' counts. Of several shards each counts up to skip and limit
 * together; what is skipped is taken off the sum here.
 */
final class CountOnCluster implements Command<CountRequest> {
    private final ClusterServices services;
    private final ConfigPassage config;
    private final AggregateOnCluster aggregate;

    /** @param aggregate reads views */
    CountOnCluster(ClusterServices services, AggregateOnCluster aggregate) {
        this.aggregate = aggregate;
        this.services = services;
        this.config = new ConfigPassage(services);
    }

    @Override
    public String name() {
        return "count";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public CountRequest parse(Fields fields) {
        return CountRequest.parse(fields);
    }

    @Override
    public RawDocument run(CountRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, true);
        }
        long total =
                ShownView.reading(() -> ofCollection(request, operation), view -> ofView(request, view, operation));
        return new RawBuilder().put("n", number(total)).build();
    }

    private long ofView(CountRequest request, ShownView view, Operation operation) {
        try (DocumentStream counted = aggregate.documents(AggregateRequest.of(request), view, operation)) {
            RawDocument row = counted.next();
            return row == null ? 0 : row.get("n").asNumber().longValue();
        }
    }

    private long ofCollection(CountRequest request, Operation operation) {
        Filter filter = FilterParser.parse(request.query());
        return services.retry()
                .run(
                        new Namespace(request.database(), request.collection()),
                        operation,
                        routing -> count(request, filter, routing, operation));
    }

    private static BsonValue number(long total) {
        return total <= Integer.MAX_VALUE ? new BsonInt32((int) total) : new BsonInt64(total);
    }

    private long count(CountRequest request, Filter filter, Routing routing, Operation operation) {
        Target target = Targeter.of(routing, filter, request.collation());
        boolean several = target.shards().size() > 1;
        List<ShardRequest> requests = target.shards().stream()
                .map(shard -> ShardRequest.read(
                        shard,
                        routing.addVersions(body(request, several, operation.request()), shard)
                                .build()))
                .toList();
        long sum = 0;
        for (RawDocument reply : services.gather().replies(request.database(), requests, operation)) {
            sum += reply.find("n").value().asNumber().longValue();
        }
        if (!several) {
            return sum;
        }
        long left = Math.max(0, sum - request.skip());
        return request.limit() == 0 ? left : Math.min(left, request.limit());
    }

    static RawBuilder body(CountRequest request, boolean several, RawDocument sent) {
        if (!several) {
            return Forward.without(sent, Set.of());
        }
        RawBuilder body = Forward.without(sent, Set.of("skip", "limit"));
        long most = request.limit() + request.skip();
        if (request.limit() > 0 && most > 0) {
            body.put("limit", most);
        }
        return body;
    }
}
