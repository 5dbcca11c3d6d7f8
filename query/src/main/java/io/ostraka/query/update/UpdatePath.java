package io.ostraka.query.update;

import static io.ostraka.core.error.ErrorCode.BAD_VALUE;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.ArrayPosition;
import io.ostraka.query.filter.DocumentTest;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Turns paths with {@code $}, {@code $[]} and {@code $[name]} into the plain paths they stand for in a document. */
final class UpdatePath {
    private final Filter query;
    private final Map<String, DocumentTest> arrayFilters;
    private final RunContext context;

    UpdatePath(Filter query, Map<String, DocumentTest> arrayFilters, RunContext context) {
        this.query = query;
        this.arrayFilters = arrayFilters;
        this.context = context;
    }

    static boolean isPositional(String part) {
        return part.equals("$") || part.startsWith("$[") && part.endsWith("]");
    }

    /**
     * The plain paths of one path.
     *
     * @param original the document before the update, on which the query matched
     * @param current the document as it is now
     */
    List<FieldPath> resolve(FieldPath path, RawDocument original, BsonDocument current) {
        boolean plain = true;
        for (int i = 0; i < path.length(); i++) {
            plain &= !isPositional(path.part(i));
        }
        if (plain) {
            return List.of(path);
        }
        List<FieldPath> found = new ArrayList<>();
        resolve(path, 0, "", current, original, found);
        return found;
    }

    private void resolve(
            FieldPath path, int part, String before, BsonValue here, RawDocument original, List<FieldPath> found) {
        if (part == path.length()) {
            found.add(FieldPath.of(before));
            return;
        }
        String name = path.part(part);
        String prefix = before.isEmpty() ? "" : before + ".";
        if (!isPositional(name)) {
            resolve(path, part + 1, prefix + name, child(here, path, part), original, found);
            return;
        }
        if (name.equals("$")) {
            int position =
                    ArrayPosition.of(query, FieldPath.of(before), context).in(original);
            if (position < 0) {
                throw BAD_VALUE.because("The positional operator did not find the match needed from the query.");
            }
            BsonValue element = here.isArray() && position < here.asArray().size()
                    ? here.asArray().get(position)
                    : Values.MISSING;
            resolve(path, part + 1, prefix + position, element, original, found);
            return;
        }
        if (Values.isMissing(here)) {
            throw BAD_VALUE.because(
                    "The path '%s' must exist in the document in order to apply array updates.", before);
        }
        if (!here.isArray()) {
            throw BAD_VALUE.because(
                    "Cannot apply array updates to non-array element %s: %s", before, Values.show(here));
        }
        String identifier = name.substring(2, name.length() - 1);
        for (int i = 0; i < here.asArray().size(); i++) {
            BsonValue element = here.asArray().get(i);
            if (identifier.isEmpty()
                    || arrayFilters.get(identifier).test(RawDocument.of(new BsonDocument(identifier, element)))) {
                resolve(path, part + 1, prefix + i, element, original, found);
            }
        }
    }

    private static BsonValue child(BsonValue here, FieldPath path, int part) {
        BsonValue child = null;
        if (here.isDocument()) {
            child = here.asDocument().get(path.part(part));
        } else if (here.isArray()
                && path.index(part) >= 0
                && path.index(part) < here.asArray().size()) {
            child = here.asArray().get(path.index(part));
        }
        return child == null ? Values.MISSING : child;
    }
}
