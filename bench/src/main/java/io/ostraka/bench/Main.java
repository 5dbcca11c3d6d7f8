package io.ostraka.bench;

import io.ostraka.bench.floor.RocksFloor;
import io.ostraka.bench.load.LoadCommand;
import io.ostraka.bench.micro.RoutingMemory;
import io.ostraka.bench.replication.ReplicationBench;
import java.util.Arrays;

/** {@code ./ostraka bench}. */
public final class Main {
    private static final String HELP = """
            Usage: ostraka bench load [OPTION ...]      load over the official Java driver; --help lists the options
                   ostraka bench rocks [SECONDS]        RocksDB alone: the limit of the storage
                   ostraka bench replication [SECONDS]  inserts in one process: one member, one on Raft, three
                   ostraka bench micro [JMH OPTION ...] JMH over the hot parts; -l lists them
                   ostraka bench routing-memory         heap of a routing table of a million chunks
            """;

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        String what = arguments.length == 0 ? "help" : arguments[0];
        String[] rest = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        switch (what) {
            case "load" -> System.exit(LoadCommand.run(rest));
            case "rocks" -> RocksFloor.run(rest.length == 0 ? 3 : Integer.parseInt(rest[0]));
            case "replication" -> ReplicationBench.run(rest.length == 0 ? 3 : Integer.parseInt(rest[0]));
            case "micro" -> org.openjdk.jmh.Main.main(rest);
            case "routing-memory" -> RoutingMemory.run();
            default -> System.out.print(HELP);
        }
    }
}
