package io.ostraka.query.schema;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.query.regex.Pattern;
import io.ostraka.query.schema.Schema.Count;
import io.ostraka.query.schema.Schema.End;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads schemas. What is none is refused with 9 FailedToParse, and a keyword of the wrong type with 14 TypeMismatch. */
public final class SchemaParser {
    /** Schemas within each other. */
    private static final int DEPTH_MAX = 100;

    /** How one keyword is read. Those that belong together are read by one of them. */
    @FunctionalInterface
    private interface Keyword {
        Optional<Schema.Rule> read(String name, BsonValue argument, Level level);
    }

    /** The schema around a keyword, and how deep it stands. */
    private record Level(BsonDocument schema, int depth) {
        Schema within(String keyword, BsonValue argument) {
            return parse(document(keyword, argument), depth + 1);
        }
    }

    private static final Map<String, Keyword> TABLE = Map.ofEntries(
            Map.entry("additionalItems", SchemaParser::additionalItems),
            Map.entry("additionalProperties", SchemaParser::additionalProperties),
            Map.entry("allOf", (name, argument, level) -> Optional.of(new Schema.AllOf(list(name, argument, level)))),
            Map.entry("anyOf", (name, argument, level) -> Optional.of(new Schema.AnyOf(list(name, argument, level)))),
            Map.entry("bsonType", SchemaParser::type),
            Map.entry("dependencies", SchemaParser::dependencies),
            Map.entry("description", SchemaParser::annotation),
            Map.entry("encrypt", (name, argument, _) -> {
                var unused = document(name, argument); // how it is encrypted is the client's affair
                return Optional.of(new Schema.Encrypted());
            }),
            Map.entry("encryptMetadata", (name, argument, _) -> {
                var unused = document(name, argument);
                return Optional.empty();
            }),
            Map.entry("enum", SchemaParser::among),
            Map.entry("exclusiveMaximum", (name, _, level) -> exclusive(name, "maximum", level)),
            Map.entry("exclusiveMinimum", (name, _, level) -> exclusive(name, "minimum", level)),
            Map.entry("items", SchemaParser::items),
            Map.entry("maxItems", (name, argument, _) -> size(name, argument, Count.ITEMS, End.MOST)),
            Map.entry("maxLength", (name, argument, _) -> size(name, argument, Count.CHARACTERS, End.MOST)),
            Map.entry("maxProperties", (name, argument, _) -> size(name, argument, Count.PROPERTIES, End.MOST)),
            Map.entry("maximum", (name, argument, level) -> bound(name, argument, "exclusiveMaximum", End.MOST, level)),
            Map.entry("minItems", (name, argument, _) -> size(name, argument, Count.ITEMS, End.LEAST)),
            Map.entry("minLength", (name, argument, _) -> size(name, argument, Count.CHARACTERS, End.LEAST)),
            Map.entry("minProperties", (name, argument, _) -> size(name, argument, Count.PROPERTIES, End.LEAST)),
            Map.entry(
                    "minimum", (name, argument, level) -> bound(name, argument, "exclusiveMinimum", End.LEAST, level)),
            Map.entry("multipleOf", SchemaParser::multipleOf),
            Map.entry("not", (name, argument, level) -> Optional.of(new Schema.Not(level.within(name, argument)))),
            Map.entry("oneOf", (name, argument, level) -> Optional.of(new Schema.OneOf(list(name, argument, level)))),
            Map.entry("pattern", SchemaParser::pattern),
            Map.entry(
                    "patternProperties",
                    (name, argument, level) -> Optional.of(new Schema.PatternProperties(named(name, argument, level)))),
            Map.entry("properties", SchemaParser::properties),
            Map.entry("required", (name, argument, _) -> Optional.of(new Schema.Required(names(name, argument)))),
            Map.entry("title", SchemaParser::annotation),
            Map.entry("type", SchemaParser::type),
            Map.entry(
                    "uniqueItems",
                    (name, argument, _) ->
                            bool(name, argument) ? Optional.of(new Schema.UniqueItems()) : Optional.empty()));

    /** Keywords of JSON Schema that MongoDB has not. */
    private static final Set<String> UNSUPPORTED = Set.of("$ref", "$schema", "default", "definitions", "format", "id");

    /** The names of {@code type}, which are JSON's, with the type numbers of BSON. */
    private static final Map<String, Set<Integer>> JSON_TYPES = Map.of(
            "array", Set.of(4),
            "boolean", Set.of(8),
            "null", Set.of(10),
            "number", Set.of(1, 16, 18, 19),
            "object", Set.of(3),
            "string", Set.of(2));

    private SchemaParser() {}

    /** Reads the argument of {@code $jsonSchema}. */
    public static Schema parse(BsonValue schema) {
        if (!schema.isDocument()) {
            throw TYPE_MISMATCH.because("$jsonSchema must be an object");
        }
        return parse(schema.asDocument(), 0);
    }

    /** Every keyword there is, sorted. */
    public static List<String> keywords() {
        return List.copyOf(new TreeSet<>(TABLE.keySet()));
    }

