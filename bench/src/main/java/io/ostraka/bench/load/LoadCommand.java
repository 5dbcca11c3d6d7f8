package io.ostraka.bench.load;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.ostraka.bench.target.TargetSpec;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./ostraka bench load}. */
@Command(
        name = "ostraka bench load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Drives servers with the official Java driver, in turn, and compares them.")
public final class LoadCommand {
    @Option(
            names = "--target",
            description =
                    "node, routed, routed-memory, cluster, cluster-memory, mongo-java-server, echo (ping only), or a"
                            + " connection string; again for more. KIND@FOLDER takes the program's jars from a folder,"
                            + " 'KIND!OPTIONS' gives its JVM options. Ratios are to the first. (node, mongo-java-server)")
    private List<String> targets = List.of("mongo-java-server", "node");

    @Option(names = "--work", split = ",", description = "one or more of the works, or 'all' (findById)")
    private List<String> works = List.of("findById");

    @Option(names = "--threads", split = ",", description = "clients at once (1,16)")
    private List<Integer> threads = List.of(1, 16);

    @Option(names = "--documents", description = "in each collection that is read (10000)")
    private int documents = 10_000;

    @Option(names = "--size", description = "bytes of a document, about (1024)")
    private int size = 1_024;

    @Option(names = "--warm-up", description = "seconds, for each work on each target (3)")
    private double warmUp = 3;

    @Option(names = "--seconds", description = "of each round (2)")
    private double seconds = 2;

    @Option(names = "--rounds", description = "visits of each target (3)")
    private int rounds = 3;

    @Option(names = "--seed", description = "of the random choices (1)")
    private long seed = 1;

    @Option(names = "--json", description = "file to append JSON lines to, one for each visit")
    private Path json;

    private LoadCommand() {}

    /** @return the exit code */
    public static int run(String... arguments) throws Exception {
        LoadCommand command = new LoadCommand();
        CommandLine line = new CommandLine(command);
        try {
            line.parseArgs(arguments);
        } catch (CommandLine.ParameterException bad) {
            System.err.println(bad.getMessage());
            return 2;
        }
        if (line.isUsageHelpRequested()) {
            line.usage(System.out);
            System.out.println("Works: " + String.join(", ", Works.BY_NAME.keySet()));
            return 0;
        }
        return command.measure();
    }

    private int measure() throws Exception {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        List<String> chosen = works.contains("all") ? List.copyOf(Works.BY_NAME.keySet()) : works;
        for (String name : chosen) {
            if (!Works.BY_NAME.containsKey(name)) {
                System.err.println("'" + name + "' is no work; there are " + Works.BY_NAME.keySet());
                return 2;
            }
        }
        LoadSettings settings = new LoadSettings(
                targets.stream().map(TargetSpec::parse).toList(),
                chosen,
                threads,
                documents,
                size,
                warmUp,
                seconds,
                rounds,
                seed);
        try (Report report = Report.open(json)) {
            Run.run(settings, report);
        }
        return 0;
    }
}
