package io.ostraka.query.pipeline;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.docs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.AnyQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineTest {
    private static final String INPUT = "[{_id: 1, k: 'x', v: 1, l: [1, 2]}, {_id: 2, k: 'y', v: 2.5, l: []},"
            + " {_id: 3, k: 'x', v: 3, l: null}, {_id: 4, v: 4, d: {e: [5, 6]}}]";

    private static List<RawDocument> run(String pipeline) {
        return Pipeline.parse(docs(pipeline))
                .open(DocumentStream.of(docs(INPUT)), CONTEXT)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{$match: {k: 'x'}}, {$project: {v: 1}}]|[{_id: 1, v: 1}, {_id: 3, v: 3}]",
                "[{$group: {_id: '$k', n: {$sum: 1}, s: {$sum: '$v'}}}]|[{_id: 'x', n: 2, s: 4}, {_id: 'y', n: 1, s: 2.5}, {_id: null, n: 1, s: 4}]",
                "[{$group: {_id: null, a: {$avg: '$v'}, mi: {$min: '$v'}, ma: {$max: '$v'}, f: {$first: '$k'}, l: {$last: '$k'}}}]|[{_id: null, a: 2.625, mi: 1, ma: 4, f: 'x', l: null}]",
                "[{$group: {_id: null, p: {$push: '$v'}, s: {$addToSet: '$k'}, c: {$count: {}}}}]|[{_id: null, p: [1, 2.5, 3, 4], s: ['x', 'y'], c: 4}]",
                "[{$group: {_id: {k: '$k'}, m: {$mergeObjects: {v: '$v'}}}}, {$match: {'_id.k': 'x'}}]|[{_id: {k: 'x'}, m: {v: 3}}]",
                "[{$sort: {v: -1}}, {$limit: 2}, {$project: {_id: 1}}]|[{_id: 4}, {_id: 3}]",
                "[{$skip: 3}, {$unset: ['v', 'd']}]|[{_id: 4}]",
                "[{$count: 'n'}]|[{n: 4}]",
                "[{$bucket: {groupBy: '$v', boundaries: [0, 2, 4], default: 'more'}}]|[{_id: 0, count: 1}, {_id: 2, count: 2}, {_id: 'more', count: 1}]",
                "[{$bucketAuto: {groupBy: '$v', buckets: 2}}]|[{_id: {min: 1, max: 3}, count: 2}, {_id: {min: 3, max: 4}, count: 2}]",
                "[{$bucketAuto: {groupBy: '$k', buckets: 9, output: {n: {$sum: '$v'}}}}]|[{_id: {min: null, max: 'x'}, n: 4}, {_id: {min: 'x', max: 'y'}, n: 4}, {_id: {min: 'y', max: 'y'}, n: 2.5}]",
                "[{$facet: {n: [{$count: 'n'}], none: [{$match: {k: 'q'}}], x: [{$match: {k: 'x'}}, {$project: {_id: 1}}]}}]|[{n: [{n: 4}], none: [], x: [{_id: 1}, {_id: 3}]}]",
                "[{$match: {_id: 4}}, {$redact: {$cond: [{$isArray: '$e'}, '$$PRUNE', '$$DESCEND']}}]|[{_id: 4, v: 4}]",
                "[{$redact: {$cond: [{$and: [{$eq: ['$k', 'y']}, {$eq: ['$$ROOT._id', 2]}]}, '$$KEEP', '$$PRUNE']}}]|[{_id: 2, k: 'y', v: 2.5, l: []}]",
                "[{$group: {_id: null, t: {$top: {sortBy: {v: -1}, output: '$_id'}}, b: {$bottom: {sortBy: {v: -1}, output: '$k'}}, tn: {$topN: {n: 2, sortBy: {k: 1, v: -1}, output: '$k'}}, bn: {$bottomN: {n: 2, sortBy: {v: 1}, output: '$v'}}}}]|[{_id: null, t: 4, b: 'x', tn: [null, 'x'], bn: [3, 4]}]",
                "[{$group: {_id: null, f: {$firstN: {input: '$k', n: 2}}, l: {$lastN: {input: '$k', n: 2}}, a: {$maxN: {input: '$v', n: 2}}, i: {$minN: {input: '$k', n: {$add: [1, 1]}}}}}]|[{_id: null, f: ['x', 'y'], l: ['x', null], a: [4, 3], i: ['x', 'x']}]",
                "[{$group: {_id: '$zz', m: {$median: {input: '$v', method: 'approximate'}}, p: {$percentile: {input: '$v', p: [0.0, 0.75, 1], method: 'approximate'}}, n: {$median: {input: '$k', method: 'approximate'}}}}]|[{_id: null, m: 2.5, p: [1.0, 3.0, 4.0], n: null}]",
                "[{$match: {$sampleRate: 1}}, {$count: 'n'}]|[{n: 4}]",
                "[{$match: {$sampleRate: 0}}, {$count: 'n'}]|[]",
                "[{$match: {k: 'zz'}}, {$count: 'n'}]|[]",
                "[{$sortByCount: '$k'}, {$limit: 1}]|[{_id: 'x', count: 2}]",
                "[{$unwind: '$l'}, {$project: {l: 1}}]|[{_id: 1, l: 1}, {_id: 1, l: 2}]",
                "[{$unwind: {path: '$l', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i'}}, {$project: {l: 1, i: 1}}]|[{_id: 1, l: 1, i: {$numberLong: '0'}}, {_id: 1, l: 2, i: {$numberLong: '1'}}, {_id: 2, i: null}, {_id: 3, l: null, i: null}, {_id: 4, i: null}]",
                "[{$unwind: '$d.e'}, {$project: {d: 1}}]|[{_id: 4, d: {e: 5}}, {_id: 4, d: {e: 6}}]",
                "[{$match: {_id: 4}}, {$addFields: {'d.f': '$v', k: {$literal: 1}}}]|[{_id: 4, v: 4, d: {e: [5, 6], f: 4}, k: 1}]",
                "[{$match: {_id: 4}}, {$replaceRoot: {newRoot: '$d'}}]|[{e: [5, 6]}]",
                "[{$match: {_id: 4}}, {$replaceWith: {x: '$v'}}]|[{x: 4}]",
                "[{$match: {_id: 1}}, {$project: {_id: 0, k: 1, w: {$add: ['$v', 1]}}}]|[{k: 'x', w: 2}]",
                "[{$match: {_id: 1}}, {$project: {l: 0, v: 0}}]|[{_id: 1, k: 'x'}]",
                "[{$match: {_id: 4}}, {$project: {_id: 0, d: {e: 1}}}]|[{d: {e: [5, 6]}}]",
                "[{$match: {_id: 4}}, {$set: {v: '$$REMOVE', d: 'z'}}]|[{_id: 4, d: 'z'}]",
                "[{$documents: [{a: 1}, {a: 2}]}, {$match: {a: 2}}]|[{a: 2}]",
                "[{$match: {}}, {$group: {_id: 1, n: {$sum: 1}}}]|[{_id: 1, n: 4}]"
            })
    void runsAsDocumented(String pipeline, String expected) {
        assertThat(run(pipeline)).containsExactlyElementsOf(docs(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[{$foo: 1}]|40324",
                "[{}]|40323",
                "[{$match: 1}]|15959",
                "[{$limit: 0}]|15958",
                "[{$skip: -1}]|15956",
                "[{$skip: 'x'}]|15972",
                "[{$sort: 1}]|15973",
                "[{$sort: {}}]|15976",
                "[{$sort: {a: 2}}]|15975",
                "[{$group: 1}]|15947",
                "[{$group: {}}]|15955",
                "[{$group: {_id: 1, a: 1}}]|40234",
                "[{$group: {_id: 1, a: {$foo: 1}}}]|15952",
                "[{$group: {_id: 1, 'a.b': {$sum: 1}}}]|40235",
                "[{$group: {_id: 1, a: {$sum: 1, $avg: 1}}}]|40238",
                "[{$unwind: 'a'}]|28818",
                "[{$unwind: {}}]|28812",
                "[{$unwind: 1}]|15981",
                "[{$count: ''}]|40157",
                "[{$sample: {}}]|28746",
                "[{$sample: {size: 1, $ostrakaPart: 'COMBINE'}}]|2",
                "[{$sample: {size: 1, $ostrakaPart: 'X'}}]|2",
                "[{$group: {_id: 1, v: {$avg: 1}, $ostrakaPart: 'COMBINE'}}]|2",
                "[{$group: {_id: 1, d: {$sum: 1}, $ostrakaPart: 'COMBINE'}}]|2",
                "[{$match: {d: {$exists: true}}}, {$group: {_id: 1, d: {$max: 1}, $ostrakaPart: 'COMBINE'}}]|2",
                "[{$sample: {size: 0}}]|28747",
                "[{$bucket: 1}]|40201",
                "[{$bucket: {groupBy: '$a', boundaries: [1, 2], no: 1}}]|40197",
                "[{$bucket: {groupBy: '$a'}}]|40198",
                "[{$bucket: {groupBy: 'a', boundaries: [1, 2]}}]|40202",
                "[{$bucket: {groupBy: '$a', boundaries: [1]}}]|40192",
                "[{$bucket: {groupBy: '$a', boundaries: [1, 'a']}}]|40193",
                "[{$bucket: {groupBy: '$a', boundaries: [2, 1]}}]|40194",
                "[{$bucket: {groupBy: '$a', boundaries: ['$b', 1]}}]|40191",
                "[{$bucket: {groupBy: '$a', boundaries: [1, 3], default: 2}}]|40199",
                "[{$bucket: {groupBy: '$v', boundaries: [1, 2]}}]|40066",
                "[{$bucketAuto: 1}]|40240",
                "[{$bucketAuto: {groupBy: '$a', buckets: 0}}]|40243",
                "[{$bucketAuto: {groupBy: '$a', buckets: 'x'}}]|40241",
                "[{$bucketAuto: {groupBy: '$a', buckets: 1.5}}]|40242",
                "[{$facet: {}}]|40169",
                "[{$facet: {a: 1}}]|40170",
                "[{$facet: {a: [1]}}]|40171",
                "[{$facet: {a: [{$facet: {b: []}}]}}]|40600",
                "[{$redact: 'keep it'}]|17053",
                "[{$lookup: 1}]|9",
                "[{$lookup: {from: 'a', as: 'b'}}]|9",
                "[{$lookup: {from: 'a', as: 'b', localField: 'c'}}]|9",
                "[{$lookup: {from: 'a', as: 'b', pipeline: [{$nope: 1}]}}]|40324",
                "[{$unionWith: 1}]|9",
                "[{$graphLookup: 1}]|40327",
                "[{$graphLookup: {from: 'a'}}]|40105",
                "[{$group: {_id: 1, x: {$firstN: {input: '$a'}}}}]|5787906",
                "[{$group: {_id: 1, x: {$firstN: {input: '$a', n: 0}}}}]|5787908",
                "[{$group: {_id: 1, x: {$maxN: {input: '$a', n: 'x'}}}}]|5787902",
                "[{$group: {_id: 1, x: {$top: {output: '$a'}}}}]|5788005",
                "[{$group: {_id: 1, x: {$topN: {output: '$a', sortBy: {a: 1}}}}}]|5788003",
                "[{$group: {_id: 1, x: {$percentile: {input: '$a', p: [2], method: 'approximate'}}}}]|7750303",
                "[{$group: {_id: 1, x: {$median: {input: '$a', method: 'exact'}}}}]|2",
                "[{$group: {_id: 1, v: {$topN: {output: 1, n: 1, sortBy: {a: 1}}}, $ostrakaPart: 'COMBINE'}}]|2",
                "[{$match: {$sampleRate: 2}}]|2",
                "[{$count: '$a'}]|40158",
                "[{$count: 'a.b'}]|40160",
                "[{$project: {a: 1, b: 0}}]|31254",
                "[{$project: {a: 0, b: 1}}]|31253",
                "[{$project: {a: 1, 'a.b': 1}}]|31249",
                "[{$project: {'a.b': 1, a: 1}}]|31250",
                "[{$match: {}}, {$collStats: {}}]|40602",
                "[{$replaceRoot: {newRoot: 1}}]|40228"
            })
    void refusesWithTheStagesError(String pipeline, int code) {
        assertThatThrownBy(() -> run(pipeline))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(code));
    }

    private static final List<String> STAGES = List.of(
            "{$redact: {$cond: [{$gt: ['$a', 1]}, '$$DESCEND', '$$KEEP']}}",
            "{$bucket: {groupBy: {$toString: {$type: '$a'}}, boundaries: ['a', 'm'], default: 'z'}}",
            "{$bucketAuto: {groupBy: '$_id', buckets: 3}}",
            "{$fill: {sortBy: {_id: 1}, output: {a: {method: 'locf'}, b: {value: 3}}}}",
            "{$facet: {n: [{$count: 'n'}], m: [{$group: {_id: null, x: {$max: '$a'}}}]}}",
            "{$group: {_id: '$c', a: {$topN: {n: 2, sortBy: {_id: 1}, output: '$_id'}}, b: {$bottom: {sortBy: {_id: 1}, output: '$_id'}}}}",
            "{$group: {_id: '$c', a: {$maxN: {n: 2, input: '$a'}}, b: {$minN: {n: 3, input: '$b'}}, c: {$median: {input: '$a', method: 'approximate'}}}}",
            "{$match: {a: {$gt: 1}}}",
            "{$project: {a: 1, b: 1, c: 1}}",
            "{$addFields: {s: {$ifNull: ['$a', '$b']}}}",
            "{$unwind: '$a'}",
            "{$group: {_id: '$b', n: {$sum: 1}, s: {$sum: '$a'}, m: {$max: '$c'}, i: {$min: '$a'}, v: {$avg: '$a'}}}",
            "{$group: {_id: null, n: {$count: {}}, d: {$sum: '$a'}}}",
            "{$sort: {a: 1, b: -1, _id: 1}}",
            "{$sort: {_id: -1}}",
            "{$limit: 5}",
            "{$skip: 2}",
            "{$count: 'n'}",
            "{$replaceWith: {_id: '$_id', a: '$b', b: '$c'}}");

    @Property(tries = 5_000)
    void halvesAnswerAsTheWholeDoes(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        String text = "[" + String.join(", ", stages(any)) + "]";
        Pipeline whole = Pipeline.parse(docs(text));
        List<RawDocument> input = any.documents(15);
        List<RawDocument> expected =
                whole.open(DocumentStream.of(input), CONTEXT).toList();

        Pipeline.Split split = whole.split();
        Pipeline shards = reparsed(split.shards());
        List<RawDocument> gathered = new ArrayList<>();
        for (int shard = 0; shard < 3; shard++) {
            int mine = shard;
            List<RawDocument> part = input.stream()
                    .filter(document -> document.get("_id").asInt32().getValue() % 3 == mine)
                    .toList();
            gathered.addAll(shards.open(DocumentStream.of(part), CONTEXT).toList());
        }
        List<RawDocument> found = reparsed(split.router())
                .open(DocumentStream.of(gathered), CONTEXT)
                .toList();
        assertThat(values(found)).as(text).containsExactlyInAnyOrderElementsOf(values(expected));
        if (split.mergeOrder().isPresent()) {
            gathered.sort(Comparator.comparing(split.mergeOrder().get()::keyOf));
            List<RawDocument> merged = split.routerAfterMerge()
                    .open(DocumentStream.of(gathered), CONTEXT)
                    .toList();
            assertThat(values(merged)).as(text).containsExactlyInAnyOrderElementsOf(values(expected));
        }
    }

    /** Which documents a limit lets through is only defined right behind a sort by all that tells them apart. */
    private static List<String> stages(AnyQuery any) {
        List<String> chosen = new ArrayList<>();
        boolean ordered = false;
        boolean ties = false;
        for (int i = any.random().nextInt(6); i > 0; i--) {
            String stage = any.one(STAGES);
            boolean cuts = stage.contains("$limit") || stage.contains("$skip") || stage.contains("sortBy");
            if (cuts && ties) {
                continue;
            }
            if (cuts && !ordered) {
                chosen.add("{$sort: {_id: 1}}");
            }
            ordered = cuts || stage.contains("$sort");
            // an array sorts as one of its elements, and so does a group by one
            ties |= stage.contains("$unwind") || stage.contains("'$b'") || stage.contains("'$c'");
            chosen.add(stage);
        }
        return chosen;
    }

    /** As another process reads it. */
    private static Pipeline reparsed(Pipeline pipeline) {
        return Pipeline.parse(Stage.toBson(pipeline.stages()).stream()
                .map(stage -> RawDocument.of(stage.asDocument()))
                .toList());
    }

    /** Equal values may differ in their type and sums in their last digit, by the order in which they came. */
    private static List<List<KeyString>> values(List<RawDocument> documents) {
        return documents.stream()
                .map(document -> document.toBson().values().stream()
                        .map(value -> KeyString.of(Values.isNumber(value) ? rounded(Values.toDouble(value)) : value))
                        .toList())
                .toList();
    }

    private static BsonValue rounded(double value) {
        return new BsonDouble(Double.isNaN(value) ? value : Math.rint(value * 1e9) / 1e9);
    }

    @Test
    void stopsAtItsMemoryBound() {
        RunContext small = new RunContext(
                CONTEXT.nowMillis(),
                CONTEXT.clusterTime(),
                CONTEXT.interruption(),
                CONTEXT.random(),
                new QueryLimits(16 << 20, 16 << 20, 10));
        List<RawDocument> input = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            input.add(RawDocument.of(
                    new BsonDocument("_id", new BsonInt32(i)).append("t", new BsonString("x".repeat(1 << 20)))));
        }
        for (String stage : List.of("[{$sort: {_id: 1}}]", "[{$group: {_id: '$_id', t: {$push: '$t'}}}]")) {
            assertThatThrownBy(() -> Pipeline.parse(docs(stage))
                            .open(DocumentStream.of(input), small)
                            .toList())
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            e -> assertThat(e.code())
                                    .isEqualTo(ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED));
        }
    }

    @Test
    void givesEachDocumentOfUnequalShardsTheSameChance() {
        Pipeline.Split split = Pipeline.parse(docs("[{$sample: {size: 1}}]")).split();
        Pipeline shards = reparsed(split.shards());
        Pipeline router = reparsed(split.router());
        int small = 0;
        for (int i = 0; i < 2_000; i++) {
            List<RawDocument> gathered = new ArrayList<>();
            gathered.addAll(
                    shards.open(DocumentStream.of(docs("[{_id: 0}]")), CONTEXT).toList());
            gathered.addAll(shards.open(DocumentStream.of(docs("[{_id: 1}, {_id: 2}, {_id: 3}]")), CONTEXT)
                    .toList());
            List<RawDocument> drawn =
                    router.open(DocumentStream.of(gathered), CONTEXT).toList();
            assertThat(drawn).hasSize(1);
            small += drawn.getFirst().get("_id").asInt32().getValue() == 0 ? 1 : 0;
        }
        assertThat(small).isBetween(380, 620); // a quarter of all, give or take six standard deviations
    }

    @Test
    void leavesToTheQueryWhatItCanDo() {
        Pipeline.Pushdown pushdown = Pipeline.parse(
                        docs("[{$match: {a: 1}}, {$match: {b: 2}}, {$sort: {c: 1}}, {$limit: 3}, {$count: 'n'}]"))
                .pushdown();
        assertThat(pushdown.limit()).isEqualTo(3);
        assertThat(pushdown.sort().parts()).hasSize(1);
        assertThat(Stage.toBson(pushdown.rest().stages()))
                .isEqualTo(BsonArray.parse("[{$group: {_id: null, n: {$sum: 1}}}, {$project: {_id: 0}}]"));
    }
}
