package io.ostraka.node.command;

import static io.ostraka.core.error.ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW;
import static io.ostraka.core.error.ErrorCode.INVALID_NAMESPACE;
import static io.ostraka.core.error.ErrorCode.UNRECOGNIZED_STAGE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.Namespace;
import io.ostraka.node.catalog.ResolvedView;
import io.ostraka.node.member.Member;
import io.ostraka.node.view.CollectionSource;
import io.ostraka.node.view.Selection;
import io.ostraka.node.watch.ChangeStream;
import io.ostraka.node.watch.StreamSpec;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.pipeline.Stage;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.run.SpillSpace;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.request.AggregateRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.bson.BsonDocument;

/**
 * {@code aggregate}: documents through a pipeline.
 *
 * <pre>{ aggregate: name | 1, pipeline: [ … ], cursor: { batchSize? }, hint?, explain? }  →  { cursor: { firstBatch, id, ns } }</pre>
 *
 * What the pipeline begins with is given to the planner, so that it can use indexes.
 */
final class AggregateCommand implements Command<AggregateRequest> {
    private final Member member;
    private final Reading reading;
    private final CursorRegistry cursors;
    private final Map<String, OutsideStage> outside;
    private final Explaining explaining;
    private final PipelineOutput output;

    AggregateCommand(
            Member member,
            CursorRegistry cursors,
            Map<String, OutsideStage> outside,
            Explaining explaining,
            PipelineOutput output) {
        this.output = output;
        this.member = member;
        this.cursors = cursors;
        this.outside = Map.copyOf(outside);
        this.explaining = explaining;
        reading = new Reading(member);
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

    /** The part of a pipeline that a query does. */
    static FindQuery query(AggregateRequest request, Pipeline.Pushdown pushdown, Collation collation) {
        FindQuery query = QueryWords.of(RawDocument.EMPTY, RawDocument.EMPTY, request.hint());
        return new FindQuery(
                pushdown.filter(),
                pushdown.sort(),
                Optional.empty(),
                0,
                pushdown.limit(),
                query.hint(),
                query.backwards(),
                false,
                collation,
                pushdown.told());
    }

    @Override
    public RawDocument run(AggregateRequest request, Operation operation) {
        return run(request, false, operation);
    }

    /** @param singleBatch whether the cursor ends with its first batch */
    RawDocument run(AggregateRequest asked, boolean singleBatch, Operation operation) {
        if (isChangeStream(asked)) {
            return watch(asked, operation);
        }
        AggregateRequest request = resolved(asked, operation);
        if (request.explain()) {
            return explaining.aggregate(request, false, operation);
        }
        if (Pipeline.endsByWriting(request.pipeline())) {
            write(request, operation);
            return FirstBatch.of(List.of(), asked.namespace(), OptionalInt.empty(), cursors, operation);
        }
        return cursors.open(
                cursor(request, operation),
                asked.namespace(),
                BatchReply.first(asked.namespace(), request.firstBatch()),
                singleBatch,
                false,
                operation);
    }

    private static boolean isChangeStream(AggregateRequest request) {
        return !request.pipeline().isEmpty()
                && "$changeStream".equals(request.pipeline().getFirst().firstName());
    }

    private RawDocument watch(AggregateRequest request, Operation operation) {
        operation.refuseInTransaction("$changeStream");
        reading.awaitConcern(operation);
        DocumentCursor.Puller puller = new DocumentCursor.Puller(operation.unhurried());
        RunContext context = member.context(puller);
        List<RawDocument> stages =
                request.pipeline().subList(1, request.pipeline().size());
        StreamPipeline.check(stages);
        Pipeline rest = Pipeline.parse(stages, Variables.of(request.let(), context));
        StreamSpec spec = StreamSpec.parse(
                request.database(),
                request.collection(),
                request.pipeline().getFirst().get("$changeStream"));
        ChangeStream stream =
                ChangeStream.open(member.views(), spec, event -> StreamPipeline.apply(rest, event, context));
        return cursors.open(
                stream,
                request.namespace(),
                BatchReply.first(request.namespace(), request.firstBatch()),
                false,
                false,
                operation);
    }

    private void write(AggregateRequest request, Operation operation) {
        operation.refuseInTransaction("$out and $merge");
        Variables variables = Variables.of(request.let(), member.context(operation::checkAlive));
        Pipeline pipeline = Pipeline.parse(request.pipeline(), variables);
        try (DocumentStream documents = cursor(request.withoutLast(), operation).documents()) {
            output.write(
                    pipeline.writer().orElseThrow(),
                    request.database(),
                    request.bypassValidation(),
                    documents,
                    operation);
        }
    }

    /** All documents of an aggregate at once, for commands that make something else of them. The caller closes it. */
    DocumentStream documents(AggregateRequest asked, Operation operation) {
        return cursor(resolved(asked, operation), operation).documents();
    }

    /** The request over the collection that a view shows. */
    AggregateRequest resolved(AggregateRequest request, Operation operation) {
        Optional<ResolvedView> view =
                request.collection().flatMap(name -> reading.view(operation, new Namespace(request.database(), name)));
        if (view.isEmpty()) {
            return request;
        }
        if (Pipeline.bringsDocuments(request.pipeline())) {
            throw COMMAND_NOT_SUPPORTED_ON_VIEW.because(
                    "Namespace %s is a view, not a collection, which %s needs",
                    request.namespace(), request.pipeline().getFirst().firstName());
        }
        return view.get().under(request);
    }

    private Collation collation(AggregateRequest request) {
        return request.collection()
                .map(name -> reading.collation(new Namespace(request.database(), name), request.collation()))
                .orElseGet(() -> Collation.of(request.collation()));
    }

    private DocumentCursor cursor(AggregateRequest request, Operation operation) {
        DocumentCursor.Puller puller = new DocumentCursor.Puller(operation);
        RunContext plain = member.context(puller).with(collation(request));
        if (!request.allowDiskUse()) {
            plain = plain.with(SpillSpace.NONE);
        }
        Pipeline pipeline = Pipeline.parse(request.pipeline(), Variables.of(request.let(), plain));
        if (request.collection().isEmpty() && !pipeline.hasOwnDocuments()) {
            throw INVALID_NAMESPACE.because(
                    "{aggregate: 1} is not valid for '%s'; a collection is required.",
                    request.pipeline().isEmpty()
                            ? "an empty pipeline"
                            : request.pipeline().getFirst().firstName());
        }
        Reading.Opened opened = open(request, operation);
        RunContext context = ForeignReads.in(opened.view(), request.database(), plain);
        try {
            return new DocumentCursor(stream(request, pipeline, opened, context, operation), opened, puller);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private Reading.Opened open(AggregateRequest request, Operation operation) {
        if (request.collection().isEmpty()) {
            return new Reading.Opened(reading.view(operation), Optional.empty());
        }
        return reading.open(
                operation,
                new Namespace(request.database(), request.collection().get()));
    }

    private DocumentStream stream(
            AggregateRequest request,
            Pipeline pipeline,
            Reading.Opened opened,
            RunContext context,
            Operation operation) {
        if (pipeline.hasOwnDocuments()) {
            return pipeline.open(ownDocuments(request, pipeline, opened, operation), context);
        }
        Pipeline.Pushdown pushdown = pipeline.pushdown(CollectionSource.definitions(opened.collection()));
        Selection selection = Selection.of(query(request, pushdown, context.collation()), context);
        DocumentStream documents = opened.collection()
                .map(collection -> selection.open(opened.view(), collection))
                .map(Execution::documents)
                .orElseGet(() -> DocumentStream.of(List.of()));
        return pushdown.rest().open(documents, context);
    }

    private DocumentStream ownDocuments(
            AggregateRequest request, Pipeline pipeline, Reading.Opened opened, Operation operation) {
        if (!(pipeline.stages().getFirst() instanceof Stage.FromOutside(var name, var source))) {
            return DocumentStream.of(List.of());
        }
        OutsideStage stage = outside.get(name);
        if (stage == null) {
            throw UNRECOGNIZED_STAGE.because("Unrecognized pipeline stage name: '%s'", name);
        }
        BsonDocument options = source.isDocument() ? source.asDocument() : new BsonDocument();
        return DocumentStream.of(stage.documents(opened, request.namespace(), options, operation));
    }
}
