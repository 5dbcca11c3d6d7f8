package io.ostraka.acceptance.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.ostraka.acceptance.support.Awaiting;
import io.ostraka.acceptance.support.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;

/** Three hosts and a router, each a process: config servers and two shards, all of three members. */
final class Hosts implements AutoCloseable {
    private static final int COUNT = 3;

    /** Far more than it takes; hosts fail meanwhile. */
    private static final Duration DRAINS = Duration.ofMinutes(5);

    private final Path folder;
    private final int firstPort = ChildProcess.freePorts(COUNT * Host.SETS.size());
    private final List<ChildProcess> processes = new ArrayList<>();
    private final ChildProcess router;

    Hosts(Path folder) {
        this.folder = folder;
        for (int i = 0; i < COUNT; i++) {
            processes.add(start(i));
        }
        Host.SETS.forEach(this::initiate);
        router = ChildProcess.start(
                line -> line.contains("Waiting for connections"),
                "mongos",
                "--configdb",
                "config/" + members("config"),
                "--port",
                "0");
        try (MongoClient client = MongoClients.create(uri(""))) {
            for (String shard : List.of("shard0", "shard1")) {
                addShard(client, shard);
            }
        }
    }

    private ChildProcess start(int host) {
        return ChildProcess.startClass(
                Host.class,
                line -> line.equals(Host.READY),
                folder.resolve("host" + host).toString(),
                Integer.toString(port(host, Host.SETS.getFirst())));
    }

    private int port(int host, String set) {
        return firstPort + host * Host.SETS.size() + Host.SETS.indexOf(set);
    }

    private void initiate(String set) {
        List<Document> members = IntStream.range(0, COUNT)
                .mapToObj(i -> new Document("_id", i).append("host", "127.0.0.1:" + port(i, set)))
                .toList();
        Document config = new Document("_id", set).append("members", members);
        try (MongoClient client =
                MongoClients.create("mongodb://127.0.0.1:" + port(0, set) + "/?directConnection=true")) {
            assertThat(client.getDatabase("admin").runCommand(new Document("replSetInitiate", config)))
                    .containsEntry("ok", 1.0);
        }
    }

    /** The addresses of a set's members. */
    String members(String set) {
        return IntStream.range(0, COUNT)
                .mapToObj(i -> "127.0.0.1:" + port(i, set))
                .collect(Collectors.joining(","));
    }

    void addShard(MongoClient client, String shard) {
        Document command = new Document("addShard", shard + "/" + members(shard)).append("name", shard);
        assertThat(client.getDatabase("admin").runCommand(command)).containsEntry("ok", 1.0);
    }

    /** Moves everything off a shard, removes it, and adds it again. */
    void drain(MongoClient client, String shard) {
        MongoDatabase admin = client.getDatabase("admin");
        Document remove = new Document("removeShard", shard);
        Awaiting.await(DRAINS, () -> {
            try {
                return admin.runCommand(remove).getString("state").equals("completed");
            } catch (MongoException notNow) {
                return false; // a host failed; the draining goes on
            }
        });
        Awaiting.await(() -> {
            try {
                addShard(client, shard);
                return true;
            } catch (MongoException notNow) {
                return false;
            }
        });
    }

    int count() {
        return COUNT;
    }

    /** Of the router. */
    String uri(String options) {
        return "mongodb://127.0.0.1:"
                + Document.parse(router.readyLine()).get("attr", Document.class).getInteger("port") + "/?" + options;
    }

    void kill(int host) {
        processes.get(host).kill();
    }

    void restart(int host) {
        processes.set(host, start(host));
    }

    /** The last lines of each log. */
    String logs() {
        List<ChildProcess> all = new ArrayList<>(processes);
        all.add(router);
        return all.stream()
                .map(ChildProcess::output)
                .map(output -> output.substring(Math.max(0, output.length() - 3000)))
                .collect(Collectors.joining("\n---\n"));
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::kill);
        router.kill();
    }
}
