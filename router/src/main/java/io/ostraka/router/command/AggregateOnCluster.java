package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.Forward;
import io.ostraka.router.gather.MergedCursor;
import io.ostraka.router.gather.OpenOnShards;
import io.ostraka.router.gather.StreamCursor;
import io.ostraka.router.routing.Routing;
import io.ostraka.router.target.Target;
import io.ostraka.router.target.Targeter;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.OpenCursor;
import io.ostraka.wire.request.AggregateRequest;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonValue;

/**
 * {@code aggregate} on a cluster. One shard runs the whole pipeline; of several, each runs the first half and the second
 * runs here, on their documents merged by the order they come in.
 */
final class AggregateOnCluster implements Command<AggregateRequest> {
    private final ClusterServices services;
    private final ConfigPassage config;
    private final OpenOnShards opener;
    private final OutsideDocuments outside;
    private final ExplainOnCluster explain;

    AggregateOnCluster(ClusterServices services, OutsideDocuments outside, ExplainOnCluster explain) {
        this.services = services;
        this.config = new ConfigPassage(services);
        this.opener = new OpenOnShards(services.gather(), services.shards(), services.threads(), services.clock());
        this.outside = outside;
        this.explain = explain;
    }

    @Override
    public String name() {
        return "aggregate";
    }

    @Override
    public Needs needs() {
        return Needs.read("find");
    }

    @Override
    public AggregateRequest parse(Fields fields) {
        return AggregateRequest.parse(fields);
    }

    @Override
    public RawDocument run(AggregateRequest request, Operation operation) {
        if (request.explain()) {
            return explain.aggregate(request, operation);
        }
        refuseChangeStreams(request.pipeline());
        boolean onConfig = ConfigPassage.concerns(request.database());
        if (onConfig && request.collection().isPresent()) {
            return config.open(operation, request.namespace(), request.firstBatch(), false);
        }
        Pipeline pipeline = Pipeline.parse(request.pipeline());
        OpenCursor cursor = pipeline.hasOwnDocuments()
                ? ofOutside(request, pipeline, operation)
                : ofCollection(request, pipeline, operation);
        BatchReply batch = BatchReply.first(request.namespace(), request.firstBatch());
        return services.cursors().open(cursor, request.namespace(), batch, false, false, operation);
    }

    static void refuseChangeStreams(List<RawDocument> pipeline) {
        if (!pipeline.isEmpty() && "$changeStream".equals(pipeline.getFirst().firstName())) {
            throw COMMAND_NOT_SUPPORTED.because("change streams are not supported by this version");
        }
    }

    private OpenCursor ofOutside(AggregateRequest request, Pipeline pipeline, Operation operation) {
        if (pipeline.stages().getFirst() instanceof Stage.FromOutside(var name, var source)) {
            DocumentStream rows = outside.rows(name, source, request, operation);
            Pipeline rest =
                    new Pipeline(pipeline.stages().subList(1, pipeline.stages().size()));
            return new StreamCursor(operation, current -> rest.open(rows, context(current)));
        }
        return new StreamCursor(operation, current -> pipeline.open(DocumentStream.of(List.of()), context(current)));
    }

    private RunContext context(StreamCursor.Current current) {
        RunContext now = services.context(current.operation());
        return new RunContext(
                now.nowMillis(), now.clusterTime(), () -> current.operation().checkAlive(), now.random(), now.limits());
    }

    private OpenCursor ofCollection(AggregateRequest request, Pipeline pipeline, Operation operation) {
        Namespace namespace = namespace(request);
        return services.retry().run(namespace, operation, routing -> open(request, pipeline, routing, operation));
    }

    static Namespace namespace(AggregateRequest request) {
        String collection = request.collection()
                .orElseThrow(
                        () -> INVALID_NAMESPACE.because(
                                "{aggregate: 1} is not valid for this pipeline: name a collection, or begin with a stage that needs none"));
        return new Namespace(request.database(), collection);
    }

    private OpenCursor open(AggregateRequest request, Pipeline pipeline, Routing routing, Operation operation) {
        Target target = Targeter.of(routing, pipeline.pushdown().filter(), request.collation());
        if (target.shards().size() <= 1) {
            List<RawDocument> whole = request.pipeline();
            OpenOnShards.Opened opened = opener.open(
                    request.database(),
                    target.shards(),
                    shard -> whole(whole, routing, shard, operation),
                    false,
                    operation);
            // Without any shard there are no documents, but a pipeline such as $count may answer all the same.
            return target.shards().isEmpty()
                    ? new StreamCursor(
                            operation, current -> pipeline.open(DocumentStream.of(List.of()), context(current)))
                    : new MergedCursor(
                            opened.cursors(), MergedCursor.Shape.PLAIN, services.threads(), services.clock());
        }
        Pipeline.Split split = pipeline.split();
        OpenOnShards.Opened opened = opener.open(
                request.database(), target.shards(), shard -> half(split, routing, shard, operation), false, operation);
        MergedCursor merged = new MergedCursor(
                opened.cursors(),
                new MergedCursor.Shape(
                        split.mergeOrder().orElse(SortPattern.NATURAL), 0, 0, UnaryOperator.identity(), false),
                services.threads(),
                services.clock());
        Pipeline rest = split.routerAfterMerge();
        if (rest.stages().isEmpty()) {
            return merged;
        }
        return new StreamCursor(operation, current -> rest.open(stream(merged, current), context(current)));
    }

    private static RawDocument whole(List<RawDocument> pipeline, Routing routing, ShardId shard, Operation operation) {
        RawBuilder command =
                Forward.without(operation.request(), Set.of("pipeline")).openArray("pipeline");
        for (int i = 0; i < pipeline.size(); i++) {
            command.put(Integer.toString(i), pipeline.get(i));
        }
        return routing.addVersions(command.close(), shard).build();
    }

    /** A shard's command for the first half. */
    private static RawDocument half(Pipeline.Split split, Routing routing, ShardId shard, Operation operation) {
        boolean plain = split.router().stages().isEmpty();
        RawBuilder command =
                Forward.without(operation.request(), plain ? Set.of("pipeline") : Set.of("pipeline", "cursor"));
        command.put("pipeline", (BsonValue) Stage.toBson(split.shards().stages()));
        if (!plain) {
            command.openDocument("cursor").close(); // a half's documents are all needed: as many as fit
        }
        return routing.addVersions(command, shard).build();
    }

    private static DocumentStream stream(MergedCursor merged, StreamCursor.Current current) {
        return new DocumentStream() {
            @Override
            public RawDocument next() {
                return merged.take(current.operation());
            }

            @Override
            public void close() {
                merged.close();
            }
        };
    }
}
