package io.ostraka.query.plan;

import static io.ostraka.query.TestRun.CONTEXT;
import static io.ostraka.query.TestRun.doc;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.execute.Execution;
import io.ostraka.query.execute.MemorySource;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.TextFilters;
import io.ostraka.query.index.AccessMethod;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.run.QueryLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What a text index finds is what looking at every document finds. */
class TextPlanTest {
    private static final List<String> WORDS = List.of(
            "run", "running", "Runs", "cafe", "Café", "the", "and", "house", "houses", "Haus", "Häuser", "don't",
            "x-ray", "7up");
    private static final IndexDefinition INDEX =
            IndexDefinition.parse(doc("{key: {k: 1, a: 'text', 'b.c': 'text', n: 1}, name: 'words', weights: {a: 3}}"));
    private static final IndexDefinition NUMBERS = IndexDefinition.parse(doc("{key: {n: 1}, name: 'n'}"));

    private static String text(Random random, boolean search) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(5); i >= 0; i--) {
            String word = WORDS.get(random.nextInt(WORDS.size()));
            String more = WORDS.get(random.nextInt(WORDS.size()));
            text.append(
                            switch (search ? random.nextInt(6) : 5) {
                                case 0 -> "-" + word;
                                case 1 -> "\"" + word + " " + more + "\"";
                                case 2 -> "-\"" + word + "\"";
                                default -> word;
                            })
                    .append(random.nextInt(5) == 0 ? ", " : " ");
        }
        return text.toString();
    }

    private static BsonValue value(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new BsonArray(List.of(new BsonString(text(random, false)), new BsonString(text(random, false))));
            case 1 -> new BsonInt32(random.nextInt(5));
            default -> new BsonString(text(random, false));
        };
    }

    private static RawDocument document(Random random, int id) {
        BsonDocument document = new BsonDocument("_id", new BsonInt32(id))
                .append("k", new BsonInt32(random.nextInt(2)))
                .append("n", new BsonInt32(random.nextInt(4)));
        if (random.nextInt(4) > 0) {
            document.put("a", value(random));
        }
        if (random.nextInt(3) > 0) {
            document.put("b", new BsonDocument("c", value(random)));
        }
        if (random.nextInt(3) == 0) {
            document.put("language", new BsonString("german"));
        }
        return RawDocument.of(document);
    }

    @Property(tries = 2_000)
    void answersAsAScanDoes(@ForAll long seed) {
        Random random = new Random(seed);
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            documents.add(document(random, i));
        }
        BsonDocument words = new BsonDocument("$search", new BsonString(text(random, true)))
                .append("$caseSensitive", BsonBoolean.valueOf(random.nextInt(4) == 0))
                .append("$diacriticSensitive", BsonBoolean.valueOf(random.nextInt(4) == 0));
        BsonDocument text = new BsonDocument("$text", words).append("k", new BsonInt32(random.nextInt(2)));
        if (random.nextInt(3) == 0) {
            text.put("n", new BsonDocument("$gt", new BsonInt32(random.nextInt(4))));
        }
        if (random.nextInt(4) == 0) {
            text = new BsonDocument("$or", new BsonArray(List.of(text, BsonDocument.parse("{n: 2}"))));
        }
        Filter filter = FilterParser.parse(text);
        MemorySource source = new MemorySource(documents, List.of(INDEX, NUMBERS));
        PlanNode plan = Planner.plan(FindQuery.of(filter), source.indexes(), Optional.empty(), QueryLimits.DEFAULT);
        Filter bound = TextFilters.on(filter, ((AccessMethod.Text) INDEX.method()).rules());
        List<RawDocument> expected = documents.stream()
                .filter(FilterCompiler.compile(bound, CONTEXT)::test)
                .toList();
        try (Execution execution = Execution.open(plan, source, CONTEXT)) {
            assertThat(execution.documents().toList())
                    .as(() -> text(plan))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static String text(PlanNode plan) {
        return PlanPrinter.tree(plan);
    }
}
