package io.ostraka.bench.target;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.ThreadMXBean;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.ostraka.core.time.Clock;
import io.ostraka.server.embedded.ClusterSettings;
import io.ostraka.server.embedded.EmbeddedCluster;
import io.ostraka.wire.transport.Acceptor;
import io.ostraka.wire.transport.FrameBounds;
import io.ostraka.wire.transport.Link;
import io.ostraka.wire.transport.Sockets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.slf4j.LoggerFactory;

/** The program of a child: one server of a kind, until standard input ends. */
public final class ServerMain {
    private ServerMain() {}

    public static void main(String[] arguments) throws Exception {
        // Standard output belongs to the conversation with the driver.
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        Path folder = Files.createTempDirectory("ostraka-bench");
        String uri = switch (arguments[0]) {
            case "node" -> node(folder);
            case "routed" -> cluster(folder, 1, false);
            case "routed-memory" -> cluster(folder, 1, true);
            case "cluster" -> cluster(folder, 3, false);
            case "cluster-memory" -> cluster(folder, 3, true);
            case "mongo-java-server" -> memory();
            case "echo" -> echo();
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        System.out.println("URI " + uri);
        System.out.flush();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println("ANSWER " + threads.getTotalThreadAllocatedBytes());
            System.out.flush();
        }
        delete(folder);
        dump();
        Runtime.getRuntime().halt(0); // nothing of it is wanted any more
    }

    /** Ends the recordings that the JVM's options began; a halt would lose them. */
    private static void dump() {
        if (FlightRecorder.isAvailable() && FlightRecorder.isInitialized()) {
            FlightRecorder.getFlightRecorder().getRecordings().forEach(Recording::stop);
        }
    }

    private static String memory() {
        MongoServer server = new MongoServer(new MemoryBackend());
        server.bind("127.0.0.1", 0);
        return "mongodb://127.0.0.1:" + server.getLocalAddress().getPort() + "/";
    }

    private static String cluster(Path folder, int shards, boolean inMemory) {
        return EmbeddedCluster.start(ClusterSettings.DEFAULT
                        .withShards(shards)
                        .withInMemory(inMemory)
                        .withFolder(folder.resolve("cluster")))
                .connectionString();
    }

    private static String node(Path folder) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Files.createDirectories(folder.resolve("data"));
        String[] command = {
            "mongod",
            "--port",
            "" + port,
            "--dbpath",
            folder.resolve("data").toString(),
            "--logpath",
            folder.resolve("log").toString()
        };
        Thread.ofPlatform().daemon().start(() -> io.ostraka.server.cli.Main.main(command));
        long until = System.nanoTime() + 30_000_000_000L;
        while (true) {
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return "mongodb://127.0.0.1:" + port + "/?directConnection=true";
            } catch (IOException notYet) {
                if (System.nanoTime() > until) {
                    throw notYet;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Our own server loop with nothing behind it: what came goes back. */
    private static String echo() throws IOException {
        Acceptor acceptor = new Sockets(FrameBounds.DEFAULT, Clock.SYSTEM).listen("127.0.0.1", 0);
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Link link = acceptor.accept();
                    Thread.ofVirtual().start(() -> back(link));
                }
            } catch (IOException closed) {
                System.err.println("echo ended: " + closed.getMessage());
            }
        });
        return "mongodb://127.0.0.1:" + acceptor.port() + "/";
    }

    private static void back(Link link) {
        try {
            for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
                link.send(frame);
            }
        } catch (IOException ended) {
            link.close();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
