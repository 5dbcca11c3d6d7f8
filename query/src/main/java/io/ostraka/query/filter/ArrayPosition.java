package io.ostraka.query.filter;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.run.RunContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Which element of an array a filter matched: what {@code $} stands for in updates and projections. If a filter asks
 * several things of one array, the first element that meets most of them counts.
 */
public final class ArrayPosition {
    private final FieldPath array;
    private final List<DocumentTest> conditions = new ArrayList<>();

    private ArrayPosition(FieldPath array) {
        this.array = array;
    }

    public static ArrayPosition of(Filter filter, FieldPath array, RunContext context) {
        ArrayPosition position = new ArrayPosition(array);
        position.collect(filter, context);
        return position;
    }

    private void collect(Filter filter, RunContext context) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(part -> collect(part, context));
            case Filter.Or(var any) -> any.forEach(part -> collect(part, context));
            case Filter.Field(var path, var test)
            when array.isPrefixOf(path) && !(test instanceof ValueTest.Not) -> {
                // The element is put into an array of its own under the array's name, and the condition asked of that.
                FieldPath below = FieldPath.of(
                        path.length() == array.length()
                                ? array.last()
                                : array.last() + "." + path.from(array.length()).text());
                conditions.add(FilterCompiler.compile(new Filter.Field(below, test), context));
            }
            case Filter.Field _, Filter.Nor _, Filter.Expr _, Filter.Schema _, Filter.Text _, Filter.Always _ -> {}
        }
    }

    /** The position of the element in a document that matches the filter, or -1 where no array was matched. */
    public int in(RawDocument document) {
        RawCursor found = array.find(document);
        if (found == null || !found.isArray() || conditions.isEmpty()) {
            return -1;
        }
        int best = -1;
        int bestMet = 0;
        RawCursor element = found.document().cursor();
        for (int i = 0; element.next(); i++) {
            RawDocument alone = new RawBuilder(element.elementSize() + 64)
                    .openArray(array.last())
                    .value("0", element)
                    .close()
                    .build();
            int met = 0;
            for (DocumentTest condition : conditions) {
                met += condition.test(alone) ? 1 : 0;
            }
            if (met > bestMet) {
                best = i;
                bestMet = met;
            }
        }
        return best;
    }
}
