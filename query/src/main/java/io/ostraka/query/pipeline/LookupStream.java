package io.ostraka.query.pipeline;

import static io.ostraka.core.error.ErrorCode.LOOKUP_TOO_BIG;

import io.ostraka.core.bson.RawBuilder;
import io.ostraka.core.bson.RawDocument;
import io.ostraka.core.path.FieldPath;
import io.ostraka.query.expression.Evaluator;
import io.ostraka.query.expression.Expression;
import io.ostraka.query.expression.Scope;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import io.ostraka.query.value.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** {@code $lookup}: each document with an array of the other collection's that belong to it. */
final class LookupStream implements DocumentStream {
    private static final int DOCUMENT_BYTES_MAX = 16 << 20;

    private final Stage.Lookup stage;
    private final DocumentStream input;
    private final RunContext context;
    private RawDocument sameForAll;

    LookupStream(Stage.Lookup stage, DocumentStream input, RunContext context) {
        this.stage = stage;
        this.input = input;
        this.context = context;
    }

    @Override
    public RawDocument next() {
        RawDocument document = input.next();
        if (document == null) {
            return null;
        }
        context.interruption().check();
        return PathSetting.set(document, stage.as(), joined(document), context);
    }

    private RawDocument joined(RawDocument document) {
        if (stage.equality().isPresent() || !stage.let().isEmpty()) {
            return read(document);
        }
        if (sameForAll == null) {
            sameForAll = read(document);
        }
        return sameForAll;
    }

    private RawDocument read(RawDocument document) {
        Scope scope = new Scope(document, context);
        Map<String, BsonValue> let = new HashMap<>();
        stage.let().forEach((name, value) -> let.put(name, Evaluator.evaluate(value, scope)));
        List<RawDocument> pipeline = new ArrayList<>();
        stage.equality().ifPresent(equality -> pipeline.add(RawDocument.of(match(equality, scope))));
        pipeline.addAll(stage.pipeline());
        RawBuilder found = new RawBuilder();
        int at = 0;
        try (DocumentStream stream = context.foreign()
                .read(stage.from(), pipeline, stage.outer().with(let).toLet())) {
            for (RawDocument next = stream.next(); next != null; next = stream.next()) {
                context.interruption().check();
                found.put(Integer.toString(at++), next);
                if (found.size() > DOCUMENT_BYTES_MAX) {
                    throw LOOKUP_TOO_BIG.because(
                            "Total size of documents in %s matching pipeline's $lookup stage exceeds maximum document"
                                    + " size of %d bytes",
                            stage.from().orElse("$documents"), DOCUMENT_BYTES_MAX);
                }
            }
        }
        return found.build();
    }

    private static BsonDocument match(Stage.Equality equality, Scope scope) {
        BsonValue local = Evaluator.evaluate(new Expression.Field(equality.local()), scope);
        return new BsonDocument("$match", equals(equality.foreign(), local));
    }

    /** A filter for a value, or for any element of an array. Nothing equals null. */
    private static BsonDocument equals(FieldPath path, BsonValue value) {
        if (!value.isArray()) {
            BsonValue there = Values.isMissing(value) ? BsonNull.VALUE : value;
            return new BsonDocument(path.text(), new BsonDocument("$eq", there));
        }
        BsonArray values = value.asArray();
        if (values.isEmpty()) {
            return new BsonDocument("$alwaysFalse", new BsonInt32(1));
        }
        if (values.stream().noneMatch(BsonValue::isRegularExpression)) {
            return new BsonDocument(path.text(), new BsonDocument("$in", values));
        }
        BsonArray any = new BsonArray();
        values.forEach(each -> any.add(new BsonDocument(path.text(), new BsonDocument("$eq", each))));
        return new BsonDocument("$or", any);
    }

    @Override
    public void close() {
        input.close();
    }
}
