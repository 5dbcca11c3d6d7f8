package io.ostraka.acceptance.replication;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.acceptance.support.Awaiting;
import io.ostraka.acceptance.support.InProcess;
import io.ostraka.server.process.MemberProcess;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;

/** Members of one set in this JVM, each with its own port and folder, as {@code mongod --replSet} would start them. */
final class Members implements AutoCloseable {
    static final String SET = "rs0";

    private final Path folder;
    private final StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
    private final List<MemberProcess> processes = new ArrayList<>();

    Members(Path folder, int count) {
        this.folder = folder;
        for (int i = 0; i < count; i++) {
            add();
        }
    }

    /** Another empty member. */
    int add() {
        processes.add(start(processes.size(), 0));
        return processes.size() - 1;
    }

    private MemberProcess start(int number, int port) {
        return InProcess.start(MemberProcess.Kind.ALONE, folder.resolve("member" + number), SET, port, resources, 0);
    }

    String host(int number) {
        return processes.get(number).address();
    }

    MemberProcess process(int number) {
        return processes.get(number);
    }

    void stop(int number) {
        processes.get(number).close();
    }

    /** Starts a stopped one on its port. */
    void restart(int number) {
        processes.set(number, start(number, processes.get(number).port()));
    }

    /** Takes the log of replication out of a stopped one's folder. */
    void forgetLog(int number) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("member" + number).resolve("raft"))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Everything to all members; {@code more} are further options. */
    MongoClient client(String more) {
        String hosts = processes.stream().map(MemberProcess::address).collect(Collectors.joining(","));
        return MongoClients.create("mongodb://" + hosts + "/?replicaSet=" + SET + more);
    }

    MongoClient direct(int number) {
        return MongoClients.create("mongodb://" + host(number) + "/?directConnection=true");
    }

    Document initiate(int... numbers) {
        List<Document> members = new ArrayList<>();
        for (int number : numbers) {
            members.add(new Document("_id", number).append("host", host(number)));
        }
        try (MongoClient client = direct(numbers[0])) {
            return client.getDatabase("admin")
                    .runCommand(new Document("replSetInitiate", new Document("_id", SET).append("members", members)));
        }
    }

    /** The number of the member that leads; waits for one. */
    int primary() {
        int[] found = {-1};
        Awaiting.await(() -> {
            for (int i = 0; i < processes.size(); i++) {
                if (processes.get(i).member().isLeader()) {
                    found[0] = i;
                    return true;
                }
            }
            return false;
        });
        return found[0];
    }

    @Override
    public void close() {
        processes.forEach(MemberProcess::close);
        resources.close();
    }
}
