package io.ostraka.query.schema;

import static io.ostraka.query.TestRun.CONTEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.error.CommandException;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.query.AnyQuery;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterFailure;
import io.ostraka.query.filter.FilterParser;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Laws of schemas, over random ones that are mostly right. */
class SchemaPropertyTest {
    private static final List<String> TYPES =
            List.of("object", "array", "string", "number", "null", "bool", "int", "double", "boolean", "minKey", "x");

    private record Schemas(AnyQuery any) {
        BsonDocument schema(int depth) {
            BsonDocument schema = new BsonDocument();
            for (int i = any.random().nextInt(3); i >= 0; i--) {
                String keyword = any.one(SchemaParser.keywords());
                schema.put(keyword, any.random().nextInt(20) == 0 ? any.value(1) : argument(keyword, depth));
            }
            return schema;
        }

        private BsonValue argument(String keyword, int depth) {
            BsonInt32 small = new BsonInt32(any.random().nextInt(4));
            return switch (keyword) {
                case "type", "bsonType" -> new BsonString(any.one(TYPES));
                case "enum" -> new BsonArray(List.of(any.value(1), any.value(1)));
                case "required" -> new BsonArray(List.of(new BsonString(any.one(List.of("a", "b", "c")))));
                case "pattern" -> new BsonString(any.one(List.of("^a", "b$", ".", "(")));
                case "exclusiveMinimum", "exclusiveMaximum", "uniqueItems" ->
                    BsonBoolean.valueOf(any.random().nextBoolean());
                case "allOf", "anyOf", "oneOf" -> new BsonArray(List.of(below(depth), below(depth)));
                case "not" -> below(depth);
                case "items", "additionalItems", "additionalProperties" ->
                    any.random().nextBoolean() ? below(depth) : items(keyword, depth);
                case "properties" -> new BsonDocument("a", below(depth)).append("b", below(depth));
                case "patternProperties" -> new BsonDocument(any.one(List.of("^a", "[bc]")), below(depth));
                case "dependencies" ->
                    new BsonDocument("a", new BsonArray(List.of(new BsonString("b")))).append("b", below(depth));
                case "encrypt", "encryptMetadata" -> new BsonDocument();
                case "title", "description" -> new BsonString("told");
                case "multipleOf" -> new BsonInt32(1 + any.random().nextInt(3));
                default -> small;
            };
        }

        private BsonValue items(String keyword, int depth) {
            return keyword.equals("items") ? new BsonArray(List.of(below(depth))) : BsonBoolean.FALSE;
        }

        private BsonDocument below(int depth) {
            return depth == 0 ? new BsonDocument() : schema(depth - 1);
        }
    }

    @Property(tries = 10_000)
    void whatIsRefusedIsExplainedAndTheOppositeHolds(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        BsonDocument text = new Schemas(any).schema(3);
        List<RawDocument> documents = any.documents(5);
        Schema schema;
        try {
            schema = SchemaParser.parse(text);
        } catch (CommandException wrong) {
            assertThat(wrong.code()).isNotEqualTo(ErrorCode.INTERNAL_ERROR);
            return;
        }
        Schema opposite = SchemaParser.parse(new BsonDocument("not", text));
        Filter filter = FilterParser.parse(new BsonDocument("$jsonSchema", text));
        for (RawDocument document : documents) {
            boolean meets = SchemaTest.meets(schema, document);
            assertThat(SchemaTest.meets(opposite, document)).isNotEqualTo(meets);
            if (!meets) {
                BsonDocument why = FilterFailure.of(filter, document, CONTEXT);
                assertThat(why.getArray("schemaRulesNotSatisfied"))
                        .as(text.toJson())
                        .isNotEmpty();
            }
        }
    }

    @Property(tries = 5_000)
    void whatAFilterRefusesIsExplained(@ForAll long seed) {
        AnyQuery any = new AnyQuery(seed);
        Filter filter = FilterParser.parse(any.filter(3));
        for (RawDocument document : any.documents(5)) {
            if (!io.ostraka.query.filter.FilterCompiler.compile(filter, CONTEXT).test(document)) {
                assertThat(FilterFailure.of(filter, document, CONTEXT)).containsKey("operatorName");
            }
        }
    }
}
