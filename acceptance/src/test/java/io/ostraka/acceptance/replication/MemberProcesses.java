package io.ostraka.acceptance.replication;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.ostraka.acceptance.support.ChildProcess;
import io.ostraka.acceptance.support.CuttingProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;

/** Members of one set as processes of their own, known to each other and to clients by proxies that can be cut. */
final class MemberProcesses implements AutoCloseable {
    static final String SET = "rs0";

    private final Path folder;
    private final List<String> more;
    private final List<CuttingProxy> proxies = new ArrayList<>();
    private final List<ChildProcess> processes = new ArrayList<>();

    /** @param more options of each member */
    MemberProcesses(Path folder, int count, String... more) {
        this.folder = folder;
        this.more = List.of(more);
        for (int i = 0; i < count; i++) {
            proxies.add(new CuttingProxy());
            processes.add(start(i));
        }
    }

    private ChildProcess start(int number) {
        try {
            Path data = Files.createDirectories(folder.resolve("member" + number));
            List<String> arguments =
                    new ArrayList<>(List.of("mongod", "--replSet", SET, "--dbpath", data.toString(), "--port", "0"));
            arguments.addAll(more);
            ChildProcess process =
                    ChildProcess.start(line -> line.contains("\"id\": 23016"), arguments.toArray(String[]::new));
            proxies.get(number).lead(port(process));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port that a program said it listens on. */
    static int port(ChildProcess process) {
        return Document.parse(process.readyLine()).get("attr", Document.class).getInteger("port");
    }

    /** Makes a set of all of them, known by their proxies. */
    void initiate() {
        List<Document> all = IntStream.range(0, count())
                .mapToObj(i -> new Document("_id", i).append("host", host(i)))
                .toList();
        try (MongoClient client = MongoClients.create(direct(0))) {
            Document unused = client.getDatabase("admin")
                    .runCommand(new Document("replSetInitiate", new Document("_id", SET).append("members", all)));
        }
    }

    int count() {
        return processes.size();
    }

    /** Where the set and its clients know a member. */
    String host(int number) {
        return proxies.get(number).address();
    }

    String connectionString(String options) {
        return "mongodb://" + hosts() + "/?replicaSet=" + SET + options;
    }

    /** All addresses, as after the name of a set. */
    String hosts() {
        return String.join(",", proxies.stream().map(CuttingProxy::address).toList());
    }

    /** One member past its proxy. */
    String direct(int number) {
        return "mongodb://127.0.0.1:" + port(processes.get(number)) + "/?directConnection=true";
    }

    CuttingProxy proxy(int number) {
        return proxies.get(number);
    }

    void kill(int number) {
        processes.get(number).kill();
    }

    void restart(int number) {
        processes.set(number, start(number));
    }

    /** Stops a process in its tracks, as a long pause does. */
    void pause(int number) {
        signal(number, "-STOP");
    }

    void goOn(int number) {
        signal(number, "-CONT");
    }

    private void signal(int number, String signal) {
        try {
            int code = new ProcessBuilder(
                            "kill", signal, Long.toString(processes.get(number).pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("the signal did not arrive");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The last lines of each member's log, for a failure's message. */
    String logs() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < processes.size(); i++) {
            String output = processes.get(i).output();
            all.append("--- member ")
                    .append(i)
                    .append('\n')
                    .append(output, Math.max(0, output.length() - 3000), output.length());
        }
        return all.toString();
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::kill);
        proxies.forEach(CuttingProxy::close);
    }
}
