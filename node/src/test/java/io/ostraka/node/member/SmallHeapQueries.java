package io.ostraka.node.member;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.view.Selection;
import io.ostraka.node.view.View;
import io.ostraka.query.filter.Filter;
import io.ostraka.query.pipeline.Pipeline;
import io.ostraka.query.plan.FindQuery;
import io.ostraka.query.run.DocumentStream;
import io.ostraka.query.run.RunContext;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Groups and sorts a collection, and says what it has seen. Run by {@link SmallHeapTest}. */
final class SmallHeapQueries {
    static final int DOCUMENTS = 200_000;

    private static final int BATCH = 1_000;

    /** Each group is counted as some 600 bytes, so that all of them are more than the 100 MB a group may hold. */
    private static final String GROUP =
            "{$group: {_id: '$k', a: {$sum: 1}, b: {$first: '$_id'}, c: {$last: '$_id'}, d: {$max: '$_id'}, e: {$min: '$_id'},"
                    + " f: {$avg: '$_id'}}}";

    private SmallHeapQueries() {}

    public static void main(String[] arguments) {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        Path data = Path.of(arguments[0]);
        try (TestMember test = new TestMember(data)) {
            insert(test);
            out.println("groups " + run(test, data, out, GROUP));
            out.println("sorted " + run(test, data, out, "{$sort: {k: 1}}"));
        }
    }

    private static void insert(TestMember test) {
        String padding = "x".repeat(500);
        for (int from = 0; from < DOCUMENTS; from += BATCH) {
            List<RawDocument> documents = new ArrayList<>();
            for (int id = from; id < from + BATCH; id++) {
                // Keys in another order than they come in.
                String key = "key" + Integer.reverse(id);
                documents.add(RawDocument.of(new BsonDocument("_id", new BsonInt32(id))
                        .append("k", new BsonString(key))
                        .append("padding", new BsonString(padding))));
            }
            var unused = test.member().inserter().insert(TestMember.USERS, documents, true, test.operation());
        }
    }

    private static long run(TestMember test, Path data, PrintStream out, String stage) {
        RunContext context = test.member().context(() -> {});
        Pipeline pipeline = Pipeline.parse(List.of(RawDocument.of(BsonDocument.parse(stage))));
        long count = 0;
        try (View view = test.member().view();
                DocumentStream stream = pipeline.open(
                        Selection.of(FindQuery.of(Filter.EVERYTHING), context)
                                .open(view, view.catalog().get(TestMember.USERS))
                                .documents(),
                        context)) {
            String last = "";
            for (RawDocument document = stream.next(); document != null; document = stream.next()) {
                if (count++ == 0) {
                    out.println("spilled " + Files.isDirectory(data.resolve("spill")));
                }
                String key =
                        document.find("k") == null ? "" : document.find("k").string();
                if (key.compareTo(last) < 0) {
                    throw new IllegalStateException(key + " comes after " + last);
                }
                last = key;
            }
        }
        return count;
    }
}
