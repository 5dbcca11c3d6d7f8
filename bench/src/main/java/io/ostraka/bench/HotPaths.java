package io.ostraka.bench;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What is done once for every document or key. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class HotPaths {
    private final RawDocument document = RawDocument.of(
            BsonDocument.parse("{_id: 17, username: 'user17', n: 3, tags: ['a', 'b'], sub: {x: 1, y: 2.5}}"));
    private final RunContext context =
            new RunContext(0, new BsonTimestamp(0), () -> {}, new SplittableRandom(1), QueryLimits.DEFAULT);
    private final DocumentTest filter =
            FilterCompiler.compile(FilterParser.parse(BsonDocument.parse("{n: {$gte: 2}, 'sub.y': 2.5}")), context);

    @Benchmark
    public KeyString encodeKey() {
        return KeyString.builder().add(document.find("username"), false).build();
    }

    @Benchmark
    public boolean testFilter() {
        return filter.test(document);
    }

    @Benchmark
    public Object findField() {
        return document.find("sub");
    }
}
