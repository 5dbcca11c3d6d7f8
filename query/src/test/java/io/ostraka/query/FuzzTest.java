package io.ostraka.query;

import static io.ostraka.query.TestRun.CONTEXT;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.query.collation.Collation;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterCompiler;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.filter.FilterPrinter;
import io.ostraka.query.index.IndexDefinition;
import io.ostraka.query.index.IndexKeys;
import io.ostraka.query.pipeline.AccumulatorKind;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.sort.SortPattern;
import io.ostraka.query.update.UpdateContext;
import io.ostraka.query.update.UpdateParser;
import io.ostraka.query.update.Updater;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.Assertions;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/** Whatever a client sends is answered, or refused with an error of ours: nothing else ever escapes. */
class FuzzTest {
    private static final List<String> ARGUMENTS = List.of(
            "a",
            "b",
            "a.b",
            "_id",
            "input",
            "in",
            "as",
            "cond",
            "if",
            "then",
            "else",
            "date",
            "format",
            "unit",
            "regex",
            "vars",
            "branches",
            "case",
            "default",
            "field",
            "value",
            "to",
            "find",
            "$each",
            "$slice",
            "$sort",
            "",
            "a.$",
            "a.$[]",
            "n",
            "sortBy",
            "path",
            "size",
            "newRoot",
            "initialValue",
            "chars",
            "timezone",
            "onError",
            "amount",
            "startDate",
            "endDate",
            "inputs",
            "dateString",
            "replacement",
            "binSize",
            "year");

    private static final class Words {
        private final AnyQuery any;
        private final Random random;

        Words(long seed) {
            any = new AnyQuery(seed);
            random = any.random();
        }

        String name(List<String> operators) {
            return random.nextInt(3) > 0 ? any.one(operators) : any.one(ARGUMENTS);
        }

        BsonValue value(int depth, List<String> operators) {
            return switch (depth == 0 ? random.nextInt(6) : random.nextInt(12)) {
                case 0 ->
                    new BsonString(
                            any.one(List.of("$a", "$b", "$$this", "$$value", "$$ROOT", "$a.b", "day", "x", "%Y", "")));
                case 1 -> new BsonDateTime(random.nextLong() >> random.nextInt(40));
                case 2 -> new BsonRegularExpression(any.one(List.of("a", "^a", "(", "[a-")));
                case 3, 4, 5 -> any.value(1);
                case 6, 7 -> {
                    BsonArray array = new BsonArray();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        array.add(value(depth - 1, operators));
                    }
                    yield array;
                }
                default -> document(depth - 1, operators);
            };
        }