    private static Schema parse(BsonDocument schema, int depth) {
        if (depth > DEPTH_MAX) {
            throw FAILED_TO_PARSE.because("$jsonSchema nests more than %d schemas within each other", DEPTH_MAX);
        }
        if (schema.containsKey("type") && schema.containsKey("bsonType")) {
            throw FAILED_TO_PARSE.because("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
        }
        Level level = new Level(schema, depth);
        List<Schema.Rule> rules = new ArrayList<>();
        BsonDocument annotations = new BsonDocument();
        schema.forEach((name, argument) -> {
            Keyword keyword = TABLE.get(name);
            if (keyword == null) {
                throw FAILED_TO_PARSE.because(
                        UNSUPPORTED.contains(name)
                                ? "$jsonSchema keyword '%s' is not currently supported"
                                : "Unknown $jsonSchema keyword: %s",
                        name);
            }
            keyword.read(name, argument, level).ifPresent(rules::add);
            if (name.equals("title") || name.equals("description")) {
                annotations.append(name, argument);
            }
        });
        return new Schema(annotations, rules);
    }

    private static BsonDocument document(String keyword, BsonValue argument) {
        if (!argument.isDocument()) {
            throw wrongType(keyword, "an object");
        }
        return argument.asDocument();
    }

    private static RuntimeException wrongType(String keyword, String wanted) {
        return TYPE_MISMATCH.because("$jsonSchema keyword '%s' must be %s", keyword, wanted);
    }

    private static boolean bool(String keyword, BsonValue argument) {
        if (!argument.isBoolean()) {
            throw wrongType(keyword, "a boolean");
        }
        return argument.asBoolean().getValue();
    }

    private static String text(String keyword, BsonValue argument) {
        if (!argument.isString()) {
            throw wrongType(keyword, "a string");
        }
        return argument.asString().getValue();
    }

    private static BsonValue number(String keyword, BsonValue argument) {
        if (!Values.isNumber(argument)) {
            throw wrongType(keyword, "a number");
        }
        return argument;
    }

    private static List<BsonValue> elements(String keyword, BsonValue argument) {
        if (!argument.isArray()) {
            throw wrongType(keyword, "an array");
        }
        if (argument.asArray().isEmpty()) {
            throw FAILED_TO_PARSE.because("$jsonSchema keyword '%s' cannot be an empty array", keyword);
        }
        return argument.asArray().getValues();
    }

    /** Different names, at least one. */
    private static List<String> names(String keyword, BsonValue argument) {
        List<String> names = new ArrayList<>();
        for (BsonValue element : elements(keyword, argument)) {
            if (!element.isString()) {
                throw TYPE_MISMATCH.because("$jsonSchema keyword '%s' must be an array of strings", keyword);
            }
            String name = element.asString().getValue();
            if (names.contains(name)) {
                throw FAILED_TO_PARSE.because(
                        "$jsonSchema keyword '%s' array cannot contain duplicate values", keyword);
            }
            names.add(name);
        }
        return names;
    }

    private static List<Schema> list(String keyword, BsonValue argument, Level level) {
        List<Schema> schemas = new ArrayList<>();
        for (BsonValue element : elements(keyword, argument)) {
            schemas.add(level.within(keyword, element));
        }
        return schemas;
    }

    private static Optional<Schema.Rule> annotation(String name, BsonValue argument, Level level) {
        var unused = text(name, argument);
        return Optional.empty();
    }

    private static Optional<Schema.Rule> type(String name, BsonValue argument, Level level) {
        List<BsonValue> named = argument.isArray() ? elements(name, argument) : List.of(argument);
        Set<Integer> types = new HashSet<>();
        for (BsonValue each : named) {
            if (!each.isString()) {
                throw wrongType(name, "either a string or an array of strings");
            }
            types.addAll(name.equals("type") ? json(text(name, each)) : bson(text(name, each)));
        }
        return Optional.of(new Schema.TypeIs(name, types, argument));
    }

    private static Set<Integer> json(String name) {
        Set<Integer> types = JSON_TYPES.get(name);
        if (types == null) {
            throw FAILED_TO_PARSE.because(
                    name.equals("integer")
                            ? "$jsonSchema type '%s' is not currently supported; use bsonType 'int' or 'long'"
                            : "Unknown type name alias: %s",
                    name);
        }
        return types;
    }

    private static Set<Integer> bson(String name) {
        if (name.equals("number")) {
            return Set.of(1, 16, 18, 19);
        }
        int number = Values.typeNumber(name);
        if (number == 0) {
            throw BAD_VALUE.because("Unknown type name alias: %s", name);
        }
        return Set.of(number);
    }

    private static Optional<Schema.Rule> among(String name, BsonValue argument, Level level) {
        List<BsonValue> values = elements(name, argument);
        Set<SchemaTest.Value> seen = new HashSet<>();
        for (BsonValue value : values) {
            if (!seen.add(SchemaTest.Value.of(value))) {
                throw FAILED_TO_PARSE.because("$jsonSchema keyword '%s' array cannot contain duplicate values", name);
            }
        }
        return Optional.of(new Schema.Among(values));
    }

    private static Optional<Schema.Rule> bound(
            String name, BsonValue argument, String exclusive, End end, Level level) {
        BsonValue excluded = level.schema.get(exclusive);
        return Optional.of(
                new Schema.Bound(end, number(name, argument), excluded != null && bool(exclusive, excluded)));
    }

    /** Read with the bound it belongs to. */
    private static Optional<Schema.Rule> exclusive(String name, String bound, Level level) {
        if (!level.schema.containsKey(bound)) {
            throw FAILED_TO_PARSE.because("$jsonSchema keyword '%s' must be a present if %s is present", bound, name);
        }
        return Optional.empty();
    }

    private static Optional<Schema.Rule> multipleOf(String name, BsonValue argument, Level level) {
        double divisor = Values.toDouble(number(name, argument));
        if (!(divisor > 0) || Double.isInfinite(divisor)) {
            throw FAILED_TO_PARSE.because("$jsonSchema keyword '%s' must have a positive, finite value", name);
        }
        return Optional.of(new Schema.MultipleOf(argument));
    }

    private static Optional<Schema.Rule> size(String name, BsonValue argument, Count count, End end) {
        BsonValue number = number(name, argument);
        if (!Values.isWhole(number) || Values.toLong(number) < 0) {
            throw FAILED_TO_PARSE.because(
                    "$jsonSchema keyword '%s' must be a non-negative whole number, not %s", name, Values.show(number));
        }
        return Optional.of(new Schema.Size(count, end, Values.toLong(number)));
    }

    private static Optional<Schema.Rule> pattern(String name, BsonValue argument, Level level) {
        String source = text(name, argument);
        return Optional.of(new Schema.Matches(source, Pattern.of(source, "")));
    }

    private static Optional<Schema.Rule> properties(String name, BsonValue argument, Level level) {
        Map<String, Schema> schemas = new LinkedHashMap<>();
        document(name, argument).forEach((property, schema) -> {
            if (!schema.isDocument()) {
                throw TYPE_MISMATCH.because("Nested schema for $jsonSchema property '%s' must be an object", property);
            }
            schemas.put(property, level.within(name, schema));
        });
        return Optional.of(new Schema.Properties(schemas));
    }

    private static List<Schema.Named> named(String name, BsonValue argument, Level level) {
        List<Schema.Named> named = new ArrayList<>();
        document(name, argument)
                .forEach((source, schema) ->
                        named.add(new Schema.Named(source, Pattern.of(source, ""), level.within(name, schema))));
        return named;
    }

    private static Optional<Schema.Rule> additionalProperties(String name, BsonValue argument, Level level) {
        if (argument.isBoolean() && argument.asBoolean().getValue()) {
            return Optional.empty();
        }
        if (!argument.isBoolean() && !argument.isDocument()) {
            throw wrongType(name, "either an object or a boolean");
        }
        Set<String> known = level.schema.containsKey("properties")
                ? document("properties", level.schema.get("properties")).keySet()
                : Set.of();
        List<Pattern> patterns = level.schema.containsKey("patternProperties")
                ? document("patternProperties", level.schema.get("patternProperties")).keySet().stream()
                        .map(source -> Pattern.of(source, ""))
                        .toList()
                : List.of();
        return Optional.of(new Schema.AdditionalProperties(
                known, patterns, argument.isDocument() ? Optional.of(level.within(name, argument)) : Optional.empty()));
    }

    private static Optional<Schema.Rule> dependencies(String name, BsonValue argument, Level level) {
        Map<String, Schema.Dependency> byField = new LinkedHashMap<>();
        document(name, argument).forEach((field, needs) -> {
            if (!needs.isDocument() && !needs.isArray()) {
                throw TYPE_MISMATCH.because(
                        "$jsonSchema keyword '%s' must hold arrays of names or schemas: '%s' is neither", name, field);
            }
            byField.put(
                    field,
                    needs.isDocument()
                            ? new Schema.NeedsSchema(level.within(name, needs))
                            : new Schema.NeedsFields(names(name, needs)));
        });
        return Optional.of(new Schema.Dependencies(byField));
    }

    private static Optional<Schema.Rule> items(String name, BsonValue argument, Level level) {
        if (argument.isDocument()) {
            return Optional.of(new Schema.Items(level.within(name, argument)));
        }
        if (!argument.isArray()) {
            throw wrongType(name, "an array or an object");
        }
        List<Schema> schemas = new ArrayList<>();
        argument.asArray().forEach(each -> schemas.add(level.within(name, each)));
        return Optional.of(new Schema.ItemsAt(schemas));
    }

    private static Optional<Schema.Rule> additionalItems(String name, BsonValue argument, Level level) {
        if (!argument.isBoolean() && !argument.isDocument()) {
            throw wrongType(name, "either an object or a boolean");
        }
        Optional<Schema> schema = argument.isDocument() ? Optional.of(level.within(name, argument)) : Optional.empty();
        boolean anything = argument.isBoolean() && argument.asBoolean().getValue();
        BsonValue items = level.schema.get("items");
        if (anything || items == null || !items.isArray()) {
            return Optional.empty(); // without places there is nothing beyond them
        }
        return Optional.of(new Schema.AdditionalItems(items.asArray().size(), schema));
    }
}
