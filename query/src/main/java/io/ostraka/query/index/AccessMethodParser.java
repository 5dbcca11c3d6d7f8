package io.ostraka.query.index;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CANNOT_CREATE_INDEX;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;
import static io.ostraka.core.error.ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION;
import static io.ostraka.core.error.ErrorCode.INVALID_OPTIONS;
import static io.ostraka.core.error.ErrorCode.TYPE_MISMATCH;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.text.Language;
import io.ostraka.query.text.TextRules;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads what only wildcard, text and geospatial indexes have, and refuses what they cannot have. */
final class AccessMethodParser {
    /** Weights of text, from 1. */
    private static final int WEIGHT_MAX = 99_999;

    private static final int BITS_MAX = 32;

    private static final Set<String> OF_WILDCARD = Set.of("wildcardProjection");
    private static final Set<String> OF_TEXT =
            Set.of("weights", "default_language", "language_override", "textIndexVersion");
    private static final Set<String> OF_SPHERE =
            Set.of("2dsphereIndexVersion", "finestIndexedLevel", "coarsestIndexedLevel");
    private static final Set<String> OF_PLANAR = Set.of("bits", "min", "max");

    /** All options that only some indexes have. */
    static final Set<String> OPTIONS = Set.of(
            "wildcardProjection",
            "weights",
            "default_language",
            "language_override",
            "textIndexVersion",
            "2dsphereIndexVersion",
            "finestIndexedLevel",
            "coarsestIndexedLevel",
            "bits",
            "min",
            "max");

    private AccessMethodParser() {}

    /** Sees to it that the fields of a pattern go together. */
    static void checkFields(List<IndexField> fields) {
        long wildcards = fields.stream().filter(AccessMethodParser::isWildcard).count();
        if (wildcards > 1) {
            throw CANNOT_CREATE_INDEX.because("wildcard indexes do not allow more than one wildcard field");
        }
        if (fields.stream()
                        .filter(field -> field.kind() == IndexField.Kind.TEXT)
                        .count()
                > 1) {
            throw CANNOT_CREATE_INDEX.because("'text' fields in a compound index must be next to each other");
        }
        List<IndexField.Kind> derived = fields.stream()
                .filter(IndexField::isDerived)
                .map(IndexField::kind)
                .distinct()
                .toList();
        boolean mixed =
                derived.size() > 1 || !derived.isEmpty() && fields.stream().anyMatch(IndexField::isHashed);
        if (mixed) {
            throw CANNOT_CREATE_INDEX.because("Can't use more than one index plugin for a single index.");
        }
        boolean planar = fields.stream().skip(1).anyMatch(field -> field.kind() == IndexField.Kind.PLANAR);
        if (planar) {
            throw CANNOT_CREATE_INDEX.because("a 2d field must be the first and the only one of its kind");
        }
    }

    private static boolean isWildcard(IndexField field) {
        return field.isWildcard() && field.kind() != IndexField.Kind.TEXT;
    }

    /** Reads the options of an index. */
    static AccessMethod parse(RawDocument pattern, List<IndexField> fields, BsonDocument options) {
        Optional<IndexField> special =
                fields.stream().filter(IndexField::isDerived).findFirst();
        if (special.isEmpty()) {
            allow(options, Set.of());
            return new AccessMethod.Ordered();
        }
        return switch (special.get().kind()) {
            case ASCENDING, DESCENDING, HASHED -> {
                allow(options, OF_WILDCARD);
                yield wildcard(special.get().path(), fields, options.get("wildcardProjection"));
            }
            case TEXT -> {
                allow(options, OF_TEXT);
                yield text(pattern, options);
            }
            case PLANAR -> {
                allow(options, OF_PLANAR);
                yield planar(options);
            }
            case SPHERE -> {
                allow(options, OF_SPHERE);
                yield sphere(options.get("2dsphereIndexVersion"));
            }
        };
    }

    private static void allow(BsonDocument options, Set<String> allowed) {
        for (String name : options.keySet()) {
            if (!allowed.contains(name)) {
                throw name.equals("wildcardProjection")
                        ? BAD_VALUE.because(
                                "The field 'wildcardProjection' is only allowed when 'key' has the wildcard '$**'")
                        : INVALID_INDEX_SPECIFICATION_OPTION.because(
                                "The field '%s' is not valid for an index of this kind", name);
            }
        }
    }

    private static AccessMethod wildcard(FieldPath path, List<IndexField> fields, BsonValue projection) {
        Optional<RawDocument> given = Optional.empty();
        if (projection != null) {
            if (!projection.isDocument()) {
                throw TYPE_MISMATCH.because(
                        "The field 'wildcardProjection' must be a non-empty object, but got %s",
                        Values.typeName(projection));
            }
            if (projection.asDocument().isEmpty()) {
                throw FAILED_TO_PARSE.because("The 'wildcardProjection' field can't be an empty object");
            }
            if (path.length() > 1) {
                throw BAD_VALUE.because(
                        "The field 'wildcardProjection' is only allowed when 'key' has the wildcard '$**' itself, not"
                                + " '%s'",
                        path);
            }
            Projection read = Projection.parseStage(projection.asDocument(), Variables.NONE);
            if (read.mode() == Projection.Mode.INCLUSION && read.keptPaths().isEmpty()) {
                throw FAILED_TO_PARSE.because("A wildcardProjection can only include or exclude fields");
            }
            given = Optional.of(RawDocument.of(projection.asDocument()));
        }
        WildcardFields meant = WildcardFields.of(path, given);
        for (IndexField field : fields) {
            if (!field.isWildcard() && meant.mayHaveBelow(field.path())) {
                throw CANNOT_CREATE_INDEX.because(
                        "compound wildcard indexes need a wildcardProjection that leaves out their other fields, such"
                                + " as '%s'",
                        field.path());
            }
        }
        return new AccessMethod.Wildcard(given);
    }

