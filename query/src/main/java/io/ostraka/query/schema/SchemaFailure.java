package io.ostraka.query.schema;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.schema.SchemaTest.Subject;
import io.ostraka.query.schema.SchemaTest.Value;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Which rules of a schema a document breaks, as {@code errInfo.details} of a validation error tells it. Decodes what it
 * shows, so it is asked only when a document was refused.
 */
public final class SchemaFailure {
    private SchemaFailure() {}

    /**
     * The broken rules of a whole document.
     *
     * @return {@code {operatorName: "$jsonSchema", title?, description?, schemaRulesNotSatisfied: [rule ...]}}
     */
    public static BsonDocument of(Schema schema, RawDocument document) {
        BsonDocument failure = new BsonDocument("operatorName", new BsonString("$jsonSchema"));
        failure.putAll(schema.annotations());
        return failure.append("schemaRulesNotSatisfied", rules(schema, Subject.of(document)));
    }

    private static BsonArray rules(Schema schema, Subject subject) {
        BsonArray broken = new BsonArray();
        for (Schema.Rule rule : schema.rules()) {
            if (!SchemaTest.meets(rule, subject)) {
                broken.add(rule(rule, subject));
            }
        }
        return broken;
    }

    private static BsonDocument named(Schema.Rule rule) {
        return new BsonDocument("operatorName", new BsonString(rule.keyword()));
    }

    private static BsonDocument specified(Schema.Rule rule, BsonValue as, String reason) {
        return named(rule)
                .append("specifiedAs", new BsonDocument(rule.keyword(), as))
                .append("reason", new BsonString(reason));
    }

    private static BsonDocument rule(Schema.Rule rule, Subject subject) {
        return switch (rule) {
            case Schema.TypeIs(var unused, var types, var source) ->
                specified(rule, source, "type did not match")
                        .append("consideredValue", subject.value())
                        .append("consideredType", new BsonString(Values.typeName(subject.value())));
            case Schema.Among(var values) ->
                specified(rule, new BsonArray(values), "value was not found in enum")
                        .append("consideredValue", subject.value());
            case Schema.Bound bound -> bound(bound, subject);
            case Schema.MultipleOf(var divisor) ->
                specified(rule, divisor, "considered value is not a multiple of the specified value")
                        .append("consideredValue", subject.value());
            case Schema.Size size -> size(size, subject);
            case Schema.Matches(var source, var unused) ->
                specified(rule, new BsonString(source), "regular expression did not match")
                        .append("consideredValue", subject.value());
            case Schema.Required(var names) ->
                named(rule)
                        .append("specifiedAs", new BsonDocument("required", strings(names)))
                        .append("missingProperties", strings(missing(names, subject.document())));
            case Schema.Properties properties -> properties(properties, subject.document());
            case Schema.PatternProperties patterns -> patterns(patterns, subject.document());
            case Schema.AdditionalProperties additional -> additional(additional, subject.document());
            case Schema.Dependencies dependencies -> dependencies(dependencies, subject);
            case Schema.UniqueItems() -> duplicate(rule, subject);
            case Schema.Items(var schema) -> item(rule, 0, List.of(), Optional.of(schema), subject.document());
            case Schema.ItemsAt(var schemas) -> item(rule, 0, schemas, Optional.empty(), subject.document());
            case Schema.AdditionalItems(var from, var schema) ->
                schema.isPresent()
                        ? item(rule, from, List.of(), schema, subject.document())
                        : named(rule)
                                .append("specifiedAs", new BsonDocument("additionalItems", org.bson.BsonBoolean.FALSE))
                                .append("additionalItems", itemsFrom(from, subject.document()));
            case Schema.AllOf(var schemas) -> named(rule).append("schemasNotSatisfied", broken(schemas, subject));
            case Schema.AnyOf(var schemas) -> named(rule).append("schemasNotSatisfied", broken(schemas, subject));
            case Schema.OneOf(var schemas) -> oneOf(rule, schemas, subject);
            case Schema.Not(var unused) -> named(rule).append("reason", new BsonString("child expression matched"));
            case Schema.Encrypted() ->
                named(rule)
                        .append("reason", new BsonString("value was not encrypted"))
                        .append("consideredValue", subject.value());
        };
    }

    private static BsonArray strings(List<String> texts) {
        return new BsonArray(texts.stream().map(BsonString::new).toList());
    }

    private static List<String> missing(List<String> names, RawDocument document) {
        return names.stream().filter(name -> document.find(name) == null).toList();
    }

    private static BsonDocument bound(Schema.Bound bound, Subject subject) {
        BsonDocument as = new BsonDocument(bound.keyword(), bound.bound());
        if (bound.exclusive()) {
            as.append(
                    bound.end() == Schema.End.LEAST ? "exclusiveMinimum" : "exclusiveMaximum",
                    org.bson.BsonBoolean.TRUE);
        }
        return named(bound)
                .append("specifiedAs", as)
                .append("reason", new BsonString("comparison failed"))
                .append("consideredValue", subject.value());
    }

    private static BsonDocument size(Schema.Size size, Subject subject) {
        BsonValue as = new BsonInt64(size.bound());
        return switch (size.count()) {
            case CHARACTERS ->
                specified(size, as, "specified string length was not satisfied")
                        .append("consideredValue", subject.value());
            case ITEMS ->
                specified(size, as, "array did not match specified length").append("consideredValue", subject.value());
            case PROPERTIES ->
                specified(size, as, "specified number of properties was not satisfied")
                        .append("numberOfProperties", new BsonInt32(SchemaTest.size(subject.document())));
        };
    }

