package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Variables;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.projection.Projection;
import io.ostraka.query.projection.Projector;
import io.ostraka.query.run.RunContext;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Documents with one more field, as {@code $addFields} sets it. */
final class PathSetting {
    private PathSetting() {}

    /** Sets a path to an array. */
    static RawDocument set(RawDocument document, FieldPath path, RawDocument array, RunContext context) {
        if (path.length() > 1) {
            BsonValue decoded = new RawBuilder().putArray("a", array).build().get("a");
            return set(document, path, decoded, context);
        }
        RawBuilder changed = new RawBuilder(document.size() + array.size() + 32);
        RawCursor field = document.cursor();
        boolean placed = false;
        while (field.next()) {
            if (field.nameEquals(path.first())) {
                changed.putArray(path.first(), array);
                placed = true;
            } else {
                changed.element(field);
            }
        }
        if (!placed) {
            changed.putArray(path.first(), array);
        }
        return changed.build();
    }

    /** Sets a path to a value. */
    static RawDocument set(RawDocument document, FieldPath path, BsonValue value, RunContext context) {
        BsonDocument fields = new BsonDocument(path.text(), new BsonDocument("$literal", value));
        Projection adding = Projection.parseAddFields("$addFields", fields, Variables.NONE);
        return Projector.of(adding, Filter.EVERYTHING, context).apply(document);
    }
}
