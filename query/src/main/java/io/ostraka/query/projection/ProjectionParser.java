package io.ostraka.query.projection;

import static io.ostraka.core.error.ErrorCode.ADD_FIELDS_BAD_PATH;
import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.EXCLUSION_IN_INCLUSION;
import static io.ostraka.core.error.ErrorCode.INCLUSION_IN_EXCLUSION;
import static io.ostraka.core.error.ErrorCode.PATH_COLLISION;
import static io.ostraka.core.error.ErrorCode.PATH_COLLISION_AT;
import static io.ostraka.core.error.ErrorCode.POSITIONAL_IN_EXCLUSION;
import static io.ostraka.core.error.ErrorCode.PROJECTION_EMPTY;
import static io.ostraka.core.error.ErrorCode.SLICE_INVALID;

import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.ExpressionParser;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.projection.Projection.Branch;
import io.ostraka.query.projection.Projection.Mode;
import io.ostraka.query.projection.Projection.Node;
import io.ostraka.query.run.Metadata;
import io.ostraka.query.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads projections of finds and of stages. */
final class ProjectionParser {
    private final boolean find;
    private final boolean adding;
    private final Variables variables;
    private final Map<String, Object> tree = new LinkedHashMap<>();
    private Mode mode;
    private String decidedBy;

    private ProjectionParser(boolean find, boolean adding, Variables variables) {
        this.variables = variables;
        this.find = find;
        this.adding = adding;
    }

    static Projection find(BsonDocument document, Variables variables) {
        return read(document, true, variables);
    }

    static Projection stage(BsonDocument document, Variables variables) {
        if (document.isEmpty()) {
            throw PROJECTION_EMPTY.because(
                    "Invalid $project :: caused by :: projection specification must have at least one field");
        }
        return read(document, false, variables);
    }

    static Projection addFields(String stage, BsonDocument document, Variables variables) {
        if (document.isEmpty()) {
            throw ADD_FIELDS_BAD_PATH.because(
                    "Invalid %s :: caused by :: specification must have at least one field", stage);
        }
        ProjectionParser parser = new ProjectionParser(false, true, variables);
        parser.mode = Mode.EXCLUSION;
        document.forEach((name, value) -> parser.field(name, value));
        return new Projection(Mode.EXCLUSION, branch(parser.tree), document);
    }

    private static Projection read(BsonDocument document, boolean find, Variables variables) {
        ProjectionParser parser = new ProjectionParser(find, false, variables);
        document.forEach((name, value) -> parser.field(name, value));
        boolean id = document.containsKey("_id");
        if (parser.mode == null) {
            boolean idKept = id && !(document.get("_id").isBoolean() || Values.isNumber(document.get("_id")))
                    || id && Values.isTrue(document.get("_id"));
            parser.mode = idKept ? Mode.INCLUSION : Mode.EXCLUSION;
        }
        if (parser.mode == Mode.INCLUSION) {
            if (!parser.tree.containsKey("_id")) {
                Map<String, Object> withId = new LinkedHashMap<>();
                withId.put("_id", new Projection.Keep());
                withId.putAll(parser.tree);
                return new Projection(Mode.INCLUSION, branch(withId), document);
            }
            if (parser.tree.get("_id") instanceof Projection.Drop) {
                parser.tree.remove("_id");
            }
        } else if (parser.tree.get("_id") instanceof Projection.Keep) {
            parser.tree.remove("_id");
        }
        return new Projection(parser.mode, branch(parser.tree), document);
    }

    @SuppressWarnings("unchecked")
    private static Branch branch(Map<String, Object> tree) {
        Map<String, Node> fields = new LinkedHashMap<>();
        tree.forEach((name, node) ->
                fields.put(name, node instanceof Map<?, ?> below ? branch((Map<String, Object>) below) : (Node) node));
        return new Branch(fields);
    }

    private void field(String name, BsonValue value) {
        if (find && name.endsWith(".$")) {
            decide(Mode.INCLUSION, name);
            put(name.substring(0, name.length() - 2), new Projection.Positional());
            return;
        }
        if (value.isDocument()) {
            document(name, value.asDocument());
            return;
        }
        boolean flag = !adding && (value.isBoolean() || Values.isNumber(value));
        if (!flag) {
            computed(name, value);
        } else if (Values.isTrue(value)) {
            if (!name.equals("_id")) {
                decide(Mode.INCLUSION, name);
            }
            put(name, new Projection.Keep());
        } else {
            if (!name.equals("_id")) {
                decide(Mode.EXCLUSION, name);
            }
            put(name, new Projection.Drop());
        }
    }

