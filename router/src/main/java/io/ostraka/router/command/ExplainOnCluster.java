package io.ostraka.router.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_FOUND;
import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.run.RunContext;
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
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.CountRequest;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.DistinctRequest;
import io.ostraka.wire.request.ExplainRequest;
import io.ostraka.wire.request.FindAndModifyRequest;
import io.ostraka.wire.request.FindRequest;
import io.ostraka.wire.request.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code explain} on a cluster: which shards a command goes to, why it goes to all where it does, and what each would
 * do.
 */
final class ExplainOnCluster implements Command<ExplainRequest> {
    /** A command made ready for explaining on shards. */
    private record Explained(
            Namespace namespace,
            Filter filter,
            Optional<RawDocument> collation,
            ExplainReply.Kind kind,
            RawDocument whole,
            RawDocument part) {}

    private final ClusterServices services;
    private final ConfigPassage config;
    private final ExplainReply replies;

    ExplainOnCluster(ClusterServices services, ProcessInfo process) {
        this.services = services;
        this.config = new ConfigPassage(services);
        this.replies = new ExplainReply(services, process);
    }

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public Needs needs() {
        return Needs.database("find", Needs.Kind.READ);
    }

    @Override
    public ExplainRequest parse(Fields fields) {
        return ExplainRequest.parse(fields);
    }

