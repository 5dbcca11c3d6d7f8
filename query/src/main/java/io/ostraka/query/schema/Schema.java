package io.ostraka.query.schema;

import io.ostraka.query.regex.Pattern;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * A schema or one within it: rules that all must hold. Immutable and valid.
 *
 * @param annotations {@code title} and {@code description}, told to whoever breaks it
 */
public record Schema(BsonDocument annotations, List<Rule> rules) {
    public Schema {
        rules = List.copyOf(rules);
    }

    /** Which end of a range a bound is. */
    public enum End {
        LEAST,
        MOST
    }

    /** What is counted. */
    public enum Count {
        CHARACTERS,
        ITEMS,
        PROPERTIES
    }

    /** One keyword. */
    public sealed interface Rule {
        /** The keyword as the client wrote it. */
        String keyword();
    }

    /** {@code type} and {@code bsonType}, by BSON's type numbers. */
    public record TypeIs(String keyword, Set<Integer> types, BsonValue source) implements Rule {
        public TypeIs {
            types = Set.copyOf(types);
        }
    }

    /** {@code enum}: equal to one of these; the order of fields in objects does not matter. */
    public record Among(List<BsonValue> values) implements Rule {
        public Among {
            values = List.copyOf(values);
        }

        @Override
        public String keyword() {
            return "enum";
        }
    }

    /** {@code minimum} and {@code maximum}. */
    public record Bound(End end, BsonValue bound, boolean exclusive) implements Rule {
        @Override
        public String keyword() {
            return end == End.LEAST ? "minimum" : "maximum";
        }
    }

    public record MultipleOf(BsonValue divisor) implements Rule {
        @Override
        public String keyword() {
            return "multipleOf";
        }
    }

    /** {@code minLength}, {@code maxItems} and their kin. */
    public record Size(Count count, End end, long bound) implements Rule {
        @Override
        public String keyword() {
            String of = switch (count) {
                case CHARACTERS -> "Length";
                case ITEMS -> "Items";
                case PROPERTIES -> "Properties";
            };
            return (end == End.LEAST ? "min" : "max") + of;
        }
    }

    /** {@code pattern}: found anywhere in a string. */
    public record Matches(String source, Pattern pattern) implements Rule {
        @Override
        public String keyword() {
            return "pattern";
        }
    }

    public record Required(List<String> names) implements Rule {
        public Required {
            names = List.copyOf(names);
        }

        @Override
        public String keyword() {
            return "required";
        }
    }

    public record Properties(Map<String, Schema> schemas) implements Rule {
        public Properties {
            schemas = Collections.unmodifiableMap(new LinkedHashMap<>(schemas));
        }

        @Override
        public String keyword() {
            return "properties";
        }
    }

    /** A name's pattern and the schema of the values under such names. */
    public record Named(String source, Pattern pattern, Schema schema) {}

    public record PatternProperties(List<Named> named) implements Rule {
        public PatternProperties {
            named = List.copyOf(named);
        }

        @Override
        public String keyword() {
            return "patternProperties";
        }
    }

    /**
     * {@code additionalProperties}.
     *
     * @param known the names of {@code properties}
     * @param patterns those of {@code patternProperties}
     * @param schema of the others; empty if there may be none
     */
    public record AdditionalProperties(Set<String> known, List<Pattern> patterns, Optional<Schema> schema)
            implements Rule {
        public AdditionalProperties {
            known = Set.copyOf(known);
            patterns = List.copyOf(patterns);
        }

        @Override
        public String keyword() {
            return "additionalProperties";
        }
    }

    /** What must hold of an object that has a field: other fields, or a schema. */
    public sealed interface Dependency {}

    public record NeedsFields(List<String> names) implements Dependency {
        public NeedsFields {
            names = List.copyOf(names);
        }
    }

    public record NeedsSchema(Schema schema) implements Dependency {}

    public record Dependencies(Map<String, Dependency> byField) implements Rule {
        public Dependencies {
            byField = Collections.unmodifiableMap(new LinkedHashMap<>(byField));
        }

        @Override
        public String keyword() {
            return "dependencies";
        }
    }

    public record UniqueItems() implements Rule {
        @Override
        public String keyword() {
            return "uniqueItems";
        }
    }

    /** {@code items} with one schema for all. */
    public record Items(Schema schema) implements Rule {
        @Override
        public String keyword() {
            return "items";
        }
    }

    /** {@code items} with a schema for each place. */
    public record ItemsAt(List<Schema> schemas) implements Rule {
        public ItemsAt {
            schemas = List.copyOf(schemas);
        }

        @Override
        public String keyword() {
            return "items";
        }
    }

    /**
     * {@code additionalItems}.
     *
     * @param from the first place that {@code items} says nothing about
     * @param schema of the items there; empty if there may be none
     */
    public record AdditionalItems(int from, Optional<Schema> schema) implements Rule {
        @Override
        public String keyword() {
            return "additionalItems";
        }
    }

    public record AllOf(List<Schema> schemas) implements Rule {
        public AllOf {
            schemas = List.copyOf(schemas);
        }

        @Override
        public String keyword() {
            return "allOf";
        }
    }

    public record AnyOf(List<Schema> schemas) implements Rule {
        public AnyOf {
            schemas = List.copyOf(schemas);
        }

        @Override
        public String keyword() {
            return "anyOf";
        }
    }

    public record OneOf(List<Schema> schemas) implements Rule {
        public OneOf {
            schemas = List.copyOf(schemas);
        }

        @Override
        public String keyword() {
            return "oneOf";
        }
    }

    public record Not(Schema schema) implements Rule {
        @Override
        public String keyword() {
            return "not";
        }
    }

    /** {@code encrypt}: a value that a client has encrypted, binary of subtype 6. */
    public record Encrypted() implements Rule {
        @Override
        public String keyword() {
            return "encrypt";
        }
    }
}
