package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;
import static io.ostraka.core.error.ErrorCode.CONFLICTING_UPDATE_OPERATORS;
import static io.ostraka.core.error.ErrorCode.DOLLAR_PREFIXED_FIELD_NAME;
import static io.ostraka.core.error.ErrorCode.EMPTY_FIELD_NAME;
import static io.ostraka.core.error.ErrorCode.FAILED_TO_PARSE;

import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.filter.FilterParser;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Reads updates: operators, a replacement, or a pipeline. */
public final class UpdateParser {
    private UpdateParser() {}

    /**
     * Reads the {@code u} of an update or the {@code update} of a findAndModify.
     *
     * @param update a cursor on a document or an array
     * @param arrayFilters as they were sent; empty if none
     */
    public static Update parse(RawCursor update, List<RawDocument> arrayFilters, Variables variables) {
        if (update.isArray()) {
            if (!arrayFilters.isEmpty()) {
                throw FAILED_TO_PARSE.because("arrayFilters may not be specified for pipeline-style updates");
            }
            return new Update.Stages(Pipeline.parseUpdate(update.document(), variables));
        }
        if (!update.isDocument()) {
            throw FAILED_TO_PARSE.because("Update argument must be either an object or an array");
        }
        return parse(update.document(), arrayFilters, variables);
    }

    /** Reads an update without variables. */
    public static Update parse(RawCursor update, List<RawDocument> arrayFilters) {
        return parse(update, arrayFilters, Variables.NONE);
    }

    /** Reads operators or a replacement, without variables. */
    public static Update parse(RawDocument update, List<RawDocument> arrayFilters) {
        return parse(update, arrayFilters, Variables.NONE);
    }

    /** Reads operators or a replacement. */
    public static Update parse(RawDocument update, List<RawDocument> arrayFilters, Variables variables) {
        String first = update.firstName();
        if (first == null || !first.startsWith("$")) {
            return replacement(update, arrayFilters);
        }
        Map<String, Filter> filters = arrayFilters(arrayFilters, variables);
        List<Update.Change> changes = new ArrayList<>();
        update.toBson().forEach((operator, argument) -> {
            ModifierParser.Reader reader = ModifierParser.TABLE.get(operator);
            if (reader == null) {
                throw FAILED_TO_PARSE.because(
                        "Unknown modifier: %s. Expected a valid update modifier or pipeline-style update specified as"
                                + " an array",
                        operator);
            }
            if (!argument.isDocument()) {
                throw FAILED_TO_PARSE.because(
                        "Modifiers operate on fields but we found type %s instead. For example: {$mod: {<field>: ...}}"
                                + " not {%s: %s}",
                        Values.typeName(argument), operator, Values.show(argument));
            }
            argument.asDocument().forEach((name, value) -> {
                FieldPath path = path(name, operator);
                changes.add(new Update.Change(operator, path, reader.read(name, value)));
            });
        });
        changes.sort((one, other) -> comparePaths(one.path(), other.path()));
        refuseConflicts(changes);
        refuseUnused(changes, filters);
        return new Update.Operators(changes, filters);
    }

    /** Every operator there is, sorted. */
    public static List<String> names() {
        return Values.sorted(ModifierParser.TABLE.keySet());
    }

    private static Update replacement(RawDocument update, List<RawDocument> arrayFilters) {
        if (!arrayFilters.isEmpty()) {
            throw FAILED_TO_PARSE.because("arrayFilters may not be specified for replacement-style updates");
        }
        RawCursor cursor = update.cursor();
        while (cursor.next()) {
            if (cursor.name().startsWith("$")) {
                throw DOLLAR_PREFIXED_FIELD_NAME.because(
                        "The dollar ($) prefixed field '%s' is not allowed in the context of an update's replacement"
                                + " document. Consider using an aggregation pipeline with $replaceWith.",
                        cursor.name());
            }
        }
        return new Update.Replacement(update);
    }

