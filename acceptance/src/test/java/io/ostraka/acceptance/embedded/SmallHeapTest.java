package io.ostraka.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.ostraka.acceptance.support.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a group may not hold goes to disk, and a member with little memory stays alive. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallHeapTest {
    private static final int HEAP_MEGABYTES = 256;

    /** As strings, with what is counted for each, they take more than the heap, and three times what a group may hold. */
    private static final int KEYS = 1_000_000;

    /** How many documents each stored one stands for. */
    private static final int EACH = 100_000;

    @TempDir
    Path folder;

    @Test
    void groupsMoreKeysThanItMayHold() {
        int port = ChildProcess.freePorts(1);
        try (ChildProcess member = ChildProcess.startInHeap(
                        HEAP_MEGABYTES,
                        line -> line.contains("Waiting for connections"),
                        "mongod",
                        "--dbpath",
                        folder.toString(),
                        "--port",
                        Integer.toString(port));
                MongoClient client = MongoClients.create("mongodb://127.0.0.1:" + port)) {
            MongoCollection<Document> things = client.getDatabase("heap").getCollection("things");
            for (int i = 0; i < KEYS / EACH; i++) {
                things.insertOne(new Document("_id", i));
            }
            Document counted = things.aggregate(List.of(
                            Document.parse("{$project: {k: {$range: [0, " + EACH + "]}}}"),
                            Document.parse("{$unwind: '$k'}"),
                            Document.parse("{$group: {_id: {$concat: ['the key of a customer whose number is ',"
                                    + " {$toString: {$add: [{$multiply: ['$_id', " + EACH + "]}, '$k']}}]},"
                                    + " n: {$sum: 1}}}"),
                            Document.parse("{$group: {_id: null, groups: {$sum: 1}, n: {$sum: '$n'}}}")))
                    .first();
            assertThat(counted).containsEntry("groups", KEYS).containsEntry("n", KEYS);
            assertThat(things.countDocuments()).isEqualTo(KEYS / EACH);
            assertThat(member.output()).doesNotContain("OutOfMemoryError");
        }
    }
}
