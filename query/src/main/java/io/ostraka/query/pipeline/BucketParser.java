package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_COUNT_NOT_NUMBER;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_COUNT_NOT_POSITIVE;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_COUNT_NOT_WHOLE;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_GROUP_BY_INVALID;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_NEEDS;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_OUTPUT_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.BUCKET_AUTO_UNKNOWN_OPTION;
import static io.ostraka.core.error.ErrorCode.BUCKET_BOUNDARIES_NOT_ARRAY;
import static io.ostraka.core.error.ErrorCode.BUCKET_BOUNDARIES_OF_TYPES;
import static io.ostraka.core.error.ErrorCode.BUCKET_BOUNDARIES_UNSORTED;
import static io.ostraka.core.error.ErrorCode.BUCKET_BOUNDARY_NOT_CONSTANT;
import static io.ostraka.core.error.ErrorCode.BUCKET_DEFAULT_NOT_CONSTANT;
import static io.ostraka.core.error.ErrorCode.BUCKET_DEFAULT_WITHIN;
import static io.ostraka.core.error.ErrorCode.BUCKET_GROUP_BY_INVALID;
import static io.ostraka.core.error.ErrorCode.BUCKET_NEEDS;
import static io.ostraka.core.error.ErrorCode.BUCKET_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.BUCKET_OUTPUT_NOT_OBJECT;
import static io.ostraka.core.error.ErrorCode.BUCKET_TOO_FEW_BOUNDARIES;
import static io.ostraka.core.error.ErrorCode.BUCKET_UNKNOWN_OPTION;
import static io.ostraka.core.error.ErrorCode.GRANULARITY_NOT_STRING;

import io.ostraka.core.bson.ValueOrder;
import io.ostraka.core.error.ErrorCode;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Reads {@code $bucket}, which is a group by ranges and a sort, and {@code $bucketAuto}. */
final class BucketParser {
    private static final BsonDocument COUNT = new BsonDocument("count", new BsonDocument("$sum", new BsonInt32(1)));

    private BucketParser() {}

    static List<Stage> bucket(BsonValue argument, Variables variables) {
        BsonDocument options = options(
                "$bucket",
                argument,
                Set.of("groupBy", "boundaries", "default", "output"),
                BUCKET_NOT_OBJECT,
                BUCKET_UNKNOWN_OPTION);
        if (!options.containsKey("groupBy") || !options.containsKey("boundaries")) {
            throw BUCKET_NEEDS.because("$bucket requires 'groupBy' and 'boundaries' to be specified.");
        }
        BsonValue by = groupBy("$bucket", options.get("groupBy"), BUCKET_GROUP_BY_INVALID);
        List<BsonValue> boundaries = boundaries(options.get("boundaries"), variables);
        BsonDocument choice = new BsonDocument("branches", branches(by, boundaries));
        if (options.containsKey("default")) {
            BsonValue other = constant(options.get("default"), variables, BUCKET_DEFAULT_NOT_CONSTANT);
            if (ValueOrder.ORDER.compare(other, boundaries.getFirst()) >= 0
                    && ValueOrder.ORDER.compare(other, boundaries.getLast()) < 0) {
                throw BUCKET_DEFAULT_WITHIN.because(
                        "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to"
                                + " the highest boundary.");
            }
            choice.put("default", literal(other));
        }
        BsonDocument group = new BsonDocument("_id", new BsonDocument("$switch", choice));
        group.putAll(output(options, BUCKET_OUTPUT_NOT_OBJECT));
        return List.of(
                StageParser.group(group, variables), StageParser.sort(new BsonDocument("_id", new BsonInt32(1))));
    }

    private static BsonArray branches(BsonValue by, List<BsonValue> boundaries) {
        BsonArray branches = new BsonArray();
        for (int i = 0; i + 1 < boundaries.size(); i++) {
            BsonDocument least = compare("$gte", by, boundaries.get(i));
            BsonDocument below = compare("$lt", by, boundaries.get(i + 1));
            branches.add(new BsonDocument("case", new BsonDocument("$and", new BsonArray(List.of(least, below))))
                    .append("then", literal(boundaries.get(i))));
        }
        return branches;
    }

    private static BsonDocument compare(String operator, BsonValue by, BsonValue boundary) {
        return new BsonDocument(operator, new BsonArray(List.of(by, literal(boundary))));
    }

    private static BsonDocument literal(BsonValue value) {
        return new BsonDocument("$literal", value);
    }

