package io.ostraka.query.projection;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.run.Metadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * What is left of a document, or added to it: a tree over its fields. Immutable; {@link Projector} runs it.
 *
 * @param mode what becomes of fields the tree does not name
 * @param source as the client wrote it, for explain and for other shards
 */
public record Projection(Mode mode, Branch root, BsonDocument source) {
    public enum Mode {
        /** Only what is named stays. */
        INCLUSION,
        /** What is named goes, or is changed; the rest stays. */
        EXCLUSION
    }

    /** What happens to one field. */
    public sealed interface Node {}

    record Keep() implements Node {}

    record Drop() implements Node {}

    record Computed(Expression expression) implements Node {}

    /** {@code $slice} of a find: from {@code skip} (from the end if negative), {@code limit} elements. */
    record Slice(int skip, int limit) implements Node {}

    record FirstMatch(Filter filter) implements Node {}

    /** {@code "a.$"}: the element the query matched. */
    record Positional() implements Node {}

    /** Fields below a field. */
    public record Branch(Map<String, Node> fields) implements Node {
        public Branch {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** A find's projection without variables. */
    public static Projection parseFind(RawDocument document) {
        return parseFind(document, Variables.NONE);
    }

    /** A find's projection; an empty document keeps everything. */
    public static Projection parseFind(RawDocument document, Variables variables) {
        return ProjectionParser.find(document.toBson(), variables);
    }

    /** The operators of a find's projection beside those of expressions, sorted. */
    public static List<String> names() {
        return List.of("$", "$elemMatch", "$slice");
    }

    /** A {@code $project} stage. */
    public static Projection parseStage(BsonDocument document, Variables variables) {
        return ProjectionParser.stage(document, variables);
    }

    /** An {@code $addFields} or {@code $set} stage, by its name for messages. */
    public static Projection parseAddFields(String stage, BsonDocument document, Variables variables) {
        return ProjectionParser.addFields(stage, document, variables);
    }

    /** The projection that leaves out these paths. */
    public static Projection without(List<String> paths) {
        BsonDocument document = new BsonDocument();
        paths.forEach(path -> document.put(path, new org.bson.BsonInt32(0)));
        return ProjectionParser.stage(document, Variables.NONE);
    }

    /** The paths an inclusion keeps whole, if it does nothing but keep: what a covering index must hold. */
    public Optional<List<FieldPath>> keptPaths() {
        List<FieldPath> paths = new ArrayList<>();
        return mode == Mode.INCLUSION && collectKept(root, "", paths) ? Optional.of(paths) : Optional.empty();
    }

    private static boolean collectKept(Branch branch, String prefix, List<FieldPath> paths) {
        for (Map.Entry<String, Node> field : branch.fields.entrySet()) {
            String path = prefix + field.getKey();
            switch (field.getValue()) {
                case Keep _ -> paths.add(FieldPath.of(path));
                case Drop _ -> {}
                case Branch below -> {
                    if (!collectKept(below, path + ".", paths)) {
                        return false;
                    }
                }
                case Computed _, Slice _, FirstMatch _, Positional _ -> {
                    return false;
                }
            }
        }
        return true;
    }

    /** What of documents it asks for beside what is in them. */
    public Set<Metadata> metadata() {
        return Metadata.named(source);
    }

    /** Whether it shows such a field itself: then it is for another process, which needs it. */
    public boolean tells() {
        return root.fields.keySet().stream().anyMatch(Metadata::isField);
    }

    /** Whether this only names whole top-level fields, which explain calls simple. */
    public boolean isSimple() {
        return root.fields.values().stream().allMatch(node -> node instanceof Keep || node instanceof Drop);
    }
}
