package io.ostraka.query.update;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.pipeline.Stage;
import java.util.List;
import java.util.Map;

/** What an update does to a document. Immutable and valid; {@link Updater} runs it. */
public sealed interface Update {
    /** The new document, but for {@code _id}. */
    record Replacement(RawDocument document) implements Update {}

    /** Operators, in the order their paths sort. */
    record Operators(List<Change> changes, Map<String, Filter> arrayFilters) implements Update {
        public Operators {
            changes = List.copyOf(changes);
            arrayFilters = Map.copyOf(arrayFilters);
        }
    }

    /** Stages that make one document of one. */
    record Stages(List<Stage> stages) implements Update {
        public Stages {
            stages = List.copyOf(stages);
        }
    }

    /** One operator at one path. */
    final class Change {
        private final String operator;
        private final FieldPath path;
        private final Modifier modifier;

        Change(String operator, FieldPath path, Modifier modifier) {
            this.operator = operator;
            this.path = path;
            this.modifier = modifier;
        }

        /** As the client wrote it, {@code $set}. */
        public String operator() {
            return operator;
        }

        /** May hold {@code $}, {@code $[]} and {@code $[name]}. */
        public FieldPath path() {
            return path;
        }

        Modifier modifier() {
            return modifier;
        }
    }

    /** Whether the whole document is replaced, which may not be done to many. */
    default boolean isReplacement() {
        return this instanceof Replacement;
    }
}
