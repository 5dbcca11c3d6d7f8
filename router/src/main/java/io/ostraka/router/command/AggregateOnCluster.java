package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.router.gather.ClusterServices;
import io.ostraka.router.gather.MergeOrder;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

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
    private final OutputOnCluster output;

    AggregateOnCluster(
            ClusterServices services, OutsideDocuments outside, ExplainOnCluster explain, OutputOnCluster output) {
        this.output = output;
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
        boolean ofRouter = !request.pipeline().isEmpty()
                && "$listSessions".equals(request.pipeline().getFirst().firstName());
        if (onConfig && request.collection().isPresent() && !ofRouter) {
            return config.open(operation, request.namespace(), request.firstBatch(), false);
        }
        if (Pipeline.endsByWriting(request.pipeline())) {
            write(request, operation);
            return BatchReply.first(request.namespace(), request.firstBatch()).finish(0);
        }
        return ShownView.reading(
                () -> opened(request, asSent(request, operation), false, operation),
                view -> overView(request, view, false, operation));
    }

    /** Answers an aggregate over what a view shows. */
    RawDocument overView(AggregateRequest request, ShownView view, boolean singleBatch, Operation operation) {
        return opened(request, inPlaceOf(request, view, operation), singleBatch, operation);
    }

    private void write(AggregateRequest request, Operation operation) {
        operation.refuseInTransaction("$out and $merge");
        Variables variables = Variables.of(request.let(), services.context(operation));
        Stage writer = Pipeline.parse(request.pipeline(), variables).writer().orElseThrow();
        AggregateRequest reading = request.withoutLast();
        Pipeline pipeline = Pipeline.parse(reading.pipeline(), variables);
        try (DocumentStream documents = pipeline.hasOwnDocuments()
                ? ofOutside(reading, pipeline, new StreamCursor.Current(operation), operation)
                : ShownView.reading(
                        () -> documents(reading, pipeline, Sent.own(reading, variables, operation), operation),
                        view -> documents(reading, view, operation))) {
            output.write(writer, request.database(), request.bypassValidation(), documents, operation);
        }
    }

    private DocumentStream documents(AggregateRequest request, Pipeline pipeline, Sent sent, Operation operation) {
        Half half = half(request, pipeline, sent, operation);
        StreamCursor.Current current = new StreamCursor.Current(operation);
        return half.rest().open(stream(half.shards(), current), context(request.database(), half.collation(), current));
    }

    private RawDocument opened(AggregateRequest request, OpenCursor cursor, boolean singleBatch, Operation operation) {
        BatchReply batch = BatchReply.first(request.namespace(), request.firstBatch());
        return services.cursors().open(cursor, request.namespace(), batch, singleBatch, false, operation);
    }

    private OpenCursor asSent(AggregateRequest request, Operation operation) {
        Variables variables = Variables.of(request.let(), services.context(operation));
        Pipeline pipeline = Pipeline.parse(request.pipeline(), variables);
        return pipeline.hasOwnDocuments()
                ? new StreamCursor(operation, current -> ofOutside(request, pipeline, current, operation))
                : ofCollection(request, pipeline, Sent.own(request, variables, operation), operation);
    }

    private OpenCursor inPlaceOf(AggregateRequest request, ShownView view, Operation operation) {
        Variables variables = Variables.of(request.let(), services.context(operation));
        AggregateRequest under = view.under(request);
        Pipeline pipeline = Pipeline.parse(under.pipeline(), variables);
        return ofCollection(under, pipeline, Sent.instead(under, variables, operation), operation);
    }

    /** All documents of an aggregate over a view at once. The caller closes them. */
    DocumentStream documents(AggregateRequest request, ShownView view, Operation operation) {
        Variables variables = Variables.of(request.let(), services.context(operation));
        AggregateRequest under = view.under(request);
        Pipeline pipeline = Pipeline.parse(under.pipeline(), variables);
        return documents(under, pipeline, Sent.instead(under, variables, operation), operation);
    }

    static void refuseChangeStreams(List<RawDocument> pipeline) {
        if (!pipeline.isEmpty() && "$changeStream".equals(pipeline.getFirst().firstName())) {
            throw COMMAND_NOT_SUPPORTED.because("change streams are not supported by this version");
        }
    }

    private DocumentStream ofOutside(
            AggregateRequest request, Pipeline pipeline, StreamCursor.Current current, Operation operation) {
        RunContext context = context(request.database(), Collation.of(request.collation()), current);
        if (pipeline.stages().getFirst() instanceof Stage.FromOutside(var name, var source)) {
            DocumentStream rows = outside.rows(name, source, request, operation);
            return new Pipeline(pipeline.stages().subList(1, pipeline.stages().size())).open(rows, context);
        }
        return pipeline.open(DocumentStream.of(List.of()), context);
    }

    private RunContext context(String database, Collation collation, StreamCursor.Current current) {
        RunContext now = services.context(current.operation());
        return new RunContext(
                now.nowMillis(),
                now.clusterTime(),
                () -> current.operation().checkAlive(),
                now.random(),
                now.limits(),
                collation,
                now.spill(),
                (collection, pipeline, let) -> foreign(database, collection, pipeline, let, collation, current));
    }

    /** Another collection, read as an aggregate of its own, on behalf of whoever pulls. */
    private DocumentStream foreign(
            String database,
            Optional<String> collection,
            List<RawDocument> stages,
            BsonDocument let,
            Collation collation,
            StreamCursor.Current current) {
        Operation operation = current.operation();
        Variables variables = Variables.of(let, services.context(operation));
        Pipeline pipeline = Pipeline.parse(stages, variables);
        if (collection.isEmpty()) {
            return pipeline.open(DocumentStream.of(List.of()), context(database, collation, current));
        }
        Sent sent = Sent.foreign(collection.get(), stages, variables, collation, operation);
        Half half = ShownView.reading(() -> half(database, collection.get(), pipeline, sent, operation), view -> {
            List<RawDocument> all = new ArrayList<>(view.pipeline());
            all.addAll(stages);
            String source = view.source().collection();
            return half(
                    database,
                    source,
                    Pipeline.parse(all, variables),
                    Sent.foreign(source, all, variables, collation, operation),
                    operation);
        });
        return half.rest().open(stream(half.shards(), current), context(database, half.collation(), current));
    }

    private Half half(String database, String collection, Pipeline pipeline, Sent sent, Operation operation) {
        return services.retry()
                .run(
                        new Namespace(database, collection),
                        operation,
                        routing -> open(database, sent, pipeline, routing, operation));
    }

    private Half half(AggregateRequest request, Pipeline pipeline, Sent sent, Operation operation) {
        Namespace namespace = namespace(request);
        return half(namespace.database(), namespace.collection(), pipeline, sent, operation);
    }

    private OpenCursor ofCollection(AggregateRequest request, Pipeline pipeline, Sent sent, Operation operation) {
        Half half = half(request, pipeline, sent, operation);
        if (half.rest().stages().isEmpty()) {
            return half.shards();
        }
        return new StreamCursor(
                operation,
                current -> half.rest()
                        .open(stream(half.shards(), current), context(request.database(), half.collation(), current)));
    }

    static Namespace namespace(AggregateRequest request) {
        String collection = request.collection()
                .orElseThrow(
                        () -> INVALID_NAMESPACE.because(
                                "{aggregate: 1} is not valid for this pipeline: name a collection, or begin with a stage that needs none"));
        return new Namespace(request.database(), collection);
    }

    /** The shards' documents, and what is left to do with them here. */
    private record Half(MergedCursor shards, Pipeline rest, Collation collation) {}

    /** What runs here needs to know how strings compare; of what is not tracked only its shard knows. */
    private Collation collation(Routing routing, Sent sent, Pipeline pipeline, Operation operation) {
        boolean unknown = sent.collation().isEmpty()
                && routing.table().isEmpty()
                && !routing.isNowhere()
                && pipeline.readsOthers();
        if (!unknown) {
            return routing.collation(sent.collation());
        }
        RawDocument named = new RawBuilder()
                .put("listCollections", 1)
                .openDocument("filter")
                .put("name", routing.namespace().collection())
                .close()
                .build();
        OpenOnShards.Opened opened = opener.open(
                routing.namespace().database(),
                Set.of(routing.primary()),
                _ -> new RawBuilder()
                        .elements(named)
                        .put("databaseVersion", routing.database().orElseThrow().version())
                        .build(),
                false,
                operation);
        List<Collation> found = new ArrayList<>();
        opened.cursors().getFirst().forEach(operation, row -> {
            RawCursor rules = FieldPath.of("options.collation").find(row);
            found.add(rules == null ? Collation.SIMPLE : Collation.of(Optional.of(rules.document())));
        });
        return found.isEmpty() ? Collation.SIMPLE : found.getFirst();
    }

    private Half open(String database, Sent sent, Pipeline pipeline, Routing routing, Operation operation) {
        Collation collation = collation(routing, sent, pipeline, operation);
        Target target = Targeter.of(routing, pipeline.pushdown().filter(), sent.collation());
        if (target.shards().size() <= 1 && !pipeline.readsOthers()) {
            OpenOnShards.Opened opened =
                    opener.open(database, target.shards(), shard -> sent.whole(routing, shard), false, operation);
            MergedCursor cursor =
                    new MergedCursor(opened.cursors(), MergedCursor.Shape.PLAIN, services.threads(), services.clock());
            // Without any shard there are no documents, but a pipeline such as $count may answer all the same.
            return new Half(cursor, target.shards().isEmpty() ? pipeline : new Pipeline(List.of()), collation);
        }
        Pipeline.Split split = pipeline.split();
        OpenOnShards.Opened opened =
                opener.open(database, target.shards(), shard -> sent.half(split, routing, shard), false, operation);
        MergedCursor merged = new MergedCursor(
                opened.cursors(),
                new MergedCursor.Shape(
                        split.mergeOrder().map(sort -> MergeOrder.by(sort, collation)),
                        0,
                        0,
                        UnaryOperator.identity(),
                        false),
                services.threads(),
                services.clock());
        return new Half(merged, split.routerAfterMerge(), collation);
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
