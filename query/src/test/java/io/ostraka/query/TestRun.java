package io.ostraka.query;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.query.run.QueryLimits;
import io.ostraka.query.run.RunContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/** What tests run queries with: a fixed moment and a fixed seed. */
public final class TestRun {
    public static final long NOW = 1_700_000_000_000L;

    public static final RunContext CONTEXT =
            new RunContext(NOW, new BsonTimestamp(1_700_000_000, 1), () -> {}, new Random(7), QueryLimits.DEFAULT);

    private TestRun() {}

    public static RawDocument doc(String json) {
        return RawDocument.of(BsonDocument.parse(json));
    }

    /** Documents written as a JSON array. */
    public static List<RawDocument> docs(String json) {
        List<RawDocument> documents = new ArrayList<>();
        BsonArray.parse(json).forEach(each -> documents.add(RawDocument.of(each.asDocument())));
        return documents;
    }
}
