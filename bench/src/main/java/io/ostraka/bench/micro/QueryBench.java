package io.ostraka.bench.micro;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.update.UpdateContext;
import io.ostraka.query.update.UpdateParser;
import io.ostraka.query.update.Updater;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What is done to each document of a query or an update. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class QueryBench {
    private final RawDocument document = order();
    private final RunContext context =
            new RunContext(0, new BsonTimestamp(0), () -> {}, new SplittableRandom(1), QueryLimits.DEFAULT);
    private final Filter filter = FilterParser.parse(
            BsonDocument.parse("{status: 'open', total: {$gte: 10, $lt: 500}, 'address.city': 'Turku'}"));
    private final DocumentTest test = FilterCompiler.compile(filter, context);
    private final Projector projector = Projector.of(
            Projection.parseFind(json("{total: 1, 'address.city': 1}")),
            FilterParser.parse(new BsonDocument()),
            context);
    private final Updater increment = updater("{$inc: {count: 1}}");
    private final Updater several = updater("{$set: {status: 'closed', 'address.zip': 'x'}, $push: {tags: 'new'}}");
    private final SortPattern sort = SortPattern.parse(json("{status: 1, total: -1, _id: 1}"));

    private static RawDocument json(String text) {
        return RawDocument.of(BsonDocument.parse(text));
    }

    private static RawDocument order() {
        RawBuilder all = new RawBuilder(1_200);
        all.elements(json("""
                {_id: {$oid: '6512bd43d9caa6e02c990b0a'}, status: 'open', customer: 42, count: 7, total: 99.5,
                 address: {street: 'Aurakatu 1', city: 'Turku', zip: '20100'}, tags: ['a', 'b', 'c']}"""));
        all.put("pad", "x".repeat(800));
        return all.build();
    }

    private Updater updater(String text) {
        return Updater.of(
                UpdateParser.parse(json(text), List.of()),
                FilterParser.parse(new BsonDocument()),
                new UpdateContext(context, ObjectId::new));
    }

    @Benchmark
    public BsonValue fieldInTheMiddle() {
        return document.get("total");
    }

    @Benchmark
    public boolean filterOfThreeFields() {
        return test.test(document);
    }

    @Benchmark
    public DocumentTest filterCompiled() {
        return FilterCompiler.compile(filter, context);
    }

    @Benchmark
    public RawDocument projection() {
        return projector.apply(document);
    }

    @Benchmark
    public Optional<RawDocument> updateInc() {
        return increment.apply(document);
    }

    @Benchmark
    public Optional<RawDocument> updateSeveral() {
        return several.apply(document);
    }

    @Benchmark
    public KeyString keyStringOfThree() {
        return sort.keyOf(document);
    }
}
