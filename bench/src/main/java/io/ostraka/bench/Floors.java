package io.ostraka.bench;

import io.ostraka.core.Allowed;
import io.ostraka.core.key.RecordId;
import io.ostraka.storage.Batch;
import io.ostraka.storage.Engine;
import io.ostraka.storage.ReadView;
import io.ostraka.storage.RecordStore;
import io.ostraka.storage.StorageLimits;
import io.ostraka.storage.StorageResources;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** What nothing here can be faster than: the storage engine alone, and an echo over loopback. Arguments: seconds a row. */
public final class Floors {
    private Floors() {}

    @Allowed("a program that prints its table")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int seconds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
        System.out.println("| what | callers | a second | median ms | 99 % ms |\n|---|---|---|---|---|");
        storage(System.out, seconds);
        echo(System.out, seconds);
    }

    private static void storage(PrintStream out, int seconds) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("ostraka-floors");
        try (StorageResources resources = StorageResources.open(StorageLimits.DEFAULT);
                Engine engine = Engine.open(folder, resources, Engine.Journal.SYNCED)) {
            RecordStore store = new RecordStore(1);
            AtomicLong ids = new AtomicLong();
            byte[] value = new byte[1000];
            Rate.Work put = _ -> {
                try (Batch batch = engine.batch()) {
                    store.put(batch, RecordId.of(ids.incrementAndGet()), value);
                    engine.write(batch);
                }
            };
            for (int callers : new int[] {1, 16, 64}) {
                out.println(Rate.of("RocksDB, synced put of 1 KB", callers, seconds, put));
            }
            Rate.Work get = thread -> {
                try (ReadView view = engine.read()) {
                    if (store.get(view, RecordId.of(1 + thread)) == null) {
                        throw new IllegalStateException("what was put is not there");
                    }
                }
            };
            out.println(Rate.of("RocksDB, snapshot and get of 1 KB", 1, seconds, get));
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void echo(PrintStream out, int seconds) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread accepting = Thread.ofVirtual().start(() -> accept(server));
            for (int callers : new int[] {1, 16}) {
                Socket[] sockets = new Socket[callers];
                for (int i = 0; i < callers; i++) {
                    sockets[i] = new Socket(server.getInetAddress(), server.getLocalPort());
                    sockets[i].setTcpNoDelay(true);
                }
                byte[] message = new byte[256];
                out.println(Rate.of("loopback echo of 256 bytes, a virtual thread each", callers, seconds, thread -> {
                    sockets[thread].getOutputStream().write(message);
                    new DataInputStream(sockets[thread].getInputStream()).readFully(new byte[256]);
                }));
                for (Socket socket : sockets) {
                    socket.close();
                }
            }
            server.close();
            accepting.join();
        }
    }

    private static void accept(ServerSocket server) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> answer(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void answer(Socket socket) {
        byte[] message = new byte[256];
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                in.readFully(message);
                socket.getOutputStream().write(message);
            }
        } catch (IOException ended) {
            return;
        }
    }
}
