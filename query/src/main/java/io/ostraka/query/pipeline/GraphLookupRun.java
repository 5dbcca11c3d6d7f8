package io.ostraka.query.pipeline;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.key.KeyString;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** One document's {@code $graphLookup}: step by step to what is connected, each document of the graph once. */
final class GraphLookupRun {
    private final Stage.GraphLookup stage;
    private final RunContext context;
    private final Set<KeyString> visited = new HashSet<>();
    private final Set<KeyString> asked = new HashSet<>();
    private final HeldDocuments found;

    private GraphLookupRun(Stage.GraphLookup stage, RunContext context) {
        this.stage = stage;
        this.context = context;
        this.found = new HeldDocuments("$graphLookup", context.limits().sortBytesMax());
    }

    static RawDocument apply(Stage.GraphLookup stage, RawDocument document, RunContext context) {
        GraphLookupRun run = new GraphLookupRun(stage, context);
        run.walk(Evaluator.evaluate(stage.startWith(), new Scope(document, context)));
        RawBuilder array = new RawBuilder();
        List<RawDocument> all = run.found.all();
        for (int i = 0; i < all.size(); i++) {
            array.put(Integer.toString(i), all.get(i));
        }
        return PathSetting.set(document, stage.as(), array.build(), context);
    }

    private void walk(BsonValue start) {
        Map<KeyString, BsonValue> first = new LinkedHashMap<>();
        if (start.isArray()) {
            start.asArray().forEach(value -> enter(first, value));
        } else {
            enter(first, Values.isMissing(start) ? BsonNull.VALUE : start);
        }
        Map<KeyString, BsonValue> frontier = first;
        for (long depth = 0; !frontier.isEmpty() && (stage.depthMax() < 0 || depth <= stage.depthMax()); depth++) {
            context.interruption().check();
            frontier = step(new BsonArray(List.copyOf(frontier.values())), depth);
        }
    }

    /** Puts a value where to look next, once. */
    private void enter(Map<KeyString, BsonValue> frontier, BsonValue value) {
        KeyString key = context.collation().key(value);
        if (asked.add(key)) {
            frontier.put(key, value);
        }
    }

    private Map<KeyString, BsonValue> step(BsonArray values, long depth) {
        BsonDocument connected = new BsonDocument(stage.connectTo().text(), new BsonDocument("$in", values));
        BsonDocument match = stage.restriction().isEmpty()
                ? connected
                : new BsonDocument("$and", new BsonArray(List.of(connected, stage.restriction())));
        List<RawDocument> pipeline = List.of(RawDocument.of(new BsonDocument("$match", match)));
        Map<KeyString, BsonValue> next = new LinkedHashMap<>();
        try (DocumentStream stream = context.foreign()
                .read(Optional.of(stage.from()), pipeline, stage.outer().toLet())) {
            for (RawDocument document = stream.next(); document != null; document = stream.next()) {
                context.interruption().check();
                take(document, depth, next);
            }
        }
        return next;
    }

    private void take(RawDocument document, long depth, Map<KeyString, BsonValue> next) {
        BsonValue id = document.get("_id");
        if (id != null && !visited.add(KeyString.of(id))) {
            return;
        }
        found.add(
                stage.depthField().isPresent()
                        ? PathSetting.set(document, stage.depthField().get(), new BsonInt64(depth), context)
                        : document);
        BsonValue onward = Evaluator.evaluate(new Expression.Field(stage.connectFrom()), new Scope(document, context));
        if (onward.isArray()) {
            onward.asArray().forEach(value -> enter(next, value));
        } else if (!Values.isMissing(onward)) {
            enter(next, onward);
        }
    }
}
