package io.ostraka.bench.micro;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the query engine has figures to meet for: a filter on a wide document, a key, a group and a sort of a million. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class SpeedBench {
    private static final int MILLION = 1_000_000;
    private static final int GROUPS = 1_000;

    /** A million documents hold no more than this, so that nothing spills. */
    private static final QueryLimits LIMITS = new QueryLimits(1L << 30, 1L << 30, 4_000);

    private static RunContext context() {
        return new RunContext(0, new BsonTimestamp(0), () -> {}, new SplittableRandom(1), LIMITS);
    }

    /** A document of 1 KB with 20 fields, {@code a} the tenth and {@code b} the fifteenth. */
    @State(Scope.Thread)
    public static class Wide {
        final RawDocument document = document();
        final DocumentTest test =
                FilterCompiler.compile(FilterParser.parse(BsonDocument.parse("{a: {$gt: 5}, 'b.c': 'x'}")), context());

        private static RawDocument document() {
            RawBuilder document = new RawBuilder();
            for (int i = 1; i <= 20; i++) {
                if (i == 10) {
                    document.put("a", 7);
                } else if (i == 15) {
                    document.openDocument("b").put("c", "x").close();
                } else {
                    document.put("field" + i, "x".repeat(40));
                }
            }
            return document.build();
        }
    }

    /** A million documents of about 100 bytes in one array. */
    @State(Scope.Benchmark)
    public static class Million {
        RawDocument[] documents;
        final Pipeline group = Pipeline.parse(List.of(stage("{$group: {_id: '$k', n: {$sum: '$v'}}}")));
        final Pipeline sort = Pipeline.parse(List.of(stage("{$sort: {s: 1}}")));

        private static RawDocument stage(String text) {
            return RawDocument.of(BsonDocument.parse(text));
        }

        @Setup(Level.Trial)
        public void fill() {
            SplittableRandom random = new SplittableRandom(7);
            documents = new RawDocument[MILLION];
            for (int i = 0; i < MILLION; i++) {
                documents[i] = new RawBuilder(100)
                        .put("_id", i)
                        .put("k", random.nextInt(GROUPS))
                        .put("v", random.nextInt(100))
                        .put("s", random.nextLong())
                        .put("rest", "x".repeat(40))
                        .build();
            }
        }

        long count(Pipeline pipeline) {
            long count = 0;
            try (DocumentStream stream = pipeline.open(DocumentStream.of(Arrays.asList(documents)), context())) {
                while (stream.next() != null) {
                    count++;
                }
            }
            return count;
        }
    }

    @Benchmark
    public boolean matchOfWideDocument(Wide wide) {
        return wide.test.test(wide.document);
    }

    @Benchmark
    public KeyString keyOfIntStringAndDate() {
        return KeyString.builder()
                .add(new org.bson.BsonInt32(42), false)
                .add(new org.bson.BsonString("twelve bytes"), false)
                .add(new BsonDateTime(1_700_000_000_000L), false)
                .build();
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 6)
    @Measurement(iterations = 5)
    public long groupOfAMillion(Million million) {
        return million.count(million.group);
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 6)
    @Measurement(iterations = 5)
    public long sortOfAMillion(Million million) {
        return million.count(million.sort);
    }
}
