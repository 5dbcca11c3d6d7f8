package io.ostraka.router;

import static io.ostraka.core.error.ErrorCode.DUPLICATE_KEY;
import static io.ostraka.core.error.ErrorCode.STALE_CONFIG;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.placement.PlacementVersion;
import io.ostraka.core.placement.RoutingTable;
import io.ostraka.core.placement.ShardId;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.update.UpdateContext;
import io.ostraka.query.update.UpdateParser;
import io.ostraka.query.update.Updater;
import io.ostraka.wire.command.Command;
import io.ostraka.wire.command.Fields;
import io.ostraka.wire.command.Needs;
import io.ostraka.wire.command.Operation;
import io.ostraka.wire.cursor.BatchReply;
import io.ostraka.wire.cursor.CursorRegistry;
import io.ostraka.wire.cursor.GetMoreCommand;
import io.ostraka.wire.cursor.KillCursorsCommand;
import io.ostraka.wire.cursor.OpenCursor;
import io.ostraka.wire.request.AggregateRequest;
import io.ostraka.wire.request.CountRequest;
import io.ostraka.wire.request.DeleteRequest;
import io.ostraka.wire.request.DistinctRequest;
import io.ostraka.wire.request.FindRequest;
import io.ostraka.wire.request.InsertRequest;
import io.ostraka.wire.request.Modification;
import io.ostraka.wire.request.UpdateRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** One shard: a list of documents that checks the versions of requests against the cluster's table. */
final class FakeShard {
    private record Of<R>(String name, Function<Fields, R> grammar, BiFunction<R, Operation, RawDocument> rule)
            implements Command<R> {
        @Override
        public Needs needs() {
            return Needs.internal(Needs.Kind.READ);
        }

        @Override
        public R parse(Fields fields) {
            return grammar.apply(fields);
        }

        @Override
        public RawDocument run(R request, Operation operation) {
            return rule.apply(request, operation);
        }
    }

    private final FakeCluster cluster;
    private final ShardId id;
    private final String address;
    private final CursorRegistry cursors = FakeCluster.registry();
    private final List<RawDocument> documents = new ArrayList<>();
    final AtomicInteger requests = new AtomicInteger();
    /** What happens, once, before the next update is looked at. */
    final java.util.concurrent.atomic.AtomicReference<Runnable> beforeUpdate =
            new java.util.concurrent.atomic.AtomicReference<>(() -> {});
    /** Released by every update that was done. */
    final java.util.concurrent.Semaphore updated = new java.util.concurrent.Semaphore(0);

    FakeShard(FakeCluster cluster, ShardId id, int port) {
        this.cluster = cluster;
        this.id = id;
        this.address = id + ":" + port;
    }

    ShardId id() {
        return id;
    }

    String address() {
        return address;
    }

    CursorRegistry cursors() {
        return cursors;
    }

    BsonDocument row() {
        return new BsonDocument("_id", new BsonString(id.name())).append("host", new BsonString(id + "/" + address));
    }

    synchronized List<RawDocument> all() {
        return List.copyOf(documents);
    }

    synchronized void put(RawDocument document) {
        documents.add(document);
    }

    synchronized void remove(RawDocument document) {
        documents.remove(document);
    }

    List<Command<?>> commands() {
        return List.of(
                new Of<>("find", FindRequest::parse, this::find),
                new Of<>("count", CountRequest::parse, this::count),
                new Of<>("distinct", DistinctRequest::parse, this::distinct),
                new Of<>("aggregate", AggregateRequest::parse, this::aggregate),
                new Of<>("insert", InsertRequest::parse, this::insert),
                new Of<>("update", UpdateRequest::parse, this::update),
                new Of<>("delete", DeleteRequest::parse, this::delete),
                new Of<>("explain", Fields::ignoreUnknown, (_, operation) -> explain(operation)),
                new GetMoreCommand(cursors),
                new KillCursorsCommand(cursors));
    }

    private void check(String collection, Operation operation) {
        requests.incrementAndGet();
        if (!collection.equals(FakeCluster.THINGS.collection())) {
            return;
        }
        RoutingTable table = cluster.table();
        PlacementVersion sent = PlacementVersion.of(
                operation.options().shardVersion().orElseThrow().toBson());
        if (!sent.agreesWith(table.versionOf(id))) {
            throw STALE_CONFIG.because("%s has %s, was sent %s", id, table.versionOf(id), sent);
        }
    }

    static RunContext context() {
        return new RunContext(0, new BsonTimestamp(1, 1), () -> {}, new Random(1), QueryLimits.DEFAULT);
    }

    private List<RawDocument> matching(RawDocument query) {
        DocumentTest test = FilterCompiler.compile(FilterParser.parse(query), context());
        return all().stream().filter(test::test).toList();
    }

    private RawDocument find(FindRequest request, Operation operation) {
        check(request.collection(), operation);
        boolean here = request.collection().equals(FakeCluster.THINGS.collection());
        List<RawDocument> found = new ArrayList<>(here ? matching(request.filter()) : List.of());
        if (!request.sort().isEmpty()) {
            SortPattern sort = SortPattern.parse(request.sort());
            found.sort((one, other) -> Arrays.compareUnsigned(
                    sort.keyOf(one).bytes(), sort.keyOf(other).bytes()));
        }
        long end = request.limit() == 0 ? found.size() : Math.min(found.size(), request.skip() + request.limit());
        List<RawDocument> cut = found.subList((int) Math.min(request.skip(), end), (int) end);
        return open(cut, request.namespace(), request.firstBatch(), request.singleBatch(), operation);
    }

