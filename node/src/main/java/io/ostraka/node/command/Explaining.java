package io.ostraka.node.command;

import static io.ostraka.wire.request.ExplainRequest.Verbosity.ALL_PLANS_EXECUTION;
import static io.ostraka.wire.request.ExplainRequest.Verbosity.EXECUTION_STATS;
import static io.ostraka.wire.request.ExplainRequest.Verbosity.QUERY_PLANNER;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.CollectionEntry;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.CollectionSource;
import io.ostraka.node.view.PlanChoice;
import io.ostraka.node.view.Selection;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.Trial;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.FilterPrinter;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.plan.PlanNode;
import io.ostraka.query.plan.PlanPrinter;
import io.ostraka.query.plan.QueryShape;
import io.ostraka.query.run.RunContext;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.common.ProcessInfo;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.ExplainRequest.Verbosity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Shows how queries are answered: {@code queryPlanner}, and {@code executionStats} of a run. Nothing is written. */
final class Explaining {
    private final Member member;
    private final ProcessInfo process;
    private final Reading reading;

    Explaining(Member member, ProcessInfo process) {
        this.member = member;
        this.process = process;
        reading = new Reading(member);
    }

    /** What a write does with the documents it finds, as the root of its plan. */
    record Root(String stage) {}

    RawDocument query(
            Namespace namespace,
            FindQuery query,
            Optional<Root> root,
            RawDocument command,
            Verbosity verbosity,
            Operation operation) {
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            BsonDocument shown = new BsonDocument("explainVersion", new BsonString("1"));
            shown.putAll(parts(opened, namespace, query, root, verbosity, operation));
            return finish(shown, command);
        }
    }

    /** A query of which only the different values of a path matter. */
    RawDocument distinct(
            Namespace namespace,
            FindQuery query,
            FieldPath path,
            RawDocument command,
            Verbosity verbosity,
            Operation operation) {
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            Selection selection = Selection.of(query, reading.context(operation).with(query.collation()));
            Optional<PlanNode> scan = opened.collection().flatMap(entry -> selection.distinct(entry, path));
            BsonDocument shown = new BsonDocument("explainVersion", new BsonString("1"));
            shown.putAll(
                    scan.isPresent()
                            ? parts(
                                    opened,
                                    namespace,
                                    selection,
                                    Optional.of(PlanChoice.only(scan.get())),
                                    Optional.empty(),
                                    verbosity)
                            : parts(opened, namespace, query, Optional.empty(), verbosity, operation));
            return finish(shown, command);
        }
    }

    Collation collation(Namespace namespace, Optional<RawDocument> asked) {
        return reading.collation(namespace, asked);
    }

    boolean isView(Namespace namespace, Operation operation) {
        return reading.view(operation, namespace).isPresent();
    }

    /** What a query of this operation may know. */
    RunContext context(Operation operation) {
        return reading.context(operation);
    }

    /** @param all whether plans are run, or only chosen */
    RawDocument aggregate(AggregateRequest request, boolean all, Operation operation) {
        return aggregate(request, operation.request(), all ? EXECUTION_STATS : QUERY_PLANNER, operation);
    }

    RawDocument aggregate(AggregateRequest request, RawDocument command, Verbosity verbosity, Operation operation) {
        Variables variables = Variables.of(request.let(), reading.context(operation));
        Pipeline pipeline = Pipeline.parse(request.pipeline(), variables);
        Namespace namespace =
                new Namespace(request.database(), request.collection().orElse("cmd.aggregate"));
        try (Reading.Opened opened = reading.open(operation, namespace)) {
            Pipeline.Pushdown pushdown = pipeline.pushdown(CollectionSource.definitions(opened.collection()));
            FindQuery query =
                    AggregateCommand.query(request, pushdown, reading.collation(namespace, request.collation()));
            if (pushdown.rest().stages().isEmpty()) {
                return query(namespace, query, Optional.empty(), command, verbosity, operation);
            }
            BsonArray stages = new BsonArray();
            if (!pipeline.hasOwnDocuments()) {
                stages.add(new BsonDocument(
                        "$cursor", parts(opened, namespace, query, Optional.empty(), verbosity, operation)));
            }
            stages.addAll(Stage.toBson(pushdown.rest().stages()));
            BsonDocument shown = new BsonDocument("explainVersion", new BsonString("1")).append("stages", stages);
            return finish(shown, command);
        }
    }

    private BsonDocument parts(
            Reading.Opened opened,
            Namespace namespace,
            FindQuery query,
            Optional<Root> root,
            Verbosity verbosity,
            Operation operation) {
        Selection selection = Selection.of(query, reading.context(operation).with(query.collation()));
        Optional<PlanChoice> choice = opened.collection().map(entry -> selection.choose(opened.view(), entry));
        return parts(opened, namespace, selection, choice, root, verbosity);
    }

    private BsonDocument parts(
            Reading.Opened opened,
            Namespace namespace,
            Selection selection,
            Optional<PlanChoice> choice,
            Optional<Root> root,
            Verbosity verbosity) {
        FindQuery query = selection.query();
        Optional<CollectionEntry> collection = opened.collection();
        PlanNode plan = choice.map(PlanChoice::plan).orElseGet(PlanNode.Eof::new);
        BsonArray rejected = new BsonArray();
        choice.ifPresent(each -> each.rejected().forEach(other -> rejected.add(PlanPrinter.explain(other))));
        BsonDocument winning = PlanPrinter.explain(plan);
        BsonDocument planner = new BsonDocument("namespace", new BsonString(namespace.toString()))
                .append("parsedQuery", FilterPrinter.print(query.filter()))
                .append(
                        "indexFilterSet",
                        BsonBoolean.valueOf(
                                choice.map(PlanChoice::indexFilterSet).orElse(false)))
                .append("queryHash", new BsonString(QueryShape.of(query).hash()))
                .append("planCacheKey", new BsonString(QueryShape.of(query).hash()))
                .append("maxIndexedOrSolutionsReached", BsonBoolean.FALSE)
                .append("maxIndexedAndSolutionsReached", BsonBoolean.FALSE)
                .append("maxScansToExplodeReached", BsonBoolean.FALSE)
                .append("winningPlan", under(root, winning))
                .append("rejectedPlans", rejected);
        BsonDocument parts = new BsonDocument("queryPlanner", planner);
        if (verbosity != QUERY_PLANNER) {
            BsonDocument stats =
                    collection.map(entry -> run(opened, entry, plan, selection)).orElseGet(() -> nothing(plan));
            stats.put("executionStages", under(root, stats.getDocument("executionStages")));
            if (verbosity == ALL_PLANS_EXECUTION) {
                stats.append("allPlansExecution", trials(opened, choice, selection));
            }
            parts.append("executionStats", stats);
        }
        return parts;
    }

    /** What each plan does in a trial; nothing where there is no other than the one that is run. */
    private static BsonArray trials(Reading.Opened opened, Optional<PlanChoice> choice, Selection selection) {
        BsonArray all = new BsonArray();
        if (choice.isPresent() && !choice.get().rejected().isEmpty()) {
            List<PlanNode> plans = new ArrayList<>(List.of(choice.get().plan()));
            plans.addAll(choice.get().rejected());
            Trial.Outcome outcome = Trial.of(
                    plans,
                    new CollectionSource(opened.view(), opened.collection().orElseThrow()),
                    selection.context());
            all.add(outcome.best().counters().ofTrial());
            outcome.others().forEach(score -> all.add(score.counters().ofTrial()));
        }
        return all;
    }

    private BsonDocument run(Reading.Opened opened, CollectionEntry collection, PlanNode plan, Selection selection) {
        long started = member.settings().clock().nanos();
        try (Execution execution =
                Execution.open(plan, new CollectionSource(opened.view(), collection), selection.context())) {
            long unused = execution.count();
            long millis = (member.settings().clock().nanos() - started) / 1_000_000;
            return execution.counters().executionStats(millis);
        }
    }

    private static BsonDocument nothing(PlanNode plan) {
        return new BsonDocument("executionSuccess", BsonBoolean.TRUE)
                .append("nReturned", new BsonInt32(0))
                .append("executionTimeMillis", new BsonInt32(0))
                .append("totalKeysExamined", new BsonInt32(0))
                .append("totalDocsExamined", new BsonInt32(0))
                .append("executionStages", PlanPrinter.explain(plan).append("nReturned", new BsonInt32(0)));
    }

    private static BsonDocument under(Optional<Root> root, BsonDocument plan) {
        return root.map(top -> new BsonDocument("stage", new BsonString(top.stage())).append("inputStage", plan))
                .orElse(plan);
    }

    private RawDocument finish(BsonDocument shown, RawDocument command) {
        String address = member.settings().address().get();
        int colon = address.lastIndexOf(':');
        shown.append("command", command.toBson())
                .append(
                        "serverInfo",
                        new BsonDocument("host", new BsonString(address.substring(0, colon)))
                                .append("port", new BsonInt32(Integer.parseInt(address.substring(colon + 1))))
                                .append("version", new BsonString(ProcessInfo.COMPATIBLE_VERSION))
                                .append("gitVersion", new BsonString(process.git())))
                .append("serverParameters", new BsonDocument());
        return RawDocument.of(shown);
    }
}