    private void document(String name, BsonDocument value) {
        if (value.isEmpty()) {
            if (adding) {
                computed(name, value);
                return;
            }
            throw PROJECTION_EMPTY.because(
                    "An empty sub-projection is not a valid value. Found empty object at path '%s'", name);
        }
        String first = value.getFirstKey();
        if (find && first.equals("$slice") && isFindSlice(value.get(first))) {
            put(name, slice(value.get(first)));
            return;
        }
        if (find && first.equals("$elemMatch")) {
            if (!value.get(first).isDocument()) {
                throw BAD_VALUE.because("elemMatch: Invalid argument, object required");
            }
            if (name.contains(".")) {
                throw BAD_VALUE.because("Cannot use $elemMatch projection on a nested field");
            }
            decide(Mode.INCLUSION, name);
            put(
                    name,
                    new Projection.FirstMatch(
                            FilterParser.parse(value.get(first).asDocument(), variables)));
            return;
        }
        if (find && first.equals("$meta")) {
            put(name, new Projection.Computed(variables.expression(value))); // beside what is kept or left out
            return;
        }
        if (first.startsWith("$")) {
            computed(name, value);
            return;
        }
        value.forEach((below, inner) -> field(name + "." + below, inner));
    }

    private void computed(String name, BsonValue value) {
        if (!adding) {
            decide(Mode.INCLUSION, name);
        }
        put(name, new Projection.Computed(variables.expression(value)));
    }

    /** In a find, {@code $slice} with a number or two is the old form; with an expression it is the function. */
    private static boolean isFindSlice(BsonValue value) {
        return Values.isNumber(value)
                || value.isArray() && value.asArray().stream().allMatch(Values::isNumber);
    }

    private static Projection.Slice slice(BsonValue value) {
        if (Values.isNumber(value)) {
            int count = clamp(value);
            return count < 0 ? new Projection.Slice(count, Integer.MAX_VALUE) : new Projection.Slice(0, count);
        }
        List<BsonValue> parts = value.asArray().getValues();
        if (parts.size() != 2) {
            throw SLICE_INVALID.because(
                    "Invalid $slice syntax. The given syntax did not match the find() syntax: an array of two numbers");
        }
        int limit = clamp(parts.get(1));
        if (limit <= 0) {
            throw SLICE_INVALID.because("Invalid $slice syntax. The limit must be positive, not %d", limit);
        }
        return new Projection.Slice(clamp(parts.get(0)), limit);
    }

    private static int clamp(BsonValue number) {
        return (int) Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, Values.toLong(number)));
    }

    private void decide(Mode wanted, String name) {
        if (mode == null) {
            mode = wanted;
            decidedBy = name;
        } else if (mode != wanted) {
            if (wanted == Mode.INCLUSION) {
                throw (name.endsWith(".$") ? POSITIONAL_IN_EXCLUSION : INCLUSION_IN_EXCLUSION)
                        .because(
                                "Cannot do inclusion on field %s in exclusion projection, which '%s' makes it",
                                name, decidedBy);
            }
            throw EXCLUSION_IN_INCLUSION.because(
                    "Cannot do exclusion on field %s in inclusion projection, which '%s' makes it", name, decidedBy);
        }
    }

    @SuppressWarnings("unchecked")
    private void put(String name, Node node) {
        FieldPath path = Metadata.isField(name) ? FieldPath.of(name) : ExpressionParser.path(name);
        Map<String, Object> level = tree;
        for (int i = 0; i < path.length() - 1; i++) {
            Object below = level.computeIfAbsent(path.part(i), _ -> new LinkedHashMap<String, Object>());
            if (!(below instanceof Map<?, ?>)) {
                throw PATH_COLLISION_AT.because(
                        "Path collision at %s remaining portion %s",
                        path.text(), path.from(i + 1).text());
            }
            level = (Map<String, Object>) below;
        }
        if (level.putIfAbsent(path.last(), node) != null) {
            throw PATH_COLLISION.because("Path collision at %s", path.text());
        }
    }
}