        BsonDocument document(int depth, List<String> operators) {
            BsonDocument document = new BsonDocument();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                document.put(random.nextInt(i) == 0 ? name(operators) : any.one(ARGUMENTS), value(depth, operators));
            }
            return document;
        }
    }

    private static void onlyOurErrors(Runnable run) {
        try {
            run.run();
        } catch (CommandException e) {
            Assertions.assertThat(e.code()).isNotEqualTo(ErrorCode.INTERNAL_ERROR);
        }
    }

    @Property(tries = 20_000)
    void filters(@ForAll long seed) {
        Words words = new Words(seed);
        BsonDocument text = words.document(3, FilterParser.names());
        List<RawDocument> documents = words.any.documents(3);
        onlyOurErrors(() -> {
            Filter filter = FilterParser.parse(text);
            var test = FilterCompiler.compile(filter, CONTEXT);
            documents.forEach(test::test);
            if (!text.toString().contains("$expr")) {
                FilterParser.parse(FilterPrinter.print(filter));
            }
        });
    }

    @Property(tries = 20_000)
    void updates(@ForAll long seed) {
        Words words = new Words(seed);
        BsonDocument update = new BsonDocument(
                words.any.one(UpdateParser.names()),
                words.document(2, List.of("$each", "$slice", "$sort", "$position", "a", "b")));
        List<RawDocument> documents = words.any.documents(3);
        onlyOurErrors(() -> {
            Updater updater = Updater.of(
                    UpdateParser.parse(RawCursor.of(update), List.of()),
                    FilterParser.parse(new BsonDocument("a", words.any.value(1))),
                    new UpdateContext(CONTEXT, () -> new ObjectId(new byte[12])));
            documents.forEach(document -> onlyOurErrors(() -> updater.apply(document)));
            updater.upsert();
        });
    }

    @Property(tries = 20_000)
    void expressions(@ForAll long seed) {
        Words words = new Words(seed);
        String name = words.any.one(ExpressionParser.names());
        BsonArray inOrder = new BsonArray();
        for (int i = words.random.nextInt(4); i >= 0; i--) {
            inOrder.add(words.value(1, ExpressionParser.names()));
        }
        BsonValue argument = words.random.nextBoolean() ? inOrder : words.value(3, ExpressionParser.names());
        BsonDocument stage = new BsonDocument("$project", new BsonDocument("x", new BsonDocument(name, argument)));
        List<RawDocument> documents = words.any.documents(3);
        onlyOurErrors(() -> {
            Pipeline pipeline = Pipeline.parse(List.of(RawDocument.of(stage)));
            documents.forEach(document -> onlyOurErrors(() ->
                    pipeline.open(DocumentStream.of(List.of(document)), CONTEXT).toList()));
        });
    }

    @Property(tries = 10_000)
    void stages(@ForAll long seed) {
        Words words = new Words(seed);
        List<String> inside = AccumulatorKind.names();
        BsonDocument one = new BsonDocument(words.any.one(Pipeline.names()), words.value(3, inside));
        BsonDocument two = new BsonDocument(
                "$group",
                new BsonDocument("_id", words.value(1, inside))
                        .append("x", new BsonDocument(words.any.one(inside), words.value(1, List.of("$add")))));
        onlyOurErrors(() -> Pipeline.parse(List.of(RawDocument.of(one), RawDocument.of(two)))
                .open(DocumentStream.of(words.any.documents(5)), CONTEXT)
                .toList());
    }

    @Property(tries = 10_000)
    void windows(@ForAll long seed) {
        Words words = new Words(seed);
        List<String> inside = new ArrayList<>(AccumulatorKind.names());
        inside.addAll(Pipeline.windowOperators());
        String operator = words.any.one(inside);
        BsonValue argument = switch (words.random.nextInt(5)) {
            case 0 -> words.value(2, List.of("input", "unit", "N", "alpha"));
            case 1 -> new BsonDocument("input", new BsonString("$a")).append("N", new BsonInt32(2));
            case 2 -> new BsonDocument("input", new BsonString("$a"));
            case 3 -> new BsonArray(List.of(new BsonString("$a"), new BsonString("$b")));
            default -> new BsonString("$a");
        };
        BsonArray bounds = new BsonArray(List.of(bound(words), bound(words)));
        BsonDocument window = new BsonDocument(words.any.one(List.of("range", "documents")), bounds);
        if (words.random.nextInt(4) == 0) {
            window.put("unit", new BsonString(words.any.one(List.of("day", "quarter", "week", "age"))));
        }
        BsonDocument computation = new BsonDocument(operator, argument);
        if (words.random.nextInt(3) > 0) {
            computation.put("window", window);
        }
        BsonDocument stage = new BsonDocument("output", new BsonDocument("x", computation));
        if (words.random.nextInt(5) > 0) {
            stage.put("sortBy", new BsonDocument(words.any.path(), new BsonInt32(1)));
        }
        onlyOurErrors(() -> Pipeline.parse(List.of(RawDocument.of(new BsonDocument("$setWindowFields", stage))))
                .open(DocumentStream.of(words.any.documents(6)), CONTEXT)
                .toList());
    }

    private static BsonValue bound(Words words) {
        return switch (words.random.nextInt(4)) {
            case 0 -> new BsonString("current");
            case 1 -> new BsonString("unbounded");
            case 2 -> new BsonInt32(words.random.nextInt(5) - 2);
            default -> words.any.scalar();
        };
    }

    @Property(tries = 5_000)
    void collations(@ForAll long seed) {
        Words words = new Words(seed);
        BsonDocument text = new BsonDocument(
                "locale",
                new BsonString(words.any.one(List.of("en", "de@collation=phonebook", "fr_CA", "xx", "@", ""))));
        for (int i = words.random.nextInt(3); i > 0; i--) {
            text.put(
                    words.any.one(
                            List.of("strength", "caseLevel", "caseFirst", "alternate", "maxVariable", "backwards")),
                    words.any.one(List.of(
                            new BsonInt32(words.random.nextInt(7)),
                            new BsonString("upper"),
                            new BsonString("shifted"),
                            new BsonString("space"),
                            org.bson.BsonBoolean.TRUE)));
        }
        BsonDocument filter = words.any.filter(2);
        onlyOurErrors(() -> {
            var context = CONTEXT.with(Collation.parse(text));
            var test = FilterCompiler.compile(FilterParser.parse(filter), context);
            words.any.documents(3).forEach(test::test);
        });
    }

    @Property(tries = 10_000)
    void projectionsSortsAndIndexes(@ForAll long seed) {
        Words words = new Words(seed);
        RawDocument text =
                RawDocument.of(words.document(2, List.of("$slice", "$elemMatch", "$meta", "$add", "a", "b", "c.d")));
        List<RawDocument> documents = words.any.documents(3);
        onlyOurErrors(() -> {
            Projector projector = Projector.of(Projection.parseFind(text), Filter.EVERYTHING, CONTEXT);
            documents.forEach(projector::apply);
        });
        onlyOurErrors(() -> SortPattern.parse(text));
        onlyOurErrors(() -> {
            IndexKeys keys = IndexKeys.of(IndexDefinition.fields(text));
            documents.forEach(keys::of);
        });
        onlyOurErrors(() -> IndexDefinition.parse(text));
    }
}
