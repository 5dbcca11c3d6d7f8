package io.ostraka.acceptance.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;

/** Splits, merges and moves chunks without pause, by a seed, whatever fails meanwhile. */
final class Chunks {
    private final List<String> namespaces;
    private final Random random;
    private final Map<String, Integer> done = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();

    Chunks(List<String> namespaces, long seed) {
        this.namespaces = namespaces;
        random = new Random(seed);
    }

    /** What was done and what was refused, by kinds. */
    String summary() {
        return "chunks " + done + ", refused " + refused;
    }

    int moves() {
        return done.getOrDefault("moveChunk", 0);
    }

    void work(MongoClient client, BooleanSupplier goOn) {
        while (goOn.getAsBoolean()) {
            String namespace = namespaces.get(random.nextInt(namespaces.size()));
            try {
                one(client, namespace);
            } catch (MongoCommandException e) {
                refused.merge(
                        e.getErrorCodeName() + ": " + e.getErrorMessage().replaceAll("[0-9a-f-]{30,}|\\d+", "*"),
                        1,
                        Integer::sum);
            } catch (MongoException e) {
                refused.merge(e.getClass().getSimpleName(), 1, Integer::sum);
            }
        }
    }

    private void one(MongoClient client, String namespace) {
        List<Document> chunks = chunks(client, namespace);
        int at = random.nextInt(chunks.size());
        Document chunk = chunks.get(at);
        Document min = chunk.get("min", Document.class);
        if (chunks.size() > 12
                && at + 1 < chunks.size()
                && chunk.get("shard").equals(chunks.get(at + 1).get("shard"))) {
            run(
                    client,
                    new Document("mergeChunks", namespace)
                            .append("bounds", List.of(min, chunks.get(at + 1).get("max"))));
        } else if (chunks.size() < 8 || random.nextInt(3) == 0) {
            run(client, new Document("split", namespace).append("find", min));
        } else {
            run(
                    client,
                    new Document("moveChunk", namespace)
                            .append("bounds", List.of(min, chunk.get("max")))
                            .append("to", chunk.getString("shard").equals("shard0") ? "shard1" : "shard0"));
        }
    }

    private void run(MongoClient client, Document command) {
        Document unused = client.getDatabase("admin").runCommand(command);
        done.merge(command.keySet().iterator().next(), 1, Integer::sum);
    }

    private static List<Document> chunks(MongoClient client, String namespace) {
        MongoDatabase config = client.getDatabase("config");
        Object uuid = config.getCollection("collections")
                .find(Filters.eq("_id", namespace))
                .first()
                .get("uuid");
        return config.getCollection("chunks")
                .find(Filters.eq("uuid", uuid))
                .sort(Sorts.ascending("min"))
                .into(new ArrayList<>());
    }

    /** Chunks meet end to end. */
    void check(MongoClient client) {
        for (String namespace : namespaces) {
            List<Document> chunks = chunks(client, namespace);
            assertThat(IntStream.range(1, chunks.size()))
                    .as("chunks of %s: %s", namespace, chunks)
                    .allMatch(i ->
                            chunks.get(i - 1).get("max").equals(chunks.get(i).get("min")));
        }
    }
}