    private static FieldPath path(String name, String operator) {
        FieldPath path = FieldPath.of(name);
        if (path.hasEmptyPart()) {
            throw EMPTY_FIELD_NAME.because(
                    "The update path '%s' contains an empty field name, which is not allowed.", name);
        }
        for (int i = 0; i < path.length(); i++) {
            String part = path.part(i);
            boolean positional = UpdatePath.isPositional(part);
            if (positional && i == 0) {
                throw BAD_VALUE.because(
                        "Cannot have array filter identifier or positional operator at the start of path '%s'", name);
            }
            if (part.startsWith("$") && !positional) {
                throw DOLLAR_PREFIXED_FIELD_NAME.because(
                        "The dollar ($) prefixed field '%s' in '%s' is not valid for storage.", part, name);
            }
            if (positional && operator.equals("$rename")) {
                throw BAD_VALUE.because("The source field for $rename may not be dynamic: %s", name);
            }
        }
        return path;
    }

    /** Names sort by their text, positions by their number. */
    static int comparePaths(FieldPath one, FieldPath other) {
        int common = Math.min(one.length(), other.length());
        for (int i = 0; i < common; i++) {
            boolean numbers = one.index(i) >= 0 && other.index(i) >= 0;
            int order = numbers
                    ? Integer.compare(one.index(i), other.index(i))
                    : one.part(i).compareTo(other.part(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    private static void refuseConflicts(List<Update.Change> changes) {
        List<FieldPath> paths = new ArrayList<>();
        for (Update.Change change : changes) {
            paths.add(change.path());
            if (change.modifier() instanceof Modifier.Rename(var to)) {
                paths.add(FieldPath.of(to));
            }
        }
        paths.sort(UpdateParser::comparePaths);
        for (int i = 1; i < paths.size(); i++) {
            if (paths.get(i - 1).isPrefixOf(paths.get(i))) {
                throw CONFLICTING_UPDATE_OPERATORS.because(
                        "Updating the path '%s' would create a conflict at '%s'", paths.get(i), paths.get(i - 1));
            }
        }
    }

    private static Map<String, Filter> arrayFilters(List<RawDocument> documents, Variables variables) {
        Map<String, Filter> filters = new LinkedHashMap<>();
        for (RawDocument document : documents) {
            BsonDocument decoded = document.toBson();
            Set<String> names = new HashSet<>();
            identifiers(decoded, names);
            if (names.size() != 1) {
                throw FAILED_TO_PARSE.because(
                        names.isEmpty()
                                ? "Cannot use an expression without a top-level field name in arrayFilters"
                                : "Error parsing array filter :: caused by :: Expected a single top-level field name, found %s",
                        String.join("' and '", Values.sorted(names)));
            }
            String name = names.iterator().next();
            if (!name.matches("[a-z][a-zA-Z0-9]*")) {
                throw BAD_VALUE.because(
                        "Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric"
                                + " string beginning with a lowercase letter, found '%s'",
                        name);
            }
            if (filters.put(name, FilterParser.parse(decoded, variables)) != null) {
                throw FAILED_TO_PARSE.because(
                        "Found multiple array filters with the same top-level field name %s", name);
            }
        }
        return filters;
    }

    private static void identifiers(BsonDocument filter, Set<String> names) {
        for (Map.Entry<String, BsonValue> field : filter.entrySet()) {
            if (!field.getKey().startsWith("$")) {
                names.add(FieldPath.of(field.getKey()).first());
            } else if (field.getValue().isArray()) {
                for (BsonValue part : field.getValue().asArray()) {
                    if (part.isDocument()) {
                        identifiers(part.asDocument(), names);
                    }
                }
            }
        }
    }

    private static void refuseUnused(List<Update.Change> changes, Map<String, Filter> filters) {
        Set<String> used = new HashSet<>();
        for (Update.Change change : changes) {
            for (int i = 0; i < change.path().length(); i++) {
                String part = change.path().part(i);
                if (part.startsWith("$[") && part.length() > 3) {
                    String name = part.substring(2, part.length() - 1);
                    used.add(name);
                    if (!filters.containsKey(name)) {
                        throw BAD_VALUE.because(
                                "No array filter found for identifier '%s' in path '%s'", name, change.path());
                    }
                }
            }
        }
        for (String name : filters.keySet()) {
            if (!used.contains(name)) {
                throw FAILED_TO_PARSE.because("The array filter for identifier '%s' was not used in the update", name);
            }
        }
    }
}
