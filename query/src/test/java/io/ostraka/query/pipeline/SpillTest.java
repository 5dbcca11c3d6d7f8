package io.ostraka.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.query.TestRun;
import io.ostraka.query.execute.MemorySpill;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.junit.jupiter.api.Test;

/** What goes to disk comes back as if it had stayed in memory. */
class SpillTest {
    private static final int DOCUMENTS = 30_000;
    private static final RunContext SMALL =
            new RunContext(0, new BsonTimestamp(0), () -> {}, new Random(1), new QueryLimits(16 << 20, 16 << 20, 100));

    /** About 24 MB, each key twice. */
    private static List<RawDocument> documents() {
        Random random = new Random(42);
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < DOCUMENTS; i++) {
            documents.add(RawDocument.of(new BsonDocument("_id", new BsonInt32(i))
                    .append("k", new BsonInt32(random.nextInt(DOCUMENTS / 2)))
                    .append("text", new BsonString("x".repeat(700) + i))));
        }
        return documents;
    }

    private static List<RawDocument> run(RunContext context, String... stages) {
        List<RawDocument> pipeline = new ArrayList<>();
        for (String stage : stages) {
            pipeline.add(RawDocument.of(BsonDocument.parse(stage)));
        }
        return Pipeline.parse(pipeline)
                .open(DocumentStream.of(documents()), context)
                .toList();
    }

    private static void isAsInMemory(String... stages) {
        MemorySpill spill = new MemorySpill();
        List<RawDocument> spilled = run(SMALL.with(spill), stages);
        assertThat(spill.begun()).isGreaterThan(1);
        assertThat(spill.open()).isZero();
        assertThat(spilled).isEqualTo(run(TestRun.CONTEXT, stages));
    }

    @Test
    void sortsKeepTheOrderOfEqualKeys() {
        isAsInMemory("{$sort: {k: 1}}", "{$project: {k: 1}}");
        isAsInMemory("{$sort: {k: -1, text: 1}}", "{$project: {k: 1}}");
    }

    @Test
    void sortsOfTheFirstFewStopThere() {
        isAsInMemory("{$sort: {k: 1}}", "{$limit: 25000}", "{$project: {k: 1}}");
    }

    @Test
    void groupsComeTogetherAgain() {
        isAsInMemory(
                "{$group: {_id: '$k', n: {$sum: 1}, first: {$first: '$_id'}, last: {$last: '$_id'}, all: {$push: '$text'},"
                        + " set: {$addToSet: '$_id'}, avg: {$avg: '$_id'}, max: {$max: '$text'},"
                        + " top: {$top: {sortBy: {_id: -1}, output: '$_id'}}, dev: {$stdDevPop: '$_id'}}}",
                "{$sort: {_id: 1}}",
                "{$project: {first: 1, last: 1, n: 1, set: 1, avg: 1, top: 1, max: {$strLenCP: '$max'}, all: {$size: '$all'},"
                        + " dev: {$round: ['$dev', 6]}}}");
    }

    @Test
    void windowsAndBucketsComeOneByOne() {
        isAsInMemory(
                "{$setWindowFields: {partitionBy: {$mod: ['$k', 10]}, sortBy: {k: 1}, output: {n: {$sum: 1, window: {documents:"
                        + " [-5, 0]}}, r: {$rank: {}}}}}",
                "{$project: {n: 1, r: 1}}");
        isAsInMemory("{$bucketAuto: {groupBy: '$k', buckets: 7, output: {n: {$sum: 1}, ids: {$push: '$_id'}}}}");
        isAsInMemory("{$bucketAuto: {groupBy: '$k', buckets: 7, granularity: 'R10'}}");
        isAsInMemory("{$fill: {partitionBy: {$mod: ['$k', 10]}, sortBy: {_id: 1}, output: {v: {method: 'locf'}}}}");
    }

    @Test
    void withoutSpaceTheyEndWithAnError() {
        assertThatThrownBy(() -> run(SMALL, "{$sort: {k: 1}}"))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.code().number()).isEqualTo(292));
        assertThatThrownBy(() -> run(SMALL, "{$group: {_id: '$_id', all: {$push: '$text'}}}"))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.code().number()).isEqualTo(292));
    }

    @Test
    void whatIsNotReadToItsEndGivesItsSpaceBack() {
        MemorySpill spill = new MemorySpill();
        DocumentStream stream = Pipeline.parse(List.of(RawDocument.of(BsonDocument.parse("{$sort: {k: 1}}"))))
                .open(DocumentStream.of(documents()), SMALL.with(spill));
        assertThat(stream.next()).isNotNull();
        assertThat(spill.open()).isPositive();
        stream.close();
        assertThat(spill.open()).isZero();
    }
}