    @Override
    public RawDocument run(ExplainRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, true);
        }
        String name = request.command().firstName();
        if ("aggregate".equals(name)) {
            AggregateRequest aggregate = AggregateRequest.parse(explaining(request));
            return aggregate(aggregate, request.command(), request.verbosity(), operation);
        }
        Explained explained = explained(request, services.context(operation));
        return ShownView.reading(
                () -> services.retry()
                        .run(
                                explained.namespace(),
                                operation,
                                routing -> explain(explained, request, routing, operation)),
                view -> ofView(request, view, operation));
    }

    private RawDocument ofView(ExplainRequest request, ShownView view, Operation operation) {
        Fields fields = request.fields();
        AggregateRequest over = switch (String.valueOf(request.command().firstName())) {
            case "find" -> AggregateRequest.of(FindRequest.parse(fields));
            case "count" -> AggregateRequest.of(CountRequest.parse(fields));
            case "distinct" -> AggregateRequest.of(DistinctRequest.parse(fields));
            default ->
                throw COMMAND_NOT_SUPPORTED_ON_VIEW.because(
                        "%s is a view, not a collection",
                        request.command().get(request.command().firstName()));
        };
        AggregateRequest under = view.under(over);
        return overCollection(under, Sent.command(under, operation), request.verbosity(), operation);
    }

    /** The fields of an aggregate, which is its own explain's option. */
    private static Fields explaining(ExplainRequest request) {
        RawDocument command = request.command().find("explain") != null
                ? request.command()
                : new RawBuilder()
                        .elements(request.command())
                        .put("explain", true)
                        .build();
        return new ExplainRequest(request.database(), command, request.verbosity()).fields();
    }

    RawDocument aggregate(AggregateRequest request, Operation operation) {
        if (ConfigPassage.concerns(request.database())) {
            return config.run(operation, true);
        }
        return aggregate(request, operation.request(), ExplainRequest.Verbosity.QUERY_PLANNER, operation);
    }

    private RawDocument aggregate(
            AggregateRequest request, RawDocument sent, ExplainRequest.Verbosity verbosity, Operation operation) {
        AggregateOnCluster.refuseChangeStreams(request.pipeline());
        return ShownView.reading(() -> overCollection(request, sent, verbosity, operation), view -> {
            AggregateRequest under = view.under(request);
            return overCollection(under, Sent.command(under, operation), verbosity, operation);
        });
    }

    private RawDocument overCollection(
            AggregateRequest request, RawDocument sent, ExplainRequest.Verbosity verbosity, Operation operation) {
        Pipeline pipeline =
                Pipeline.parse(request.pipeline(), Variables.of(request.let(), services.context(operation)));
        Namespace namespace = AggregateOnCluster.namespace(request);
        return services.retry().run(namespace, operation, routing -> {
            Target target = Targeter.of(routing, pipeline.pushdown().filter(), request.collation());
            Pipeline.Split split = target.shards().size() > 1 || pipeline.readsOthers() ? pipeline.split() : null;
            RawBuilder command = Forward.without(sent, Set.of("pipeline", "cursor", "explain"));
            command.put(
                    "pipeline",
                    Stage.toBson(
                            split == null ? pipeline.stages() : split.shards().stages()));
            RawDocument forShards = command.openDocument("cursor").close().build();
            List<RawDocument> answers = ask(routing, target, forShards, verbosity, operation);
            return replies.aggregate(target, Optional.ofNullable(split), answers, sent, operation);
        });
    }

    private static Explained explained(ExplainRequest request, RunContext context) {
        Fields fields = request.fields();
        RawDocument command = request.command();
        switch (String.valueOf(command.firstName())) {
            case "find" -> {
                FindRequest find = FindRequest.parse(fields);
                Filter filter = FilterParser.parse(find.filter().toBson(), Variables.of(find.let(), context));
                return new Explained(
                        new Namespace(find.database(), find.collection()),
                        filter,
                        find.collation(),
                        find.sort().isEmpty() ? ExplainReply.Kind.READ : ExplainReply.Kind.SORTED,
                        FindOnCluster.body(find, filter, false, command).build(),
                        FindOnCluster.body(find, filter, true, command).build());
            }
            case "count" -> {
                CountRequest count = CountRequest.parse(fields);
                return new Explained(
                        new Namespace(count.database(), count.collection()),
                        FilterParser.parse(count.query()),
                        count.collation(),
                        ExplainReply.Kind.READ,
                        CountOnCluster.body(count, false, command).build(),
                        CountOnCluster.body(count, true, command).build());
            }
            case "distinct" -> {
                DistinctRequest distinct = DistinctRequest.parse(fields);
                return whole(
                        distinct.database(), distinct.collection(), distinct.query(), ExplainReply.Kind.READ, command);
            }
            case "update" -> {
                UpdateRequest update = UpdateRequest.parse(fields);
                RawDocument filter = update.statements().getFirst().filter();
                return whole(update.database(), update.collection(), filter, ExplainReply.Kind.WRITE, command);
            }
            case "delete" -> {
                DeleteRequest delete = DeleteRequest.parse(fields);
                RawDocument filter = delete.statements().getFirst().filter();
                return whole(delete.database(), delete.collection(), filter, ExplainReply.Kind.WRITE, command);
            }
            case "findAndModify", "findandmodify" -> {
                FindAndModifyRequest modify = FindAndModifyRequest.parse(fields);
                return whole(modify.database(), modify.collection(), modify.query(), ExplainReply.Kind.WRITE, command);
            }
            default ->
                throw COMMAND_NOT_FOUND.because("Explain failed due to unknown command: %s", command.firstName());
        }
    }

    private static Explained whole(
            String database, String collection, RawDocument filter, ExplainReply.Kind kind, RawDocument command) {
        RawDocument body = Forward.without(command, Set.of()).build();
        return new Explained(
                new Namespace(database, collection), FilterParser.parse(filter), Optional.empty(), kind, body, body);
    }

    private RawDocument explain(Explained explained, ExplainRequest request, Routing routing, Operation operation) {
        Target target = Targeter.of(routing, explained.filter(), explained.collation());
        RawDocument command = target.shards().size() > 1 ? explained.part() : explained.whole();
        List<RawDocument> answers = ask(routing, target, command, request.verbosity(), operation);
        return replies.command(explained.kind(), target, answers, request, operation);
    }

    private List<RawDocument> ask(
            Routing routing,
            Target target,
            RawDocument command,
            ExplainRequest.Verbosity verbosity,
            Operation operation) {
        List<ShardRequest> requests = new ArrayList<>();
        target.shards().forEach(shard -> {
            RawBuilder explain =
                    new RawBuilder(command.size() + 256).put("explain", command).put("verbosity", verbosity.word());
            requests.add(
                    ShardRequest.read(shard, routing.addVersions(explain, shard).build()));
        });
        return services.gather().replies(operation.database(), requests, operation);
    }
}