    private static AccessMethod text(RawDocument pattern, BsonDocument options) {
        Map<String, Integer> weights = new TreeMap<>();
        RawCursor field = pattern.cursor();
        while (field.next()) {
            if (field.value().isString() && !field.nameEquals("_fts")) {
                weights.put(field.name(), 1);
            }
        }
        BsonValue given = options.get("weights", new BsonDocument());
        if (given.isString()) {
            given = new BsonDocument(given.asString().getValue(), new org.bson.BsonInt32(1));
        }
        if (!given.isDocument()) {
            throw TYPE_MISMATCH.because("The field 'weights' must be an object, but got %s", Values.typeName(given));
        }
        given.asDocument().forEach((name, weight) -> weights.put(name, weight(name, weight)));
        if (weights.isEmpty()) {
            throw CANNOT_CREATE_INDEX.because("a text index needs at least one field of text");
        }
        BsonValue version = options.get("textIndexVersion");
        if (version != null
                && !(Values.isNumber(version) && Values.toDouble(version) >= 1 && Values.toDouble(version) <= 3)) {
            throw CANNOT_CREATE_INDEX.because("unsupported text index version: %s", Values.show(version));
        }
        String language = string(options, "default_language", "english");
        if (!Language.of(language).isPresent()) {
            throw CANNOT_CREATE_INDEX.because("default_language is not valid: '%s'", language);
        }
        String override = string(options, "language_override", "language");
        if (override.isEmpty() || override.startsWith("$") || override.contains(".")) {
            throw CANNOT_CREATE_INDEX.because("language_override is not valid: '%s'", override);
        }
        return new AccessMethod.Text(new TextRules(weights, language, override));
    }

    private static int weight(String name, BsonValue weight) {
        double number = Values.isNumber(weight) ? Values.toDouble(weight) : 0;
        if (name.isEmpty() || name.startsWith("$") && !name.equals(IndexField.WILDCARD)) {
            throw CANNOT_CREATE_INDEX.because("weights cannot name the field '%s'", name);
        }
        if (!(number >= 1 && number <= WEIGHT_MAX)) {
            throw CANNOT_CREATE_INDEX.because(
                    "text index weight must be in the exclusive interval (0,100000), not %s", Values.show(weight));
        }
        return (int) number;
    }

    private static String string(BsonDocument options, String name, String otherwise) {
        BsonValue value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isString()) {
            throw TYPE_MISMATCH.because("The field '%s' must be a string, but got %s", name, Values.typeName(value));
        }
        return value.asString().getValue();
    }

    private static AccessMethod planar(BsonDocument options) {
        double bits = number(options, "bits", AccessMethod.Planar.DEFAULT.bits());
        double min = number(options, "min", AccessMethod.Planar.DEFAULT.min());
        double max = number(options, "max", AccessMethod.Planar.DEFAULT.max());
        if (!(bits >= 1 && bits <= BITS_MAX)) {
            throw INVALID_OPTIONS.because(
                    "bits for hash must be > 0 and <= %d, but %s bits were specified", BITS_MAX, bits);
        }
        if (!(min < max) || Double.isInfinite(max - min)) {
            throw INVALID_OPTIONS.because(
                    "region for hash must be valid and have positive area, but [%s, %s] was specified", min, max);
        }
        return new AccessMethod.Planar((int) bits, min, max);
    }

    private static double number(BsonDocument options, String name, double otherwise) {
        BsonValue value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!Values.isNumber(value)) {
            throw TYPE_MISMATCH.because("The field '%s' must be a number, but got %s", name, Values.typeName(value));
        }
        return Values.toDouble(value);
    }

    private static AccessMethod sphere(BsonValue version) {
        if (version == null) {
            return new AccessMethod.Sphere(AccessMethod.Sphere.VERSION);
        }
        double number = Values.isNumber(version) ? Values.toDouble(version) : 0;
        if (number != 1 && number != 2 && number != AccessMethod.Sphere.VERSION) {
            throw CANNOT_CREATE_INDEX.because(
                    "unsupported geo index version { 2dsphereIndexVersion : %s }, only support versions: [1,2,3]",
                    Values.show(version));
        }
        return new AccessMethod.Sphere((int) number);
    }

    /** Sees to it that an index of a special kind has no option that only others have. */
    static void checkOptions(IndexDefinition index) {
        String kind = switch (index.method()) {
            case AccessMethod.Ordered _ -> "";
            case AccessMethod.Wildcard _ -> "wildcard";
            case AccessMethod.Text _ -> "text";
            case AccessMethod.Planar _ -> "2d";
            case AccessMethod.Sphere _ -> "2dsphere";
        };
        if (kind.isEmpty()) {
            return;
        }
        refuse(kind, "unique", index.unique());
        refuse(kind, "expireAfterSeconds", index.expireAfterSeconds().isPresent());
        refuse(kind, "sparse", kind.equals("wildcard") && index.sparse());
        boolean compared = kind.equals("text") || kind.equals("2d");
        refuse(kind, "collation", compared && !index.collation().isSimple());
    }

    private static void refuse(String kind, String option, boolean given) {
        if (given) {
            throw CANNOT_CREATE_INDEX.because("Index type '%s' does not support the '%s' option", kind, option);
        }
    }
}
