package io.ostraka.node.member;

import io.ostraka.core.bson.RawDocument;
import io.ostraka.node.write.Inserter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Inserts until it is killed, and says on its output what has been acknowledged. Run by {@link CrashTest}. */
final class CrashWriter {
    private static final int WRITERS = 4;
    private static final int BATCH = 7;

    private CrashWriter() {}

    public static void main(String[] arguments) throws InterruptedException {
        TestMember test = new TestMember(Path.of(arguments[0]));
        int first = Integer.parseInt(arguments[1]);
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int mine = writer;
            writers.add(Thread.startVirtualThread(() -> {
                for (int batch = 0; ; batch++) {
                    write(test, out, first + (batch * WRITERS + mine) * BATCH);
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
    }

    private static void write(TestMember test, PrintStream out, int from) {
        List<RawDocument> documents = new ArrayList<>();
        for (int id = from; id < from + BATCH; id++) {
            documents.add(RawDocument.of(new BsonDocument("_id", new BsonInt32(id))
                    .append("group", new BsonInt32(from))
                    .append("text", new BsonString("x".repeat(id % 300)))));
        }
        Inserter.Outcome outcome = test.member().inserter().insert(TestMember.USERS, documents, true, test.operation());
        if (outcome.inserted() == BATCH) {
            out.println(from);
        }
    }
}
