package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.MERGE_ON_ARRAY;
import static io.ostraka.core.error.ErrorCode.MERGE_ON_MISSING;
import static io.ostraka.core.error.ErrorCode.OUTPUT_TO_INTERNAL_DATABASE;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawCursor;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * What a {@code $merge} does with each document, in the words of the commands that do it: a document to insert, or a
 * statement of {@code update} whose constants {@code c} hold the document as {@code $$new}.
 */
public final class MergeStatements {
    private final Stage.Merge merge;
    private final List<FieldPath> on;
    private final RunContext context;
    private final Supplier<ObjectId> ids;

    /**
     * @param on the fields that say which document of the target is meant
     * @param ids for documents without an {@code _id} where that is one of them
     */
    public MergeStatements(Stage.Merge merge, List<FieldPath> on, RunContext context, Supplier<ObjectId> ids) {
        this.merge = merge;
        this.on = List.copyOf(on);
        this.context = context;
        this.ids = ids;
    }

    /** @throws io.ostraka.core.error.CommandException 31320 for a database of the server's own */
    public static void checkTarget(String database) {
        if (Set.of("admin", "config", "local").contains(database)) {
            throw OUTPUT_TO_INTERNAL_DATABASE.because("Cannot write to internal database: %s", database);
        }
    }

    /** Whether documents are inserted, and one that is there already is an error. */
    public boolean inserts() {
        return merge.matched() == Stage.Merge.Matched.FAIL;
    }

    /** Whether a statement that finds no document is an error, 13113. */
    public boolean mustMatch() {
        return merge.notMatched() == Stage.Merge.NotMatched.FAIL;
    }

    /** The document, with the fields that name it checked; an {@code _id} is made where it must be there and is not. */
    public RawDocument document(RawDocument made) {
        RawDocument document = made;
        if (made.find("_id") == null && on.contains(FieldPath.of("_id"))) {
            document = new RawBuilder(made.size() + 24)
                    .put("_id", new BsonObjectId(ids.get()))
                    .elements(made)
                    .build();
        }
        for (FieldPath path : on) {
            RawCursor value = path.find(document);
            if (value == null || Values.isNullish(value.value())) {
                throw MERGE_ON_MISSING.because(
                        "$merge write error: 'on' field '%s' cannot be missing, null, undefined or an array", path);
            }
            if (value.isArray()) {
                throw MERGE_ON_ARRAY.because("$merge write error: 'on' field '%s' cannot be an array", path);
            }
        }
        return document;
    }

    /** The statement of {@code update} for a document that {@link #document} has checked. */
    public RawDocument statement(RawDocument document) {
        BsonDocument filter = new BsonDocument();
        for (FieldPath path : on) {
            filter.put(path.text(), new BsonDocument("$eq", path.find(document).value()));
        }
        boolean upsert = merge.notMatched() == Stage.Merge.NotMatched.INSERT;
        RawBuilder statement = new RawBuilder(2 * document.size() + 256).put("q", RawDocument.of(filter));
        switch (merge.matched()) {
            case REPLACE -> statement.put("u", document);
            case KEEP_EXISTING ->
                statement.openDocument("u").openDocument("$setOnInsert").close().close();
            case MERGE -> statement.put("u", (BsonValue) merged());
            case PIPELINE -> statement.put("u", (BsonValue) merge.pipeline());
            case FAIL -> throw new IllegalStateException("these are inserted");
        }
        statement.put("upsert", upsert);
        if (merge.matched() != Stage.Merge.Matched.REPLACE) {
            statement.openDocument("c").put("new", document);
            Scope scope = new Scope(document, context);
            merge.let().forEach((name, value) -> statement.put(name, Evaluator.evaluate(value, scope)));
            statement.close();
            if (upsert) {
                statement.put("upsertSupplied", true);
            }
        }
        return statement.build();
    }

    private static BsonArray merged() {
        BsonArray both = new BsonArray(List.of(new BsonString("$$ROOT"), new BsonString("$$new")));
        return new BsonArray(List.of(new BsonDocument("$replaceWith", new BsonDocument("$mergeObjects", both))));
    }
}
