package io.ostraka.acceptance.histories;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;

/** Every acknowledged insert is there afterwards. */
public final class Inserts implements Workload {
    private static final int WRITERS = 2;

    /** So few in a run would mean that it was all faults, and showed nothing. */
    private static final int LEAST = 100;

    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    /** Where it writes. */
    public static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("d").getCollection("things");
    }

    @Override
    public void prepare(MongoClient client) {
        client.getDatabase("d").createCollection("things");
    }

    @Override
    public List<Worker> workers() {
        return IntStream.range(0, WRITERS)
                .mapToObj(number -> (Worker) (client, goOn) -> insert(client, goOn, number))
                .toList();
    }

    private void insert(MongoClient client, BooleanSupplier goOn, int number) {
        for (int i = 0; goOn.getAsBoolean(); i++) {
            String id = number + "-" + i;
            try {
                collection(client).insertOne(new Document("_id", id));
                acknowledged.add(id);
            } catch (MongoException unknown) {
                UnderFaults.afterRefusal();
            }
        }
    }

    @Override
    public void check(MongoClient client, String about) {
        Set<String> there =
                collection(client).find().map(each -> each.getString("_id")).into(new ArrayList<>()).stream()
                        .collect(Collectors.toSet());
        assertThat(there).as(about).containsAll(acknowledged);
        assertThat(acknowledged.size()).as(about).isGreaterThan(LEAST);
    }

    @Override
    public String summary() {
        return acknowledged.size() + " inserts acknowledged";
    }
}
