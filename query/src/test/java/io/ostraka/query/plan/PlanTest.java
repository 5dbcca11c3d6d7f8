package io.ostraka.query.plan;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.AnyQuery;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.execute.DistinctValues;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.MemorySource;
import io.ostraka.query.execute.Row;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexField;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.sort.SortPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    private static final List<String> KEYS = List.of(
            "{a: 1}",
            "{a: -1, b: 1}",
            "{'a.b': 1}",
            "{b: 1, a: -1, c: 1}",
            "{c: 'hashed'}",
            "{b: -1}",
            "{'a.b': 1, 'a.c': -1}",
            "{a: 1, 'b.a': 1}",
            "{'$**': 1}",
            "{'a.$**': -1}",
            "{b: -1, 'a.$**': 1, c: 1}");
    private static final List<String> OPTIONS =
            List.of("{}", "{}", "{sparse: true}", "{partialFilterExpression: {b: {$gt: 1}}}", "{hidden: true}");

    private static IndexDefinition index(String key) {
        return IndexDefinition.parse(RawDocument.of(
                new BsonDocument("key", BsonDocument.parse(key)).append("name", new org.bson.BsonString(key))));
    }

    private static IndexDefinition anyIndex(AnyQuery any) {
        BsonDocument spec = index(any.one(KEYS)).toDocument().toBson();
        spec.putAll(BsonDocument.parse(any.one(OPTIONS)));
        if (spec.getDocument("key").containsKey("$**")) {
            spec.putAll(BsonDocument.parse(any.one(List.of(
                    "{}", "{wildcardProjection: {'a.b': 1, _id: 1}}", "{wildcardProjection: {'a.b': 0, c: 0}}"))));
        }
        if (spec.getDocument("key").keySet().stream().anyMatch(name -> name.endsWith("$**"))) {
            spec.remove("sparse");
        }
        return IndexDefinition.parse(RawDocument.of(spec));
    }

    private static List<RawDocument> run(PlanNode plan, MemorySource source) {
        return run(plan, source, CONTEXT);
    }

    private static List<RawDocument> run(PlanNode plan, MemorySource source, RunContext context) {
        List<RawDocument> documents = new ArrayList<>();
        try (Execution execution = Execution.open(plan, source, context)) {
            for (Row row = execution.next(); row != null; row = execution.next()) {
                documents.add(row.document());
            }
        }
        return documents;
    }

    /** A document whose arrays an index of the pattern cannot hold is left out. */
    private static boolean indexable(RawDocument document, IndexDefinition index) {
        try {
            return io.ostraka.query.index.IndexKeys.of(index, CONTEXT)
                            .of(document)
                            .keys()
                    != null;
        } catch (io.ostraka.core.error.CommandException e) {
            return false;
        }
    }

    @Property(tries = 20_000)
    void indexesAnswerAsAScanDoes(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        List<IndexDefinition> indexes = new ArrayList<>(List.of(IndexDefinition.ID));
        for (int i = any.random().nextInt(3); i >= 0; i--) {
            indexes.add(anyIndex(any));
        }
        List<RawDocument> documents = new ArrayList<>(any.documents(12));
        documents.removeIf(document -> indexes.stream().anyMatch(index -> !indexable(document, index)));
        BsonDocument text = any.filter(2);
        if (any.random().nextInt(4) == 0) {
            text.put("b", BsonDocument.parse("{$gt: 1}"));
        }
        Filter filter = FilterParser.parse(text);
        SortPattern sort = SortPattern.parse(RawDocument.of(any.sort()));
        MemorySource source = new MemorySource(documents, indexes);
        FindQuery query = FindQuery.of(filter).sorted(sort);
        PlanNode plan = Planner.plan(query, source.indexes(), Optional.empty(), QueryLimits.DEFAULT);

        DocumentTest test = FilterCompiler.compile(filter, CONTEXT);
        List<RawDocument> expected = documents.stream().filter(test::test).toList();
        List<RawDocument> found = run(plan, source);
        assertThat(found).as(PlanPrinter.tree(plan)).containsExactlyInAnyOrderElementsOf(expected);
        List<KeyString> keys = found.stream().map(sort::keyOf).toList();
        assertThat(keys).as(PlanPrinter.tree(plan)).isSorted();

        PlanNode count =
                Planner.plan(FindQuery.of(filter).counting(), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
        try (Execution execution = Execution.open(count, source, CONTEXT)) {
            assertThat(execution.count()).as(PlanPrinter.tree(count)).isEqualTo(expected.size());
        }
    }

    private static final List<Collation> COLLATIONS = List.of(
            Collation.SIMPLE,
            Collation.parse(BsonDocument.parse("{locale: 'en', strength: 1}")),
            Collation.parse(BsonDocument.parse("{locale: 'en', strength: 2, caseFirst: 'upper'}")),
            Collation.parse(BsonDocument.parse("{locale: 'de', caseLevel: true, strength: 1}")));

    @Property(tries = 10_000)
    void indexesOfAnyCollationAnswerAsAScanDoes(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        List<IndexDefinition> indexes = new ArrayList<>(List.of(IndexDefinition.ID.withCollation(any.one(COLLATIONS))));
        for (int i = any.random().nextInt(3); i >= 0; i--) {
            indexes.add(anyIndex(any).withCollation(any.one(COLLATIONS)));
        }
        List<RawDocument> documents = new ArrayList<>(any.documents(12));
        documents.removeIf(document -> indexes.stream().anyMatch(index -> !indexable(document, index)));
        Collation collation = any.one(COLLATIONS);
        RunContext context = CONTEXT.with(collation);
        Filter filter = FilterParser.parse(any.filter(2));
        SortPattern sort = SortPattern.parse(RawDocument.of(any.sort()));
        MemorySource source = new MemorySource(documents, indexes);
        FindQuery query = FindQuery.of(filter).sorted(sort).collated(collation);
        List<RawDocument> expected = documents.stream()
                .filter(FilterCompiler.compile(filter, context)::test)
                .toList();
        for (Optional<RawDocument> hint : List.of(
                Optional.<RawDocument>empty(),
                Optional.of(RawDocument.of(new BsonDocument(
                        "", new org.bson.BsonString(any.one(indexes).name())))))) {
            FindQuery hinted = hint.map(query::hinted).orElse(query);
            PlanNode plan;
            try {
                plan = Planner.plan(hinted, source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
            } catch (io.ostraka.core.error.CommandException hidden) {
                continue;
            }
            List<RawDocument> found = run(plan, source, context);
            boolean complete = hint.isEmpty()
                    || indexes.stream()
                            .filter(index ->
                                    index.name().equals(hint.get().find("").string()))
                            .allMatch(IndexDefinition::isComplete);
            if (complete) {
                assertThat(found).as(PlanPrinter.tree(plan)).containsExactlyInAnyOrderElementsOf(expected);
            }
            List<KeyString> keys = found.stream()
                    .map(document -> sort.keyOf(document, collation))
                    .toList();
            assertThat(keys).as(PlanPrinter.tree(plan)).isSorted();
        }
    }

    @Property(tries = 2_000)
    void leavesOutWhatIsNotOwned(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        List<IndexDefinition> indexes = List.of(IndexDefinition.ID, index("{b: 1, c: 1}"));
        List<RawDocument> documents = new ArrayList<>(any.documents(12));
        documents.removeIf(document -> !indexable(document, indexes.getLast()));
        Filter filter = FilterParser.parse(any.filter(1));
        List<IndexField> shardKey = IndexDefinition.fields(doc("{b: 1}"));
        java.util.function.Predicate<RawDocument> owned =
                document -> SortPattern.parse(doc("{b: 1}")).keyOf(document).hashCode() % 2 == 0;
        MemorySource source = new MemorySource(documents, indexes, owned);
        DocumentTest test = FilterCompiler.compile(filter, CONTEXT);
        long expected = documents.stream().filter(test::test).filter(owned).count();
        boolean arrays = source.indexes().getLast().multikey() != 0;
        PlanNode plan = Planner.plan(
                FindQuery.of(filter).counting(), source.indexes(), Optional.of(shardKey), QueryLimits.DEFAULT);
        try (Execution execution = Execution.open(plan, source, CONTEXT)) {
            // A shard key never has arrays.
            assertThat(arrays || execution.count() == expected)
                    .as(PlanPrinter.tree(plan))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{_id: 5}|{}|EXPRESS_IXSCAN _id_ _id: [[5, 5]]",
                "{_id: {$gt: 5}}|{}|FETCH;  IXSCAN _id_ _id: [(5, inf.0]]",
                "{a: 1, b: {$lt: 2}}|{}|FETCH;  IXSCAN a_b a: [[1, 1]] b: [[-inf.0, 2)]",
                "{a: 1}|{b: -1}|FETCH;  IXSCAN backward a_b a: [[1, 1]] b: [[MinKey, MaxKey]]",
                "{a: {$in: [1, 2]}, b: 3}|{}|FETCH;  IXSCAN a_b a: [[1, 1], [2, 2]] b: [[3, 3]]",
                "{}|{a: 1}|FETCH;  IXSCAN a_b a: [[MinKey, MaxKey]] b: [[MinKey, MaxKey]]",
                "{}|{b: 1}|SORT {\"b\": 1};  COLLSCAN",
                "{z: 1}|{}|COLLSCAN {\"z\": {\"$eq\": 1}}",
                "{$or: [{a: 1}, {c: 2}]}|{}|FETCH {\"$or\": [{\"a\": {\"$eq\": 1}}, {\"c\": {\"$eq\": 2}}]};  OR;    IXSCAN a_b a: [[1, 1]] b: [[MinKey, MaxKey]];    IXSCAN c c: [[2, 2]]",
                "{a: 1, z: 2}|{}|FETCH {\"$and\": [{\"a\": {\"$eq\": 1}}, {\"z\": {\"$eq\": 2}}]};  IXSCAN a_b a: [[1, 1]] b: [[MinKey, MaxKey]]",
                "{a: /^ab/}|{}|FETCH {\"a\": {\"$regex\": \"^ab\"}};  IXSCAN a_b a: [[\"ab\", \"ac\"), [{\"$regularExpression\": {\"pattern\": \"^ab\", \"options\": \"\"}}, {\"$regularExpression\": {\"pattern\": \"^ab\", \"options\": \"\"}}]] b: [[MinKey, MaxKey]]"
            })
    void choosesAsWritten(String filter, String sort, String tree) {
        List<PlannedIndex> indexes = List.of(
                new PlannedIndex(IndexDefinition.ID, 0),
                new PlannedIndex(named("a_b", "{a: 1, b: 1}"), 0),
                new PlannedIndex(named("c", "{c: 1}"), 0));
        PlanNode plan = Planner.plan(
                FindQuery.of(FilterParser.parse(doc(filter))).sorted(SortPattern.parse(doc(sort))),
                indexes,
                Optional.empty(),
                QueryLimits.DEFAULT);
        assertThat(PlanPrinter.tree(plan)).isEqualTo(tree.replace(";", "\n") + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{a: 1}|{}|FETCH;  IXSCAN all $_path: [[\"a\", \"a\"]] a: [[1, 1]]",
                "{a: {$gt: 1}}|{a: -1}|FETCH;  IXSCAN backward all $_path: [[\"a\", \"a\"]] a: [(1, inf.0]]",
                "{'a.b': {$exists: true}}|{}|FETCH {\"a.b\": {\"$exists\": true}};  IXSCAN all $_path: [[\"a.b\", \"a.b\"], [\"a.b.\", \"a.b/\")] a.b: [[MinKey, MaxKey]]",
                "{x: 1, 'd.e': 2}|{}|FETCH;  IXSCAN x_d x: [[1, 1]] $_path: [[\"d.e\", \"d.e\"]] d.e: [[2, 2]]",
                "{x: 1}|{}|FETCH;  IXSCAN x_d x: [[1, 1]] $_path: [[MinKey, MaxKey]] d.$**: [[MinKey, MaxKey]]",
                "{a: null}|{}|COLLSCAN {\"a\": {\"$eq\": null}}",
                "{a: {b: 1}}|{}|COLLSCAN {\"a\": {\"$eq\": {\"b\": 1}}}",
                "{a: {$ne: 1}}|{}|COLLSCAN {\"a\": {\"$not\": {\"$eq\": 1}}}"
            })
    void choosesWildcardsAsWritten(String filter, String sort, String tree) {
        List<PlannedIndex> indexes = List.of(
                new PlannedIndex(IndexDefinition.ID, 0),
                new PlannedIndex(named("all", "{'$**': 1}, wildcardProjection: {x: 0}"), 0),
                new PlannedIndex(named("x_d", "{x: 1, 'd.$**': 1}"), 0));
        PlanNode plan = Planner.plan(
                FindQuery.of(FilterParser.parse(doc(filter))).sorted(SortPattern.parse(doc(sort))),
                indexes,
                Optional.empty(),
                QueryLimits.DEFAULT);
        assertThat(PlanPrinter.tree(plan)).isEqualTo(tree.replace(";", "\n") + "\n");
    }

    @Property(tries = 5_000)
    void distinctByAnIndexAnswersAsAScanDoes(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        List<IndexDefinition> indexes =
                List.of(IndexDefinition.ID, index(any.one(List.of("{a: 1}", "{a: -1, b: 1}", "{a: 1, c: 1}"))));
        List<RawDocument> documents = new ArrayList<>(any.documents(12));
        documents.removeIf(
                document -> document.find("a") != null && document.find("a").isArray());
        documents.removeIf(document -> indexes.stream().anyMatch(index -> !indexable(document, index)));
        BsonDocument text = new BsonDocument();
        if (any.random().nextBoolean()) {
            text.put("a", new BsonDocument(any.one(List.of("$gt", "$lte", "$eq")), any.scalar()));
        }
        Filter filter = FilterParser.parse(text);
        MemorySource source = new MemorySource(documents, indexes);
        Optional<PlanNode> plan = Planner.distinct(
                FindQuery.of(filter), FieldPath.of("a"), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
        if (plan.isEmpty()) {
            return;
        }
        DistinctValues found = new DistinctValues(FieldPath.of("a"));
        run(plan.get(), source).forEach(found::add);
        DistinctValues expected = new DistinctValues(FieldPath.of("a"));
        DocumentTest test = FilterCompiler.compile(filter, CONTEXT);
        documents.stream().filter(test::test).forEach(expected::add);
        assertThat(found.values().stream().map(KeyString::of).toList())
                .as(PlanPrinter.tree(plan.get()))
                .isEqualTo(expected.values().stream().map(KeyString::of).toList());
    }

    private static IndexDefinition named(String name, String key) {
        return IndexDefinition.parse(doc("{key: " + key + ", name: '" + name + "'}"));
    }

    @Test
    void readsNoDocumentWhereTheIndexHoldsAll() {
        IndexDefinition index = named("a_b", "{a: 1, b: 1}");
        MemorySource source = new MemorySource(
                io.ostraka.query.TestRun.docs("[{_id: 1, a: 1, b: 2.5}, {_id: 2, a: 1, b: 'x'}, {_id: 3, a: 2}]"),
                List.of(index));
        PlanNode plan = Planner.plan(
                FindQuery.of(FilterParser.parse(doc("{a: 1}"))).projected(Projection.parseFind(doc("{_id: 0, b: 1}"))),
                source.indexes(),
                Optional.empty(),
                QueryLimits.DEFAULT);
        try (Execution execution = Execution.open(plan, source, CONTEXT)) {
            assertThat(execution.documents().toList()).containsExactly(doc("{b: 2.5}"), doc("{b: 'x'}"));
            BsonDocument stats = execution.counters().executionStats(0);
            assertThat(stats.getInt32("totalDocsExamined").getValue()).isZero();
            assertThat(stats.getInt32("totalKeysExamined").getValue()).isEqualTo(2);
            assertThat(stats.getDocument("executionStages").getString("stage").getValue())
                    .isEqualTo("PROJECTION_COVERED");
        }
    }
}