    private static BsonDocument properties(Schema.Properties properties, RawDocument document) {
        BsonArray broken = new BsonArray();
        properties.schemas().forEach((name, schema) -> {
            RawCursor found = document.find(name);
            if (found != null && !SchemaTest.meets(schema, Subject.of(found))) {
                broken.add(property(name, schema, found));
            }
        });
        return named(properties).append("propertiesNotSatisfied", broken);
    }

    private static BsonDocument property(String name, Schema schema, RawCursor found) {
        BsonDocument property = new BsonDocument("propertyName", new BsonString(name));
        property.putAll(schema.annotations());
        return property.append("details", rules(schema, Subject.of(found)));
    }

    private static BsonDocument patterns(Schema.PatternProperties patterns, RawDocument document) {
        BsonArray broken = new BsonArray();
        RawCursor field = document.cursor();
        while (field.next()) {
            for (Schema.Named each : patterns.named()) {
                if (SchemaTest.isNamed(each.pattern(), field) && !SchemaTest.meets(each.schema(), Subject.of(field))) {
                    BsonDocument property = property(field.name(), each.schema(), field);
                    BsonValue details = property.remove("details");
                    broken.add(property.append("regexMatched", new BsonString(each.source()))
                            .append("details", details));
                }
            }
        }
        return named(patterns).append("details", broken);
    }

    private static BsonDocument additional(Schema.AdditionalProperties rule, RawDocument document) {
        List<String> names = new ArrayList<>();
        RawCursor field = document.cursor();
        while (field.next()) {
            if (!SchemaTest.isAdditional(rule, field)) {
                continue;
            }
            if (rule.schema().isEmpty()) {
                names.add(field.name());
            } else if (!SchemaTest.meets(rule.schema().get(), Subject.of(field))) {
                return named(rule)
                        .append(
                                "reason",
                                new BsonString("at least one additional property did not match the subschema"))
                        .append("failingProperty", new BsonString(field.name()))
                        .append("details", rules(rule.schema().get(), Subject.of(field)));
            }
        }
        return named(rule)
                .append("specifiedAs", new BsonDocument("additionalProperties", org.bson.BsonBoolean.FALSE))
                .append("additionalProperties", strings(names));
    }

    private static BsonDocument dependencies(Schema.Dependencies dependencies, Subject subject) {
        BsonArray failing = new BsonArray();
        dependencies.byField().forEach((field, dependency) -> {
            if (subject.document().find(field) == null || SchemaTest.meets(dependency, subject)) {
                return;
            }
            BsonDocument entry = new BsonDocument("conditionalProperty", new BsonString(field));
            failing.add(
                    switch (dependency) {
                        case Schema.NeedsFields(var names) ->
                            entry.append("missingProperties", strings(missing(names, subject.document())));
                        case Schema.NeedsSchema(var schema) -> entry.append("details", rules(schema, subject));
                    });
        });
        return named(dependencies).append("failingDependencies", failing);
    }

    private static BsonDocument duplicate(Schema.Rule rule, Subject subject) {
        Set<Value> seen = new HashSet<>();
        BsonValue twice = subject.value().asArray().stream()
                .filter(value -> !seen.add(Value.of(value)))
                .findFirst()
                .orElseThrow();
        return specified(rule, org.bson.BsonBoolean.TRUE, "found a duplicate item")
                .append("consideredValue", subject.value())
                .append("duplicatedValue", twice);
    }

    /** The first item that breaks its schema: that of its place, or the one for all. */
    private static BsonDocument item(
            Schema.Rule rule, int from, List<Schema> schemas, Optional<Schema> all, RawDocument array) {
        RawCursor item = array.cursor();
        for (int i = 0; item.next(); i++) {
            Schema schema = all.orElse(i < schemas.size() ? schemas.get(i) : null);
            if (i >= from && schema != null && !SchemaTest.meets(schema, Subject.of(item))) {
                BsonDocument failure =
                        named(rule).append("reason", new BsonString("At least one item did not match the sub-schema"));
                failure.putAll(schema.annotations());
                return failure.append("itemIndex", new BsonInt32(i)).append("details", rules(schema, Subject.of(item)));
            }
        }
        throw new IllegalStateException("a broken rule about items is broken by one");
    }

    private static BsonArray itemsFrom(int from, RawDocument array) {
        BsonArray items = new BsonArray();
        RawCursor item = array.cursor();
        for (int i = 0; item.next(); i++) {
            if (i >= from) {
                items.add(item.value());
            }
        }
        return items;
    }

    private static BsonArray broken(List<Schema> schemas, Subject subject) {
        BsonArray broken = new BsonArray();
        for (int i = 0; i < schemas.size(); i++) {
            if (!SchemaTest.meets(schemas.get(i), subject)) {
                BsonDocument entry = new BsonDocument("index", new BsonInt32(i));
                entry.putAll(schemas.get(i).annotations());
                broken.add(entry.append("details", rules(schemas.get(i), subject)));
            }
        }
        return broken;
    }

    private static BsonDocument oneOf(Schema.Rule rule, List<Schema> schemas, Subject subject) {
        BsonArray matching = new BsonArray();
        for (int i = 0; i < schemas.size(); i++) {
            if (SchemaTest.meets(schemas.get(i), subject)) {
                matching.add(new BsonInt32(i));
            }
        }
        return matching.isEmpty()
                ? named(rule).append("schemasNotSatisfied", broken(schemas, subject))
                : named(rule)
                        .append("reason", new BsonString("more than one subschema matched"))
                        .append("matchingSchemaIndexes", matching);
    }
}