    private static List<BsonValue> boundaries(BsonValue argument, Variables variables) {
        if (!argument.isArray()) {
            throw BUCKET_BOUNDARIES_NOT_ARRAY.because(
                    "The $bucket 'boundaries' field must be an array, but found type: %s", Values.typeName(argument));
        }
        List<BsonValue> boundaries = new ArrayList<>();
        for (BsonValue boundary : argument.asArray()) {
            boundaries.add(constant(boundary, variables, BUCKET_BOUNDARY_NOT_CONSTANT));
        }
        if (boundaries.size() < 2) {
            throw BUCKET_TOO_FEW_BOUNDARIES.because(
                    "The $bucket 'boundaries' field must have at least 2 values, but found %d value(s).",
                    boundaries.size());
        }
        for (int i = 1; i < boundaries.size(); i++) {
            BsonValue lower = boundaries.get(i - 1);
            BsonValue upper = boundaries.get(i);
            boolean alike =
                    Values.isNumber(lower) && Values.isNumber(upper) || lower.getBsonType() == upper.getBsonType();
            if (!alike) {
                throw BUCKET_BOUNDARIES_OF_TYPES.because(
                        "All values in the 'boundaries' option to $bucket must have the same type. Found conflicting"
                                + " types %s and %s.",
                        Values.typeName(lower), Values.typeName(upper));
            }
            if (ValueOrder.ORDER.compare(lower, upper) >= 0) {
                throw BUCKET_BOUNDARIES_UNSORTED.because(
                        "The 'boundaries' option to $bucket must be sorted, but elements %d and %d are not in ascending"
                                + " order (%s is not less than %s).",
                        i - 1, i, Values.show(lower), Values.show(upper));
            }
        }
        return boundaries;
    }

    private static BsonValue constant(BsonValue value, Variables variables, ErrorCode otherwise) {
        if (variables.expression(value) instanceof Expression.Literal(var constant)) {
            return constant;
        }
        throw otherwise.because("$bucket needs constant values here, but found %s", Values.show(value));
    }

    static Stage auto(BsonValue argument, Variables variables) {
        BsonDocument options = options(
                "$bucketAuto",
                argument,
                Set.of("groupBy", "buckets", "granularity", "output"),
                BUCKET_AUTO_NOT_OBJECT,
                BUCKET_AUTO_UNKNOWN_OPTION);
        if (!options.containsKey("groupBy") || !options.containsKey("buckets")) {
            throw BUCKET_AUTO_NEEDS.because("$bucketAuto requires 'groupBy' and 'buckets' to be specified.");
        }
        BsonValue granularity = options.get("granularity");
        if (granularity != null && !granularity.isString()) {
            throw GRANULARITY_NOT_STRING.because(
                    "The $bucketAuto 'granularity' field must be a string, but found type: %s",
                    Values.typeName(granularity));
        }
        BsonValue by = groupBy("$bucketAuto", options.get("groupBy"), BUCKET_AUTO_GROUP_BY_INVALID);
        BsonValue buckets = options.get("buckets");
        if (!Values.isNumber(buckets)) {
            throw BUCKET_AUTO_COUNT_NOT_NUMBER.because(
                    "The $bucketAuto 'buckets' field must be a numeric value, but found type: %s",
                    Values.typeName(buckets));
        }
        if (!Values.isWhole(buckets) || Values.toLong(buckets) > Integer.MAX_VALUE) {
            throw BUCKET_AUTO_COUNT_NOT_WHOLE.because(
                    "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found %s",
                    Values.show(buckets));
        }
        if (Values.toLong(buckets) <= 0) {
            throw BUCKET_AUTO_COUNT_NOT_POSITIVE.because(
                    "The $bucketAuto 'buckets' field must be greater than 0, but found: %s", Values.show(buckets));
        }
        return new Stage.BucketAuto(
                variables.expression(by),
                (int) Values.toLong(buckets),
                new AccumulatedParser(variables).fields(output(options, BUCKET_AUTO_OUTPUT_NOT_OBJECT)),
                Optional.ofNullable(granularity)
                        .map(name -> Granularity.of(name.asString().getValue())),
                options);
    }

    private static BsonValue groupBy(String stage, BsonValue by, ErrorCode otherwise) {
        boolean path = by.isString() && by.asString().getValue().startsWith("$");
        if (!path && !(by.isDocument() && ExpressionParser.isOperator(by.asDocument()))) {
            throw otherwise.because(
                    "The %s 'groupBy' field must be defined as a $-prefixed path or an expression, but found: %s",
                    stage, Values.show(by));
        }
        return by;
    }

    private static BsonDocument output(BsonDocument options, ErrorCode otherwise) {
        BsonValue output = options.get("output");
        if (output == null) {
            return COUNT;
        }
        if (!output.isDocument()) {
            throw otherwise.because(
                    "The 'output' field must be an object, but found type: %s", Values.typeName(output));
        }
        return output.asDocument();
    }

    private static BsonDocument options(
            String stage, BsonValue argument, Set<String> known, ErrorCode notObject, ErrorCode unknown) {
        if (!argument.isDocument()) {
            throw notObject.because(
                    "Argument to %s stage must be an object, but found type: %s", stage, Values.typeName(argument));
        }
        for (String name : argument.asDocument().keySet()) {
            if (!known.contains(name)) {
                throw unknown.because("Unrecognized option to %s: %s.", stage, name);
            }
        }
        return argument.asDocument();
    }
}