    private RawDocument open(List<RawDocument> rows, String namespace, int batch, boolean single, Operation operation) {
        return cursors.open(
                new ListCursor(rows), namespace, BatchReply.first(namespace, batch), single, false, operation);
    }

    private RawDocument count(CountRequest request, Operation operation) {
        check(request.collection(), operation);
        long n = Math.max(0, matching(request.query()).size() - request.skip());
        return new RawBuilder()
                .put("n", (int) (request.limit() == 0 ? n : Math.min(n, request.limit())))
                .build();
    }

    private RawDocument distinct(DistinctRequest request, Operation operation) {
        check(request.collection(), operation);
        BsonArray values = new BsonArray();
        for (RawDocument document : matching(request.query())) {
            if (!values.contains(document.get(request.key()))) {
                values.add(document.get(request.key()));
            }
        }
        return RawDocument.of(new BsonDocument("values", values));
    }

    private RawDocument aggregate(AggregateRequest request, Operation operation) {
        check(request.collection().orElseThrow(), operation);
        List<RawDocument> rows = Pipeline.parse(request.pipeline())
                .open(DocumentStream.of(all()), context())
                .toList();
        return open(rows, request.namespace(), request.firstBatch(), false, operation);
    }

    private synchronized RawDocument insert(InsertRequest request, Operation operation) {
        check(request.collection(), operation);
        BsonArray errors = new BsonArray();
        int n = 0;
        for (int i = 0; i < request.documents().size(); i++) {
            RawDocument document = request.documents().get(i);
            boolean there =
                    documents.stream().anyMatch(other -> other.get("_id").equals(document.get("_id")));
            if (!there) {
                documents.add(document.compact());
                n++;
                continue;
            }
            errors.add(new BsonDocument("index", new BsonInt32(i))
                    .append("code", new BsonInt32(DUPLICATE_KEY.number()))
                    .append("errmsg", new BsonString("duplicate")));
            if (request.ordered()) {
                break;
            }
        }
        BsonDocument reply = new BsonDocument("n", new BsonInt32(n));
        return RawDocument.of(errors.isEmpty() ? reply : reply.append("writeErrors", errors));
    }

    private RawDocument update(UpdateRequest request, Operation operation) {
        beforeUpdate.getAndSet(() -> {}).run();
        check(request.collection(), operation);
        RawDocument reply = update(request);
        updated.release();
        return reply;
    }

    private synchronized RawDocument update(UpdateRequest request) {
        int n = 0;
        BsonArray upserted = new BsonArray();
        for (int i = 0; i < request.statements().size(); i++) {
            UpdateRequest.Statement statement = request.statements().get(i);
            Filter filter = FilterParser.parse(statement.filter());
            Updater updater = Updater.of(
                    UpdateParser.parse(operators(statement.update()), List.of()),
                    filter,
                    new UpdateContext(context(), ObjectId::new));
            List<RawDocument> found = matching(statement.filter()).stream()
                    .filter(document -> statement.within().isEmpty()
                            || statement.within().get().contains(cluster.key().keyOf(document)))
                    .toList();
            List<RawDocument> touched = statement.multi() ? found : found.subList(0, Math.min(1, found.size()));
            for (RawDocument document : touched) {
                documents.set(
                        documents.indexOf(document), updater.apply(document).orElse(document));
                n++;
            }
            if (found.isEmpty() && statement.upsert()) {
                RawDocument made = updater.upsert();
                documents.add(made);
                n++;
                upserted.add(new BsonDocument("index", new BsonInt32(i)).append("_id", made.get("_id")));
            }
        }
        BsonDocument reply = new BsonDocument("n", new BsonInt32(n)).append("nModified", new BsonInt32(n));
        return RawDocument.of(upserted.isEmpty() ? reply : reply.append("upserted", upserted));
    }

    private static RawDocument operators(Modification update) {
        return switch (update) {
            case Modification.Operators operators -> operators.update();
            case Modification.Replacement replacement -> replacement.document();
            case Modification.Pipeline pipeline -> throw new IllegalArgumentException("not here");
        };
    }

    private synchronized RawDocument delete(DeleteRequest request, Operation operation) {
        check(request.collection(), operation);
        int n = 0;
        for (DeleteRequest.Statement statement : request.statements()) {
            List<RawDocument> found = matching(statement.filter());
            List<RawDocument> gone = statement.multi() ? found : found.subList(0, Math.min(1, found.size()));
            n += gone.size();
            documents.removeAll(gone);
        }
        return new RawBuilder().put("n", n).build();
    }

    private static RawDocument explain(Operation operation) {
        BsonDocument planner = new BsonDocument("winningPlan", new BsonDocument("stage", new BsonString("COLLSCAN")));
        return RawDocument.of(new BsonDocument("queryPlanner", planner)
                .append("asked", operation.request().find("explain").document().toBson()));
    }

    private record ListCursor(List<RawDocument> rows, AtomicInteger next) implements OpenCursor {
        ListCursor(List<RawDocument> rows) {
            this(rows, new AtomicInteger());
        }

        @Override
        public boolean fill(BatchReply batch, Operation operation) {
            while (next.get() < rows.size() && batch.add(rows.get(next.get()))) {
                next.incrementAndGet();
            }
            return next.get() == rows.size();
        }

        @Override
        public void close() {}
    }
}
